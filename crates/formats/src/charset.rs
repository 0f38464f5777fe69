//! Character sets of texts in old files.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252, X_USER_DEFINED};

/// The character set of some texts: UTF-8 where it fits, then the declared one, then a guess. The last resort maps
/// every byte to a character of its own, so that nothing is lost.
pub fn choose<'a>(
    declared: Option<&[u8]>,
    texts: &(impl Iterator<Item = &'a [u8]> + Clone),
) -> &'static Encoding {
    let foreign = || texts.clone().filter(|text| !text.is_ascii());
    let mostly_fits = |encoding: &'static Encoding| {
        let (fitting, all) = foreign()
            .fold((0, 0), |(fitting, all), text| (fitting + usize::from(fits(encoding, text)), all + 1));
        4 * fitting >= 3 * all
    };
    let declared = declared.and_then(Encoding::for_label);
    [Some(UTF_8), declared]
        .into_iter()
        .flatten()
        .find(|&encoding| mostly_fits(encoding))
        .or_else(|| Some(guess(foreign())).filter(|&encoding| mostly_fits(encoding)))
        .unwrap_or(WINDOWS_1252)
}

/// Whether the bytes are text in this character set and come out the same when written again.
fn fits(encoding: &'static Encoding, text: &[u8]) -> bool {
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(text);
    decoded.is_some_and(|decoded| {
        !decoded.contains(|c| UNREADABLE.contains(&c)) && *encoding.encode(&decoded).0 == *text
    })
}

/// The characters that stand for the bytes of texts in no known character set.
const UNREADABLE: std::ops::RangeInclusive<char> = '\u{f780}'..='\u{f7ff}';

fn guess<'a>(texts: impl Iterator<Item = &'a [u8]>) -> &'static Encoding {
    const ENOUGH: usize = 64 * 1024;
    /// Shorter texts are names of points and the like, which tell little and mislead.
    const TELLING: usize = 8;
    let mut detector = chardetng::EncodingDetector::new();
    let mut fed = 0;
    for text in texts.filter(|text| text.len() >= TELLING) {
        detector.feed(text, false);
        detector.feed(b"\n", false);
        fed += text.len();
        if fed > ENOUGH {
            break;
        }
    }
    detector.feed(b"", true);
    detector.guess(None, false)
}

/// The text of some bytes. Where the character set does not fit, every byte becomes a character for private use.
pub fn decode(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let encoding = if bytes.is_ascii() || fits(encoding, bytes) { encoding } else { X_USER_DEFINED };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The bytes of a text: the inverse of [`decode`]. What the character set cannot say is said in UTF-8.
pub fn encode(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let unreadable = text.chars().any(|c| UNREADABLE.contains(&c));
    let (bytes, _, unmappable) = if unreadable { X_USER_DEFINED } else { encoding }.encode(text);
    if unmappable { text.as_bytes().to_vec() } else { bytes.into_owned() }
}

/// The name to keep of a character set, empty for UTF-8.
pub fn name(encoding: &'static Encoding) -> &'static str {
    if encoding == UTF_8 { "" } else { encoding.name() }
}

/// The character set of a kept name.
pub fn named(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).unwrap_or(UTF_8)
}
