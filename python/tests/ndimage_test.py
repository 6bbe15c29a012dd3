"""bankside.ndimage beside scipy.ndimage; skipped where NumPy or SciPy is missing."""

import doctest
import importlib.util
import inspect
import itertools
import unittest


def has(module):
    return importlib.util.find_spec(module) is not None


@unittest.skipUnless(has("numpy") and has("scipy"), "NumPy or SciPy is not installed")
class BesideSciPy(unittest.TestCase):
    def setUp(self):
        import bankside._elsewhere
        import bankside.ndimage
        import numpy
        import scipy.ndimage
        from bankside._ndimage import BORDERS

        self.borders = list(BORDERS)
        self.np, self.ours, self.theirs = numpy, bankside.ndimage, scipy.ndimage
        self.random = numpy.random.default_rng(5)
        self.handed_on = []
        function_of = bankside._elsewhere.function_of

        def noted(module, library, name):
            self.handed_on.append(name)
            return function_of(module, library, name)

        bankside._elsewhere.function_of = noted
        self.addCleanup(setattr, bankside._elsewhere, "function_of", function_of)

    def expect_same(self, name, *given, handed_on=False, **options):
        self.handed_on.clear()
        got = getattr(self.ours, name)(*given, **options)
        expected = getattr(self.theirs, name)(*given, **options)
        self.assertEqual(bool(self.handed_on), handed_on, (name, options))
        self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape))
        largest = max(1e-6, float(abs(expected).max()))
        self.assertLess(float(abs(got.astype("float64") - expected).max()), 1e-5 * largest, (name, options))

    def test_doctests_hold(self):
        self.assertEqual(doctest.testmod(self.ours).failed, 0)

    def test_signatures_are_scipys(self):
        for name in self.ours.__all__:
            def words(function):
                return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]

            self.assertEqual(words(getattr(self.ours, name)), words(getattr(self.theirs, name)), name)

    def test_every_border_size_and_origin(self):
        image = self.random.random((7, 9)).astype("float32")
        for mode, rows, columns in itertools.product(self.borders, (1, 2, 3, 4, 7), (1, 2, 5)):
            weights = self.random.random((rows, columns)) - 0.3
            origins = [(-(rows // 2), 0), (0, (columns - 1) // 2), 0]
            for name, origin in itertools.product(("correlate", "convolve"), origins):
                if name == "convolve":
                    origin = tuple(-o for o in origin) if isinstance(origin, tuple) else origin
                    # The middle of even sizes moves by one.
                    if isinstance(origin, tuple):
                        origin = tuple(o - (s % 2 == 0 and o > 0) for o, s in zip(origin, (rows, columns)))
                self.expect_same(name, image, weights, mode=mode, cval=0.5, origin=origin)

    def test_one_axis(self):
        for shape in ((11,), (6, 8)):
            image = self.random.random(shape).astype("float32")
            for mode, size, axis in itertools.product(self.borders, (1, 2, 3, 6), range(-len(shape), len(shape))):
                weights = self.random.random(size)
                self.expect_same("correlate1d", image, weights, axis=axis, mode=mode, cval=2)
                self.expect_same("convolve1d", image, weights, axis=axis, mode=mode, cval=2)

    def test_smoothing(self):
        image = self.random.random((20, 31)).astype("float32")
        for mode in self.borders:
            self.expect_same("gaussian_filter", image, 1.5, mode=mode, cval=0.25)
        self.expect_same("gaussian_filter", image, (0, 2.0))
        self.expect_same("gaussian_filter", image, (3, 0.5), truncate=3.0)
        self.expect_same("gaussian_filter", image, 2, radius=3)
        self.expect_same("gaussian_filter", image[0], 2)
        self.expect_same("gaussian_filter1d", image, 2.5, axis=0)

    def test_outputs(self):
        image = self.random.integers(0, 255, (9, 12), "uint8")
        weights = [[1, 2, 1], [0, 0, 0], [-1, -2, -1]]
        self.expect_same("correlate", image, weights, output="float32")
        self.expect_same("convolve", image.astype("uint16"), weights, output=self.np.float32)
        out = self.np.zeros((12, 9), "float32").T
        self.assertIs(self.ours.correlate(image, weights, out), out)
        self.assertTrue((out == self.theirs.correlate(image, weights, "float32")).all())

    def test_what_is_scipys(self):
        image = self.random.random((9, 12)).astype("float32")
        box = self.np.ones((3, 3))
        same = self.np.array(image)
        for given, options in [
            ((image.astype("float64"), box), {}),
            ((self.random.integers(0, 255, (9, 12), "uint8"), box), {}),
            ((self.random.random((4, 5, 6)).astype("float32"), self.np.ones((2, 2, 2))), {}),
            ((image, self.np.ones((3, 129))), {}),
            ((image, box * 1j), {}),
            ((image, box), {"output": "float64"}),
            ((image, self.np.ones(3)), {"axes": (1,)}),
            ((same, box, same), {}),
        ]:
            same[...] = image
            self.handed_on.clear()
            got = self.ours.correlate(*given, **options).copy()
            same[...] = image
            self.assertTrue((got == self.theirs.correlate(*given, **options)).all())
            self.assertEqual(self.handed_on, ["correlate"])
        self.expect_same("gaussian_filter", image, 20, handed_on=True)
        self.expect_same("gaussian_filter", image, 2, order=1, handed_on=True)

    def test_errors_are_scipys(self):
        image = self.np.zeros((5, 5), "float32")
        for name, given, options in [
            ("correlate", (image, [[1]]), {"mode": "mirrored"}),
            ("correlate", (image, [[1]]), {"origin": 1}),
            ("correlate", (image, [[1]]), {"mode": ["reflect", "wrap"]}),
            ("convolve", (image, [1, 2]), {}),
            ("correlate1d", (image, [1]), {"axis": 2}),
            ("correlate1d", (image, []), {}),
            ("gaussian_filter", (image, 2), {"radius": -1}),
        ]:
            with self.assertRaises(Exception) as theirs:
                getattr(self.theirs, name)(*given, **options)
            with self.assertRaises(type(theirs.exception)) as ours:
                getattr(self.ours, name)(*given, **options)
            self.assertEqual(str(ours.exception), str(theirs.exception))


if __name__ == "__main__":
    unittest.main(verbosity=1)
