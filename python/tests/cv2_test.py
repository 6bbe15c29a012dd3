"""bankside.cv2 beside cv2; skipped where NumPy or OpenCV is missing."""

import collections
import doctest
import importlib.util
import itertools
import random
import re
import unittest


def has(module):
    return importlib.util.find_spec(module) is not None


@unittest.skipUnless(has("numpy") and has("cv2"), "NumPy or OpenCV is not installed")
class BesideOpenCv(unittest.TestCase):
    def setUp(self):
        import bankside._elsewhere
        import bankside.cv2
        import cv2
        import numpy

        self.np, self.ours, self.theirs = numpy, bankside.cv2, cv2
        self.random = numpy.random.default_rng(5)
        self.handed_on = []
        function_of = bankside._elsewhere.function_of

        def noted(module, library, name):
            self.handed_on.append(name)
            return function_of(module, library, name)

        bankside._elsewhere.function_of = noted
        self.addCleanup(setattr, bankside._elsewhere, "function_of", function_of)

    def image(self, kind, shape=(41, 57)):
        if kind == "float32":
            return self.random.random(shape).astype(kind)
        return self.random.integers(0, self.np.iinfo(kind).max + 1, shape).astype(kind)

    def expect_same(self, name, image, *given, handed_on=False, **options):
        self.handed_on.clear()
        got = getattr(self.ours, name)(image, *given, **options)
        expected = getattr(self.theirs, name)(image, *given, **options)
        self.assertEqual(bool(self.handed_on), handed_on, (name, given, options))
        self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape), name)
        error = abs(got.astype("float64") - expected).max()
        largest = max(1.0, float(abs(expected.astype("float64")).max()))
        self.assertLessEqual(error, 1 if got.dtype.kind == "u" else 2e-6 * largest, (name, image.dtype, given, options))

    def test_doctests_hold(self):
        self.assertEqual(doctest.testmod(self.ours).failed, 0)

    def test_arguments_are_opencvs(self):
        for name in self.ours.__all__:
            theirs = re.match(rf"{name}\(([^)]*)\)", getattr(self.theirs, name).__doc__).group(1)
            names = [word.strip() for word in re.sub(r"[\[\]]", "", theirs).split(",")]
            function = getattr(self.ours, name).__wrapped__
            ours = list(function.__code__.co_varnames[: function.__code__.co_argcount])
            self.assertEqual(ours[: len(names)], names[: len(ours)], name)  # versions add arguments at the end

    def test_constants_are_opencvs(self):
        for name in dir(self.ours):
            if name.startswith(("CV_", "BORDER_")) or (name.startswith("ALGO_") and hasattr(self.theirs, name)):
                self.assertEqual(getattr(self.ours, name), getattr(self.theirs, name), name)

    def test_filter2d(self):
        kernel = self.random.random((5, 4)) - 0.5
        borders = (0, 1, 2, 4, 4 | 16)
        for kind, shape, border in itertools.product(
                ("uint8", "uint16", "float32"), ((41, 57), (41, 57, 3), (41, 57, 1)), borders):
            image = self.image(kind, shape)
            for depth in (-1, self.ours.CV_32F):
                self.expect_same("filter2D", image, depth, kernel, borderType=border)
        self.expect_same("filter2D", self.image("float32"), -1, kernel, anchor=(0, 4), delta=2.5)
        self.expect_same("filter2D", self.image("uint8")[::2, 3:40], self.ours.CV_32F, kernel)

    def test_a_bright_pixel_touches_what_its_window_sees_alone(self):
        image = self.random.random((200, 300)).astype("float32")
        image[20, 20] = 1e6
        kernel = self.random.random((15, 15)) - 0.5
        far = self.ours.filter2D(image, -1, kernel) - self.theirs.filter2D(image, -1, kernel)
        self.assertLess(abs(far[:, 60:]).max(), 1e-3)

    def test_the_others(self):
        f32 = self.ours.CV_32F
        for kind in ("uint8", "uint16", "float32"):
            image = self.image(kind)
            self.expect_same("sepFilter2D", image, f32, self.random.random(5), self.random.random((3, 1)))
            if kind != "uint16":
                for size, sigma in (((5, 5), 0), ((7, 3), 1.5), ((0, 0), 2.0), ((11, 11), 0)):
                    self.expect_same("GaussianBlur", image, size, sigma)
            for dx, dy, size in ((1, 0, 3), (0, 1, 3), (1, 1, 5), (2, 0, 7), (0, 2, 1), (1, 0, -1)):
                self.expect_same("Sobel", image, f32, dx, dy, ksize=size, scale=0.5)
            self.expect_same("Scharr", image, f32, 0, 1)
            for size in (1, 3, 5):
                self.expect_same("Laplacian", image, f32, ksize=size)
            self.expect_same("boxFilter", image, -1, (4, 3))
            self.expect_same("boxFilter", image, f32, (3, 5), normalize=False)
            self.expect_same("blur", image, (5, 5), borderType=self.ours.BORDER_REPLICATE)

    def test_whatever_is_asked_is_opencvs(self):
        """Random arguments, right and wrong: OpenCV's result, or OpenCV's error."""
        chance = random.Random(7)
        pick = chance.choice
        held = collections.Counter()
        for _ in range(2000):
            kind = pick(["uint8", "uint16", "float32", "int16", "float64"])
            shape = (chance.randint(1, 30), chance.randint(1, 40)) + pick([(), (), (2,), (3,), (4,)])
            image = self.random.integers(0, 256, shape).astype(kind)
            if chance.random() < 0.3:
                image = image[::-1, ::2] if chance.random() < 0.5 else image[1:, :]
            if image.size == 0:
                continue
            depth = pick([-1, -1, self.ours.CV_32F, self.ours.CV_32F, self.ours.CV_64F, self.ours.CV_16S, 99])
            border = pick([0, 1, 2, 4, 4, 4 | 16, 3])
            options = {"borderType": border} if chance.random() < 0.8 else {}
            odd, any_size = pick([1, 3, 5, 7, 9]), (chance.randint(1, 8), chance.randint(1, 8))
            name = pick(self.ours.__all__)
            if name == "filter2D":
                taps = self.random.random(any_size) - 0.5
                if chance.random() < 0.3:
                    options["anchor"] = (chance.randint(-1, any_size[1]), chance.randint(-1, any_size[0] - 1))
                if chance.random() < 0.2:
                    options["delta"] = pick([1.5, -20])
                given = (depth, taps)
            elif name == "sepFilter2D":
                given = (depth, self.random.random(any_size[0]) - 0.2, self.random.random((any_size[1], 1)))
            elif name == "GaussianBlur":
                # OpenCV rounds the weights of uint16 to fixed point.
                if kind == "uint16":
                    image = image.astype("float32")
                given = (pick([(odd, odd), (odd, 3), (0, 0), (4, 3)]), pick([0.8, 1.5, 2.0]))
            elif name == "Sobel":
                given = (depth, *pick([(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (0, 0)]))
                options.update(ksize=pick([1, 3, 5, 7, -1]), scale=pick([1, 0.5]))
            elif name == "Scharr":
                given = (depth, *pick([(1, 0), (0, 1), (1, 1)]))
            elif name == "Laplacian":
                given = (depth,)
                options["ksize"] = pick([1, 3, 5])
            elif name == "boxFilter":
                given = (depth, any_size)
                options["normalize"] = pick([True, False])
            else:
                given = (any_size,)
            what = (name, image.dtype, image.shape, given, options)
            self.handed_on.clear()
            try:
                expected = getattr(self.theirs, name)(image, *given, **options)
            except self.theirs.error:
                with self.assertRaises(self.theirs.error, msg=what):
                    getattr(self.ours, name)(image, *given, **options)
                held["refused"] += 1
                continue
            got = getattr(self.ours, name)(image, *given, **options)
            self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape), what)
            error = abs(got.astype("float64") - expected).max()
            largest = max(256.0, float(abs(expected.astype("float64")).max()))
            self.assertLessEqual(error, 1 if got.dtype.kind in "ui" else 2e-5 * largest, what)
            held["handed on" if self.handed_on else "computed here"] += 1
        self.assertGreater(min(held.values()), 100, held)

    def test_what_is_not_computed_here_is_handed_on(self):
        image = self.image("uint8")
        kernel = self.np.ones((3, 3))
        self.expect_same("filter2D", image, self.ours.CV_16S, kernel, handed_on=True)
        self.expect_same("filter2D", image, self.ours.CV_64F, kernel, handed_on=True)
        self.expect_same("filter2D", image, -1, kernel / 9, delta=3, handed_on=True)
        self.expect_same("Sobel", image, self.ours.CV_16S, 1, 0, handed_on=True)
        place = self.image("float32")
        expected = self.theirs.blur(place, (3, 3))
        self.ours.blur(place, (3, 3), dst=place)
        self.assertLess(abs(place - expected).max(), 1e-6)

    def test_weights_of_16_bits_are_not_rounded(self):
        image = self.image("uint16")
        exact = self.theirs.GaussianBlur(image.astype("float64"), (11, 11), 0)
        ours = self.ours.GaussianBlur(image, (11, 11), 0)
        self.assertEqual(ours.dtype, image.dtype)
        self.assertLessEqual(abs(ours - exact).max(), 0.51)

    def test_dst_is_written(self):
        image = self.image("float32", (30, 20, 3))
        dst = self.np.empty_like(image)
        self.assertIs(self.ours.GaussianBlur(image, (5, 5), 0, dst), dst)
        self.assertLess(abs(dst - self.theirs.GaussianBlur(image, (5, 5), 0)).max(), 1e-6)

    def test_one_channel_with_an_axis_of_its_own(self):
        image = self.image("uint8", (30, 20, 1))
        for name, given in (("filter2D", (-1, self.np.ones((3, 3)) / 9)), ("GaussianBlur", ((5, 5), 1.5)), ("blur", ((3, 3),)),
                            ("boxFilter", (-1, (3, 3))), ("sepFilter2D", (-1, self.np.ones(3) / 3, self.np.ones(3) / 3))):
            self.expect_same(name, image, *given)
            for source, shape in ((image, (30, 20)), (image, (30, 20, 1)), (image[..., 0], (30, 20, 1))):
                dst = self.np.zeros(shape, "uint8")
                self.assertIs(getattr(self.ours, name)(source, *given, dst=dst), dst)
                theirs = getattr(self.theirs, name)(source, *given)
                self.assertLessEqual(abs(dst.reshape(30, 20).astype(int) - theirs).max(), 1)

    def test_a_kernel_of_one_axis_is_read_as_opencv_reads_it(self):
        for kernel in (self.np.ones(3) / 3, self.np.array([1.0])):
            self.expect_same("filter2D", self.image("uint8"), -1, kernel, handed_on=True)

    def test_a_hint_of_opencv_5(self):
        image = self.image("uint8")
        expected = self.ours.GaussianBlur(image, (5, 5), 1.5)
        self.assertTrue((self.ours.GaussianBlur(image, (5, 5), 1.5, hint=self.ours.ALGO_HINT_ACCURATE) == expected).all())

    def test_a_wrong_argument_is_opencvs_error(self):
        image, taps = self.image("uint8"), self.np.ones((3, 3))
        for name, given, options in [
            ("GaussianBlur", ((4, 4), 1), {}),
            ("GaussianBlur", (3, 1.5), {}),
            ("GaussianBlur", ((3, 3), "1"), {}),
            ("GaussianBlur", ((0, 0), float("nan")), {}),
            ("GaussianBlur", ((5, 5), 1), {"hint": "fast"}),
            ("blur", ((3,),), {}),
            ("blur", ((3, 3, 3),), {}),
            ("blur", (3,), {}),
            ("blur", ((3.0, 3),), {}),
            ("blur", ((3, 3),), {"borderType": "a"}),
            ("boxFilter", (-1, None), {}),
            ("filter2D", ("a", taps), {}),
            ("filter2D", (-1.0, taps), {}),
            ("filter2D", (-1, taps), {"anchor": 1}),
            ("filter2D", (-1, taps), {"anchor": (1,)}),
            ("filter2D", (-1, taps), {"delta": "a"}),
            ("Sobel", (5, 1.0, 0), {}),
            ("Sobel", (5, 1, 0), {"ksize": 3.0}),
            ("Sobel", (5, 1, 0), {"scale": "a"}),
            ("Scharr", (5, [1], 0), {}),
            ("Laplacian", (5,), {"ksize": None, "scale": []}),
        ]:
            with self.subTest(name=name, given=given, options=options), self.assertRaises(self.theirs.error):
                getattr(self.ours, name)(image, *given, **options)


if __name__ == "__main__":
    unittest.main()
