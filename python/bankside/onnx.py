"""Weights of a convolution layer of an ONNX model as a bank.

`python -m bankside.onnx MODEL.onnx BANK.npy [NODE]` writes them as an array that `bankside filter --bank` takes;
`taps` and `bank` give them in Python. The package `onnx` is needed, which reads the model: no code of it is run.
A layer's convolution is what other fields call correlation, as `filter` does; its stride, padding and bias are left
out, since a bank has a result at every pixel and adds nothing to it.

>>> import numpy, onnx
>>> from onnx import helper, numpy_helper
>>> weights = numpy_helper.from_array(numpy.array([[[[-1, 0, 1]]]], "f4"), "w")
>>> layer = helper.make_node("Conv", ["x", "w"], ["y"], name="edges")
>>> model = helper.make_model(helper.make_graph([layer], "g", [], [], [weights]))
>>> taps(model)[0].tolist()
[[[-1.0, 0.0, 1.0]]]
>>> bank(model, "edges").taps
[[[[-1.0, 0.0, 1.0]]]]
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import numpy
import onnx
from onnx import numpy_helper

import bankside

__all__ = ["bank", "taps"]

Model = Any  # onnx.ModelProto, or a path
_DecodeError: type[Exception] = importlib.import_module("google.protobuf.message").DecodeError  # which has no types


def taps(model: Model, node: str | None = None) -> Any:
    """The weights of a Conv node, zeros between them where it is dilated.

    Shapes: float32 [filters, channels, rows, columns].
    Errors: ValueError for a model without that node, several where none is named, groups, other than two dimensions,
    or weights that do not lie in the model.
    """
    if isinstance(model, (str, os.PathLike)):
        try:
            model = onnx.load(os.fspath(model), load_external_data=False)
        except _DecodeError:
            raise ValueError("is no ONNX model") from None
    layer = _layer(model.graph, node)
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in layer.attribute}
    name = layer.name or layer.output[0]
    if attributes.get("group", 1) != 1:
        raise ValueError(f"{name} has {attributes['group']} groups; the filters of a bank see all channels")
    weights = _constant(model.graph, layer.input[1], name)
    if weights.ndim != 4:
        raise ValueError(f"{name} has weights of shape {list(weights.shape)}, expected [filters, channels, rows, columns]")
    down, right = attributes.get("dilations", [1, 1])
    filters, channels, rows, columns = weights.shape
    spread = numpy.zeros((filters, channels, (rows - 1) * down + 1, (columns - 1) * right + 1), "f4")
    spread[:, :, ::down, ::right] = weights
    return spread


def bank(model: Model, node: str | None = None) -> bankside.Bank:
    """The same as a bank; its anchors are the middle taps.

    Errors: ValueError as `taps`.
    """
    return bankside.Bank(taps(model, node))


def _layer(graph: Any, wanted: str | None) -> Any:
    layers = [n for n in graph.node if n.op_type == "Conv"]
    found = [n for n in layers if wanted in (None, n.name, n.output[0], n.input[1])]
    names = ", ".join(n.name or n.output[0] for n in layers)
    if not layers:
        raise ValueError("the model has no Conv node")
    if not found:
        raise ValueError(f"the model has no Conv node {wanted!r}; there are {names}")
    if len(found) > 1:
        raise ValueError(f"the model has several Conv nodes; name one of {names}")
    return found[0]


def _constant(graph: Any, name: str, layer: str) -> Any:
    """Of that name, as the weights of a model's training or as a node that gives nothing else."""
    tensors = [t for t in graph.initializer if t.name == name]
    for node in graph.node:
        if node.op_type == "Constant" and name in node.output:
            tensors += [a.t for a in node.attribute if a.name == "value"]
    if not tensors:
        raise ValueError(f"the weights {name!r} of {layer} are computed by the model, and are no constant")
    if tensors[0].data_location == onnx.TensorProto.EXTERNAL:
        raise ValueError(f"the weights {name!r} of {layer} lie in another file")
    return numpy_helper.to_array(tensors[0])


def main(arguments: list[str]) -> int:
    if len(arguments) not in (2, 3):
        print("usage: python -m bankside.onnx MODEL.onnx BANK.npy [NODE]", file=sys.stderr)
        return 2
    try:
        array = taps(arguments[0], arguments[2] if len(arguments) > 2 else None)
        with open(arguments[1], "xb") as file:
            numpy.save(file, array, allow_pickle=False)
    except (OSError, ValueError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    print(f"{arguments[1]}: {array.shape[0]} filters over {array.shape[1]} channels, {array.shape[3]} x {array.shape[2]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
