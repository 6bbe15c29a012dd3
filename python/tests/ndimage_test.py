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

    def test_lists_have_one_an_axis(self):
        """A mode, sigma, order, size or origin an axis, as a list, a tuple or an array, and arrays without axes."""
        pick, whole = self.random.choice, self.random.integers

        def given(axes, values):
            listed = [v.item() for v in pick(values, axes)]
            return [listed, tuple(listed), self.np.array(listed), self.np.array(listed[0]), listed[0]][whole(5)]

        for _ in range(400):
            shape = tuple(whole(1, 9, whole(1, 3)).tolist())
            image = self.random.random(shape).astype("float32")
            options = {"mode": given(len(shape), self.borders), "cval": pick([0.0, 0.5])}
            name = pick(["gaussian_laplace", "gaussian_filter", "uniform_filter", "laplace", "sobel", "prewitt"])
            if name.startswith("gaussian"):
                options["sigma"] = given(len(shape), [0.8, 1.5, 2.0])
            if name == "gaussian_filter":
                options["order"] = given(len(shape), [0, 1, 2])
            if name == "uniform_filter":
                options["size"] = given(len(shape), [2, 3, 4])
                options["origin"] = given(len(shape), [-1, 0])
            got, expected = (getattr(module, name)(image, **options) for module in (self.ours, self.theirs))
            self.assertLess(abs(got - expected).max(), 1e-5, (name, shape, options))

    def test_outputs(self):
        image = self.random.integers(0, 255, (9, 12), "uint8")
        weights = [[1, 2, 1], [0, 0, 0], [-1, -2, -1]]
        self.expect_same("correlate", image, weights, output="float32")
        self.expect_same("convolve", image.astype("uint16"), weights, output=self.np.float32)
        out = self.np.zeros((12, 9), "float32").T
        self.assertIs(self.ours.correlate(image, weights, out), out)
        self.assertTrue((out == self.theirs.correlate(image, weights, "float32")).all())

    def test_in_place_is_a_copy_first(self):
        image = self.random.random((9, 12)).astype("float32")
        for call in (lambda m, i, o: m.correlate(i, [[1, 2], [3, 4]], o), lambda m, i, o: m.gaussian_laplace(i, 1, o),
                     lambda m, i, o: m.sobel(i, 0, o), lambda m, i, o: m.uniform_filter(i, 3, o)):
            expected = call(self.ours, image, None)
            place = image.copy()
            self.assertIs(call(self.ours, place, place), place)
            self.assertTrue((place == expected).all())

    def test_what_is_made_of_sums(self):
        for shape in ((15,), (9, 12), (5, 6, 7)):
            image = self.random.random(shape).astype("float32")
            flat = len(shape) < 3  # a sum over three axes is SciPy's
            for mode in self.borders:
                for sigma, order in ((1.5, 0), (1.2, 1), (2, 2), (1.1, 3)):
                    self.expect_same("gaussian_filter1d", image, sigma, axis=0, order=order, mode=mode, cval=0.5)
                    self.expect_same("gaussian_filter", image, sigma, order=order, mode=mode, cval=0.5)
                self.expect_same("gaussian_laplace", image, 1.3, mode=mode)
                self.expect_same("laplace", image, mode=mode, cval=0.5, handed_on=not flat)
                for axis in range(len(shape)):
                    for name in ("sobel", "prewitt"):
                        self.expect_same(name, image, axis, mode=mode, handed_on=not flat)
                if len(shape) > 1:
                    self.expect_same("uniform_filter", image, 4, mode=mode, cval=0.5, origin=1)
        self.expect_same("sobel", image[0], mode="constant", cval=0.5, handed_on=True)
        self.expect_same("gaussian_filter", image, 1.0, mode=["wrap", "nearest", "reflect"], axes=(0, 1, 2))
        self.expect_same("correlate", image, self.np.ones((1, 3)), axes=(1, 2))
        for axis in range(3):
            self.expect_same("correlate1d", self.random.random((7, 6, 3)).astype("float32"), [1, 2, 4], axis=axis)

    def test_integers_are_scipys_to_the_bit(self):
        """Where sums are integers that float32 holds: cut off, wrapped around, of any real type."""
        kinds = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "int64", "float32", "float64")
        for kind, result, _ in itertools.product(kinds, (None, *kinds), range(3)):
            low, high = (0, 100) if kind.startswith("u") else (-100, 100)
            image = self.random.integers(low, high, (9, 12)).astype(kind)
            weights = self.random.integers(-5, 6, (3, 4))
            mode = self.borders[self.random.integers(len(self.borders))]
            for name, given in (("correlate", (weights,)), ("convolve", (weights,)), ("correlate1d", (weights[0],)),
                                ("laplace", ()), ("sobel", ()), ("prewitt", (0,)), ("uniform_filter1d", (3,)),
                                ("uniform_filter", (4,))):
                self.handed_on.clear()
                got = getattr(self.ours, name)(image, *given, output=result, mode=mode)
                expected = getattr(self.theirs, name)(image, *given, output=result, mode=mode)
                self.assertEqual(got.dtype, expected.dtype)
                rounded = got.dtype == self.np.float32 and name == "uniform_filter"
                same = self.np.allclose(got, expected, rtol=1e-6) if rounded else (got == expected).all()
                self.assertTrue(same, (name, kind, result, mode))
                if name == "correlate":
                    self.assertEqual(self.handed_on, [])

    def test_what_is_scipys(self):
        image = self.random.random((9, 12)).astype("float32")
        box = self.np.ones((3, 3))
        for given, options in [
            ((image.astype("float64"), box), {}),
            ((self.random.integers(0, 255, (9, 12), "uint8"), box / 9), {}),  # sums that are no integers
            ((self.random.integers(2**23, 2**24, (9, 12), "int32"), box), {}),  # nor float32s
            ((self.random.random((4, 5, 6)).astype("float32"), self.np.ones((2, 2, 2))), {}),
            ((image, self.np.ones((3, 129))), {}),
            ((image, box * 1j), {}),
            ((image, box), {"output": "float64"}),
        ]:
            self.handed_on.clear()
            got = self.ours.correlate(*given, **options)
            self.assertTrue((got == self.theirs.correlate(*given, **options)).all())
            self.assertEqual(self.handed_on, ["correlate"])
        self.expect_same("gaussian_filter", image, 20, handed_on=True)
        self.expect_same("gaussian_filter", image.astype("float64"), 2, handed_on=True)
        self.expect_same("uniform_filter1d", image[0], 3, handed_on=True)

    def test_a_bright_pixel_touches_what_its_window_sees_alone(self):
        image = self.random.normal(size=(200, 300)).astype("float32")
        image[20, 20] = 1e6
        weights = self.random.normal(size=(15, 15)).astype("float32")
        exact = self.theirs.correlate(image.astype("float64"), weights.astype("float64"))
        self.assertLess(abs(self.ours.correlate(image, weights) - exact)[:, 60:].max(), 1e-3)

    def test_what_is_not_finite_changes_its_window_alone(self):
        """Which is less than SciPy's running sums and passes change: docs/python.md says so."""
        for value in (self.np.nan, self.np.inf):
            image = self.random.random((12, 12)).astype("float32")
            image[5, 5] = value
            for name, given, taps in (
                ("uniform_filter", (3,), self.np.ones((3, 3))), ("laplace", (), [[0, 1, 0], [1, 1, 1], [0, 1, 0]]),
                ("sobel", (0,), [[1, 1, 1], [0, 0, 0], [1, 1, 1]]), ("prewitt", (), [[1, 0, 1], [1, 0, 1], [1, 0, 1]]),
                ("correlate1d", ([1, 0, -1],), [[1, 0, 1]]), ("correlate", ([[1, 0], [0, 2]],), [[1, 0, 0], [0, 2, 0], [0, 0, 0]]),
            ):
                seen = self.theirs.correlate(~self.np.isfinite(image), taps, int, "constant")
                got, expected = getattr(self.ours, name)(image, *given), getattr(self.theirs, name)(image, *given)
                self.assertTrue((self.np.isfinite(got) == (seen == 0)).all(), name)
                if value == self.np.inf:
                    self.assertFalse(self.np.isnan(got).any(), name)
                self.assertGreaterEqual((~self.np.isfinite(expected)).sum(), (~self.np.isfinite(got)).sum(), name)

    def test_rounded_weights_keep_their_sum(self):
        from bankside._ndimage import _rounded, gaussian

        for sigma in (0.7, 1.3, 2.0, 5.0, 11.0):
            weights = gaussian(sigma, 0, int(4 * sigma + 0.5))
            plain = weights.astype("float32").astype("float64").sum()
            taps = _rounded(weights).astype("float64")
            self.assertLessEqual(abs(taps.sum() - 1), min(1e-10, abs(plain - 1)), sigma)
            self.assertLess(abs(taps - weights).max(), 1.2e-7 * weights.max(), sigma)

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
