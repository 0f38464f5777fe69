"""Evaluates net.onnx with onnxruntime and compares it with our own logits.

check.py DIRECTORY: the directory that `onnx_cases` wrote.
"""

import json
import pathlib
import sys

import numpy
import onnxruntime

# Ours keeps 16-bit weights in files and adds in another order.
TOLERANCE = 1e-3
TYPES = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64}


def tensor(session_input, values):
    """The values in the shape that the model asks for, one position at a time."""
    shape = [1] + list(session_input.shape[1:])
    return numpy.array(values, TYPES[session_input.type]).reshape(shape)


def main():
    directory = pathlib.Path(sys.argv[1])
    session = onnxruntime.InferenceSession(
        directory / "net.onnx", providers=["CPUExecutionProvider"]
    )
    worst = 0.0
    cases = json.loads((directory / "cases.json").read_text())
    for case in cases:
        feed = {i.name: tensor(i, case["inputs"][i.name]) for i in session.get_inputs()}
        (logits,) = session.run(["logits"], feed)
        difference = numpy.abs(logits[0][case["cells"]] - numpy.array(case["logits"]))
        worst = max(worst, float(difference.max()))
        if not worst < TOLERANCE:
            sys.exit(f"{directory.name}: logits differ by {worst} after {case['moves']}")
    print(f"{directory.name}: {len(cases)} positions agree to within {worst:.1e}")


main()
