"""The module as its users see it. Without pytest and without NumPy; what needs NumPy or mypy says so and is skipped."""

import ctypes
import doctest
import importlib.util
import os
import pathlib
import random
import site
import subprocess
import sys
import tempfile
import unittest
from array import array

import bankside


def has(module):
    return importlib.util.find_spec(module) is not None


def rows(width, height, code="B", value=lambda i: i % 251):
    return memoryview(array(code, [value(i) for i in range(width * height)])).cast("B").cast(code, (height, width))


def said_alone(line):
    """What a Python says that has imported nothing before, wherever the module is installed."""
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(bankside.__file__))}
    ran = subprocess.run([sys.executable, "-S", "-c", line], capture_output=True, text=True, env=environment, check=True)
    return ran.stdout


def listed(result):
    return memoryview(result).tolist()


class WithoutNumPy(unittest.TestCase):
    def test_doctests_hold(self):
        cases = doctest.DocTestFinder().find(bankside, extraglobs={"bankside": bankside})
        runner = doctest.DocTestRunner()
        for case in cases:
            if has("numpy") or "import numpy" not in case.docstring:
                runner.run(case)
        self.assertGreater(runner.tries, 10)
        self.assertEqual(runner.failures, 0)

    def test_every_public_name_has_a_docstring(self):
        for name in bankside.__all__:
            thing = getattr(bankside, name)
            self.assertTrue(thing.__doc__, name)
            for inner, value in vars(thing).items() if isinstance(thing, type) else ():
                if not inner.startswith("_") and (callable(value) or isinstance(value, property)):
                    self.assertTrue(value.__doc__, f"{name}.{inner}")

    def test_an_identity_gives_the_image(self):
        for code in "BHf":
            image = rows(7, 5, code)
            self.assertEqual(listed(bankside.filter(image, [[1]], combine="sum")), listed(image))

    def test_float64_is_rounded_once(self):
        fine = rows(7, 5, "d", lambda i: i / 7)
        rounded = rows(7, 5, "f", lambda i: i / 7)
        for image, single in ((fine, rounded), (fine[::-1], rounded[::-1])):
            for combine in ("none", "magnitude"):
                got = bankside.filter(image, "sobel", combine=combine)
                self.assertEqual(memoryview(got).format, "f")
                self.assertEqual(listed(got), listed(bankside.filter(single, "sobel", combine=combine)))
        plan = bankside.Plan("sobel", (5, 7), "float64", combine="sum")
        self.assertEqual(listed(plan(fine)), listed(plan(rounded)))
        infinite = bankside.filter(rows(1, 1, "d", lambda i: float("-inf")), [[1]])
        self.assertEqual(listed(infinite), [[[float("-inf")]]])

    def test_little_is_imported(self):
        line = "import os, sys; before = set(sys.modules); import bankside; print(*sorted(set(sys.modules) - before))"
        allowed = {"__future__", "atexit", "bankside", "bankside._core", "bankside._recipe"}
        self.assertLessEqual(set(said_alone(line).split()), allowed)

    def test_others_are_loaded_as_before(self):
        line = "import sys; flags = sys.getdlopenflags(); import bankside; print(flags == sys.getdlopenflags())"
        self.assertEqual(said_alone(line), "True\n")

    def test_buffers_without_strides(self):
        image = (ctypes.c_ubyte * 4 * 3)(*[(ctypes.c_ubyte * 4)(*range(4 * y, 4 * y + 4)) for y in range(3)])
        self.assertEqual(listed(bankside.filter(image, [[1]], combine="sum")), listed(rows(4, 3)))

    def test_correlation_and_convolution(self):
        image = rows(5, 1, "f", float)
        taps = [[1, 2, 4]]
        got = bankside.filter(image, bankside.Bank(taps), combine="sum", border="constant")
        self.assertEqual(listed(got), [[4, 10, 17, 24, 11]])
        turned = bankside.filter(
            image, bankside.Bank(taps, mode="convolution"), combine="sum", border="constant", border_value=1
        )
        self.assertEqual(listed(turned), [[5, 4, 11, 18, 21]])

    def test_anchors(self):
        image = rows(4, 1, "f", float)
        bank = bankside.Bank([[0, 0, 1]], anchor=(2, 0))
        self.assertEqual(listed(bankside.filter(image, bank, combine="sum")), listed(image))
        self.assertEqual(bank.anchors, [(2, 0)])

    def test_a_bank_from_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "taps.csv")
            with open(path, "w") as file:
                file.write("0,1,0\n1,-4,1\n0,1,0\n")
            self.assertEqual(bankside.Bank(path).taps, [[[[0, 1, 0], [1, -4, 1], [0, 1, 0]]]])
            flat = bankside.filter(rows(6, 6, value=lambda i: 7), path, combine="sum")
            self.assertEqual(listed(flat), [[0.0] * 6] * 6)

    def test_a_file_whose_name_is_no_utf_8(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(os.fsencode(folder), b"taps\xff.csv")
            with open(path, "w") as file:
                file.write("0,1,0\n")
            for name in (os.fsdecode(path), pathlib.Path(os.fsdecode(path))):
                self.assertEqual(bankside.Bank(name).taps, [[[[0, 1, 0]]]])
                self.assertEqual(listed(bankside.filter(rows(3, 1), name, combine="sum")), [[0, 1, 2]])

    def test_argmax_gives_a_pair(self):
        values, indices = bankside.filter(rows(3, 1, "f", lambda i: i - 1.0), [[[1]], [[2]]], combine="argmax")
        self.assertEqual(listed(values), [[-1, 0, 2]])
        self.assertEqual(listed(indices), [[0, 0, 1]])
        self.assertEqual(memoryview(indices).format, "H")

    def test_out_is_written_and_given_back(self):
        image = rows(6, 4)
        out = memoryview(array("f", [0.0] * 48)).cast("B").cast("f", (2, 4, 6))
        self.assertIs(bankside.filter(image, "sobel", out=out), out)
        self.assertEqual(listed(out), listed(bankside.filter(image, "sobel")))

    def test_integer_results_round_and_saturate(self):
        got = bankside.filter(rows(3, 1, "B", lambda i: [1, 3, 200][i]), [[1.5]], combine="sum", result="uint8")
        self.assertEqual(listed(got), [[2, 4, 255]])

    def test_results_outlive_their_plan(self):
        plan = bankside.Plan([[2]], (1, 4), "uint8", combine="sum")
        got = plan(rows(4, 1))
        del plan
        self.assertEqual(listed(got), [[0, 2, 4, 6]])

    def test_whatever_comes_is_a_result_or_a_sentence(self):
        pick = random.Random(11).choice
        held = [0, 0]
        for _ in range(10_000):
            height, width = pick([1, 2, 5, 9]), pick([1, 3, 8, 17])
            image = pick([rows(width, height), rows(width, height, "f", float), rows(width, height, "H"), b"12", None, 3])
            if isinstance(image, memoryview) and pick([True, False, False]):
                image = image.cast("B")[:: pick([1, 2, -1, 3])]
            bank = pick(["sobel", "box", "roberts", "log", "nothing", "", [[1]], [[[1]], [[2]]], [[float("nan")]], 7, []])
            options = {}
            if pick([True, False]):
                options["combine"] = pick(["none", "max", "argmax", "sum", "magnitude", "", "MAX", 3])
            if pick([True, False]):
                options["border"] = pick(["reflect101", "constant", "replicate", "reflect", "wrap", "x"])
            if pick([True, False, False]):
                options["result"] = pick(["float32", "uint8", "float16", "uint16", "int8"])
            if pick([True, False, False, False]):
                options["out"] = pick([image, rows(width, height, "f", float), 0, (1, 2)])
            if pick([True, False, False, False]):
                options["channel_axis"] = pick([0, -1, 5, 2**40])
            if pick([True, False, False, False]):
                options["threads"] = pick([0, 1, 2, -1, 2**31, 1.5])
            try:
                bankside.filter(image, bank, **options)
                held[0] += 1
            except (ValueError, TypeError, NotImplementedError) as error:
                self.assertNotIn("\n", str(error))
                held[1] += 1
        self.assertGreater(min(held), 500, held)

    @unittest.skipUnless(has("mypy") and has("numpy"), "mypy or NumPy is not installed")
    def test_types_are_strict(self):
        """Of the modules whose libraries are there."""
        folder = os.path.dirname(bankside.__file__)
        packages = os.path.dirname(folder)
        names = sorted(name[:-3] for name in os.listdir(folder) if name.endswith(".py"))
        modules = ["bankside" if name == "__init__" else f"bankside.{name}" for name in names
                   if name not in ("onnx", "torch") or has(name)]
        # mypy finds what is installed by itself, and refuses to be told where.
        told = {} if packages in site.getsitepackages() else {"MYPYPATH": packages}
        ran = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", os.devnull,
             *[word for module in modules for word in ("-m", module)]],
            cwd=os.path.dirname(__file__), env={**os.environ, **told}, capture_output=True, text=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


@unittest.skipUnless(has("numpy"), "NumPy is not installed")
class WithNumPy(unittest.TestCase):
    def setUp(self):
        import numpy

        self.np = numpy
        self.random = numpy.random.default_rng(3)

    def test_arrays_in_arrays_out(self):
        for dtype in ("uint8", "uint16", "float16", "float32"):
            image = (self.random.random((9, 14)) * 200).astype(dtype)
            got = bankside.filter(image, "sobel")
            self.assertIsInstance(got, self.np.ndarray)
            self.assertEqual((got.dtype, got.shape), (self.np.float32, (2, 9, 14)))
            self.assertTrue(got.flags.writeable and got.flags.c_contiguous)

    def test_arrays_made_from_numpys(self):
        class Named(self.np.ndarray):
            pass

        image = self.np.ones((4, 5), "uint8").view(Named)
        self.assertIsInstance(bankside.filter(image, "sobel"), self.np.ndarray)

    def test_any_strides(self):
        whole = self.random.random((12, 30, 3)).astype("float32")
        for image in (whole[:, :, 1], whole[::-1, ::2, 0], whole[..., 2].T, self.np.broadcast_to(whole[:1, :, 0], (5, 30))):
            dense = self.np.ascontiguousarray(image)
            same = bankside.filter(image, "sobel") == bankside.filter(dense, "sobel")
            self.assertTrue(same.all())

    def test_channels_where_they_are(self):
        image = self.random.integers(0, 255, (3, 10, 11), "uint8")
        first = bankside.filter(image, "sobel", combine="magnitude")
        last = bankside.filter(self.np.ascontiguousarray(image.transpose(1, 2, 0)), "sobel", combine="magnitude", channel_axis=-1)
        middle = bankside.filter(self.np.ascontiguousarray(image.transpose(1, 0, 2)), "sobel", combine="magnitude", channel_axis=1)
        self.assertEqual(first.shape, (3, 10, 11))
        self.assertTrue((first == last).all() and (first == middle).all())
        self.assertEqual(bankside.filter(image, "sobel").shape, (3, 2, 10, 11))
        summed = bankside.filter(image, self.np.ones((2, 3, 1, 1), "float32"))
        self.assertTrue((summed == image.sum(0, dtype="float32")).all())
        self.assertEqual(summed.shape, (2, 10, 11))

    def test_out_with_strides(self):
        image = self.random.integers(0, 255, (10, 11, 3), "uint8")
        out = self.np.zeros((10, 11, 3), "float32")
        bankside.filter(image, "sobel", combine="magnitude", channel_axis=-1, out=out.transpose(2, 0, 1))
        expected = bankside.filter(image, "sobel", combine="magnitude", channel_axis=-1)
        self.assertTrue((out.transpose(2, 0, 1) == expected).all())
        with self.assertRaisesRegex(ValueError, "share a place"):
            spread = self.np.lib.stride_tricks.as_strided(out, (10, 11), (0, 4))
            bankside.filter(image[..., 0], [[1]], combine="sum", out=spread)
        with self.assertRaisesRegex(TypeError, "can be written"):
            out.flags.writeable = False
            bankside.filter(image[..., 0], [[1]], combine="sum", out=out[..., 0])

    def test_compare_judges_and_times(self):
        image = self.random.random((40, 51)).astype("float32")
        for border in ("reflect101", "constant", "replicate", "reflect", "wrap"):
            for bank in ("sobel", bankside.Bank(self.random.random((2, 4, 7)), mode="convolution", anchor=(0, 3))):
                rows = bankside.compare(image, bank, border=border, threads=1, seconds=0)
                self.assertEqual(len(rows), 6)
                self.assertGreaterEqual(len([row for row in rows if row.right and row.seconds > 0]), 4)
                for row in rows:
                    self.assertTrue(row.right or row.reason, row)
        wrong = bankside.compare(image, "box:size=9", engines=["cpu:direct"], seconds=0)[0]._replace(error=1.0)
        self.assertFalse(wrong.right)
        with self.assertRaisesRegex(ValueError, "3 axes"):
            bankside.compare(image[None], "sobel")
        with self.assertRaisesRegex(ValueError, "no engine"):
            bankside.compare(image, "sobel", engines=["warp"])

    def test_dlpack_both_ways(self):
        class Foreign:
            """An array of somebody's library that knows DLPack alone."""

            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        image = self.random.random((6, 7)).astype("float32")
        got = bankside.filter(Foreign(image), "sobel")
        self.assertTrue((self.np.from_dlpack(got) == bankside.filter(image, "sobel")).all())

    @unittest.skipUnless(has("scipy"), "SciPy is not installed")
    def test_agrees_with_scipy(self):
        from scipy import ndimage

        names = {"reflect": "reflect", "reflect101": "mirror", "replicate": "nearest", "constant": "constant", "wrap": "wrap"}
        image = self.random.random((23, 31)).astype("float32")
        taps = self.random.random((5, 3)).astype("float32") - 0.5
        for ours, theirs in names.items():
            for mode, function in (("correlation", ndimage.correlate), ("convolution", ndimage.convolve)):
                got = bankside.filter(image, bankside.Bank(taps, mode=mode), border=ours, combine="sum")
                expected = function(image.astype("float64"), taps.astype("float64"), mode=theirs)
                self.assertLess(abs(got - expected).max(), 1e-5, (ours, mode))


if __name__ == "__main__":
    unittest.main(verbosity=1)
