"""Weights of models as banks."""

import doctest
import os
import sys
import tempfile
import unittest

try:
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

import bankside.onnx

RANDOM = numpy.random.default_rng(3)
WEIGHTS = RANDOM.standard_normal((4, 3, 5, 2)).astype("f4")


def model(nodes, tensors):
    return helper.make_model(helper.make_graph(nodes, "g", [], [], tensors))


def conv(name="layer", weights="w", **attributes):
    return helper.make_node("Conv", ["x", weights], [name + "-out"], name=name, **attributes)


class Onnx(unittest.TestCase):
    def refused(self, made, sentence, node=None):
        with self.assertRaisesRegex(ValueError, sentence):
            bankside.onnx.taps(made, node)

    def test_what_is_no_model_is_said_to_be_none(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "no.onnx")
            with open(path, "wb") as file:
                file.write(b"\xff" * 40)
            self.refused(path, "is no ONNX model")

    def test_weights_become_taps(self):
        made = model([conv()], [numpy_helper.from_array(WEIGHTS, "w")])
        numpy.testing.assert_array_equal(bankside.onnx.taps(made), WEIGHTS)
        bank = bankside.onnx.bank(made)
        numpy.testing.assert_array_equal(numpy.array(bank.taps, "f4"), WEIGHTS)

    def test_halves_constants_and_dilations(self):
        constant = helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(WEIGHTS.astype("f2"), "any"))
        made = model([constant, conv(weights="c", dilations=[2, 3])], [])
        taps = bankside.onnx.taps(made)
        self.assertEqual((taps.dtype, taps.shape), (numpy.float32, (4, 3, 9, 4)))
        numpy.testing.assert_array_equal(taps[:, :, ::2, ::3], WEIGHTS.astype("f2").astype("f4"))
        self.assertEqual(numpy.count_nonzero(taps), WEIGHTS.size)

    def test_a_node_is_named(self):
        made = model([conv("a"), conv("b", "v")],
                     [numpy_helper.from_array(WEIGHTS, "w"), numpy_helper.from_array(2 * WEIGHTS, "v")])
        numpy.testing.assert_array_equal(bankside.onnx.taps(made, "b"), 2 * WEIGHTS)
        numpy.testing.assert_array_equal(bankside.onnx.taps(made, "v"), 2 * WEIGHTS)
        self.refused(made, "several Conv nodes; name one of a, b")
        self.refused(made, "no Conv node 'c'; there are a, b", "c")

    def test_what_is_no_bank_is_refused(self):
        weights = numpy_helper.from_array(WEIGHTS, "w")
        self.refused(model([], []), "no Conv node")
        self.refused(model([conv(group=2)], [weights]), "2 groups")
        self.refused(model([conv()], []), "computed by the model")
        self.refused(model([conv()], [numpy_helper.from_array(WEIGHTS[0], "w")]), r"shape \[3, 5, 2\]")
        outside = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=WEIGHTS.shape,
                              data_location=TensorProto.EXTERNAL)
        self.refused(model([conv()], [outside]), "lie in another file")

    def test_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            source, result = os.path.join(folder, "m.onnx"), os.path.join(folder, "bank.npy")
            onnx.save(model([conv()], [numpy_helper.from_array(WEIGHTS, "w")]), source)
            self.assertEqual(bankside.onnx.main([source, result]), 0)
            numpy.testing.assert_array_equal(numpy.load(result), WEIGHTS)
            self.assertEqual(bankside.onnx.main([source, result]), 2, "it is not replaced")
            self.assertEqual(bankside.onnx.main([source]), 2)

    def test_documentation(self):
        self.assertEqual(doctest.testmod(bankside.onnx).failed, 0)


if __name__ == "__main__":
    unittest.main()
