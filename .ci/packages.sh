# Sourced by the test scripts: programs they need, from the distribution's packages where missing.

# need COMMAND PACKAGE...: succeeds if the command is there, or once its packages are installed.
need() {
    local command=$1
    shift
    command -v "$command" > /dev/null && return
    install_packages "$@" && command -v "$command" > /dev/null
}

# install_packages PACKAGE...: succeeds if the distribution's packages could be installed.
install_packages() {
    command -v apt-get > /dev/null || return 1
    local sudo=()
    if [ "$(id -u)" != 0 ]; then
        # Without a password at hand the part is skipped; the tests never stop to ask for one.
        sudo=(sudo --non-interactive)
        "${sudo[@]}" true 2> /dev/null || return 1
    fi
    echo "installing $*"
    export DEBIAN_FRONTEND=noninteractive
    "${sudo[@]}" apt-get update --quiet > /dev/null || return 1
    "${sudo[@]}" apt-get install --yes --quiet --no-install-recommends "$@" > /dev/null
}
