"""What is wrong is an exception of the right type with one sentence."""

import ctypes
import unittest

import bankside
from module_test import has, listed, rows


class OneSentence(unittest.TestCase):
    def test_sentences(self):
        image = rows(4, 4)
        strided = (ctypes.c_float * 16)()
        endless = []
        endless.append(endless)
        for kind, part, call in [
            (ValueError, 'there is no filter bank "sobell"', lambda: bankside.filter(image, "sobell")),
            (OSError, "/nowhere/bank.json", lambda: bankside.Bank("/nowhere/bank.json")),
            (ValueError, 'there is no border "mirror"', lambda: bankside.filter(image, "sobel", border="mirror")),
            (ValueError, "the constant border alone", lambda: bankside.filter(image, "sobel", border_value=1)),
            (ValueError, "no engine", lambda: bankside.filter(image, "sobel", engine="warp")),
            (ValueError, "taps have 1 axes, expected", lambda: bankside.Bank([1, 2])),
            (ValueError, "differ in length", lambda: bankside.Bank([[1, 2], [3]])),
            (ValueError, "at least one tap", lambda: bankside.Bank([[]])),
            (TypeError, "not from a NoneType", lambda: bankside.Bank(None)),
            (TypeError, "is a list", lambda: bankside.filter([[1]], "sobel")),
            (TypeError, "is a NoneType", lambda: bankside.filter(None, "sobel")),
            (ValueError, "beyond the range of float32", lambda: bankside.filter(rows(2, 2, "d", lambda i: 1e39), "sobel")),
            (TypeError, "out holds float64", lambda: bankside.filter(image, [[1]], out=rows(4, 3, "d"), combine="sum")),
            (TypeError, "holds int16", lambda: bankside.filter(rows(2, 2, "h"), "sobel")),
            (ValueError, "has 1 axes", lambda: bankside.filter(strided, "sobel")),
            (TypeError, "can be written", lambda: bankside.filter(image, [[1]], out=b"x", combine="sum")),
            (ValueError, "no array of shape [4,4]", lambda: bankside.filter(image, [[1]], out=rows(4, 3, "f"), combine="sum")),
            (ValueError, "overlap in memory", lambda: bankside.filter(image, [[1]], out=image, combine="sum", result="uint8")),
            (ValueError, "where the plan expects", lambda: bankside.Plan("sobel", (4, 5), "uint8")(image)),
            (TypeError, "the image holds uint8, where the plan expects float32",
             lambda: bankside.Plan("sobel", (4, 4), "float32")(image)),
            (TypeError, "the image holds float64, where the plan expects uint8",
             lambda: bankside.Plan("sobel", (4, 4), "uint8")(rows(4, 4, "d"))),
            (TypeError, "out holds uint16, where the plan expects float32",
             lambda: bankside.filter(image, [[1]], out=rows(4, 4, "H"), combine="sum")),
            (TypeError, "out's indices holds float32, where the plan expects uint16",
             lambda: bankside.filter(image, "sobel", out=(rows(4, 4, "f"), rows(4, 4, "f")), combine="argmax")),
            (TypeError, "the field of view holds float32", lambda: bankside.Recipe("laws")(image, field=rows(4, 4, "f"))),
            (ValueError, "channel_axis is 77, expected -3 to 2", lambda: bankside.filter(image, "sobel", channel_axis=77)),
            (ValueError, "channel_axis is 77", lambda: bankside.Plan("sobel", (4, 4), "uint8", channel_axis=77)),
            (ValueError, "out of range", lambda: bankside.Recipe("laws")(image, channel_axis=2**31)),
            (TypeError, "NoneType", lambda: bankside.Recipe("laws", threads=None)),
            (ValueError, "out of range", lambda: bankside.Recipe("laws", memory=2**63)),
            (ValueError, "null byte", lambda: bankside.Bank("sobel\0x")),
            (ValueError, "null byte", lambda: bankside.Recipe("laws\0x")),
            (ValueError, "engine is 'auto\\x00x', which is no word", lambda: bankside.filter(image, "sobel", engine="auto\0x")),
            (ValueError, "border is '\\udcff', which is no word", lambda: bankside.filter(image, "sobel", border="\udcff")),
            (ValueError, "more than 4 axes", lambda: bankside.Bank([endless])),
            (OSError, "/nowhere/\\xff.npy", lambda: bankside.Bank("/nowhere/\udcff.npy")),
            (ValueError, "-3 to 2", lambda: bankside.Plan("sobel", (3, 4, 5), "uint8", channel_axis=3)),
            (ValueError, "0 rows", lambda: bankside.Plan("sobel", (0, 5), "uint8")),
        ]:
            with self.assertRaises(kind) as raised:
                call()
            sentence = str(raised.exception)
            self.assertIn(part, sentence)
            self.assertNotIn("\n", sentence)

    def test_an_image_that_looks_like_colours_is_asked_about(self):
        for shape, said in [
            ((6, 5, 3), "[6,5,3] looks like [H,W,C]: say channel_axis=-1 if its channels come last, or channel_axis=0 for "
                        "6 channels of 5 x 3 pixels"),
            ((5, 6, 4), "[5,6,4] looks"), ((3, 3, 2), "[3,3,2] looks"), ((2, 2, 1), "[2,2,1] looks"),
            ((3, 5, 3), None), ((5, 3, 3), None), ((4, 4, 4), None), ((6, 6, 5), None), ((1, 1, 1), None),
        ]:
            image = rows(shape[1] * shape[2], shape[0]).cast("B").cast("B", shape)
            last = memoryview(bankside.filter(image, "sobel", combine="sum", channel_axis=-1)).shape
            first = memoryview(bankside.filter(image, "sobel", combine="sum", channel_axis=0))
            self.assertEqual(last, shape[2:] * (shape[2] > 1) + shape[:2])
            self.assertEqual(first.shape, shape[:1] * (shape[0] > 1) + shape[1:])
            calls = [lambda: bankside.filter(image, "sobel", combine="sum"),
                     lambda: bankside.filter(image, "sobel", combine="sum", channel_axis=None),
                     lambda: bankside.Plan("sobel", shape, "uint8", combine="sum")(image)]
            for call in calls if said is None else []:
                self.assertEqual(listed(call()), first.tolist())
            calls += [lambda: bankside.explain(shape, "uint8", "sobel"), lambda: bankside.Recipe("laws")(image)]
            for call in calls if said is not None else []:
                with self.assertRaises(ValueError) as raised:
                    call()
                self.assertIn(said, str(raised.exception))

    def test_memory_that_was_released_says_so(self):
        image = rows(4, 4)
        image.release()
        with self.assertRaisesRegex(ValueError, "released"):
            bankside.filter(image, "sobel")


@unittest.skipUnless(has("numpy"), "NumPy is not installed")
class OfNumPysArrays(unittest.TestCase):
    def test_an_array_of_another_byte_order_says_so(self):
        import numpy

        with self.assertRaisesRegex(TypeError, "a ndarray of >f4, which offers no array"):
            bankside.filter(numpy.zeros((4, 4), ">f4"), "sobel")

    def test_a_mask_is_not_passed_over(self):
        import numpy

        image, out = numpy.ones((4, 4), "float32"), numpy.empty((2, 4, 4), "float32")
        masked = numpy.ma.masked_array(image, mask=numpy.eye(4))
        plan = bankside.Plan("sobel", (4, 4), "float32")
        for what, call in (
            ("the image", lambda: bankside.filter(masked, "sobel")),
            ("the image", lambda: plan(masked)),
            ("the image", lambda: bankside.Recipe("laws")(masked)),
            ("the image", lambda: bankside.compare(masked, "sobel")),
            ("out", lambda: plan(image, numpy.ma.masked_array(out, mask=out > 1))),
        ):
            with self.assertRaises(TypeError) as raised:
                call()
            self.assertEqual(
                str(raised.exception), f"{what} is masked, and no filter knows a mask; give its data or filled()")
        self.assertTrue((plan(masked.data) == plan(image)).all())

    def test_compare_names_the_type_that_it_does_not_take(self):
        import numpy

        for kind in ("int32", "bool", ">f4", "complex64"):
            with self.assertRaisesRegex(TypeError, "the image holds .*; pixels are uint8, uint16"):
                bankside.compare(numpy.ones((4, 4), kind), "sobel")


if __name__ == "__main__":
    unittest.main()
