"""`bankside.filter` as a function: what it does in C++ is what Python does with a function of its signature."""

import copy
import gc
import inspect
import pickle
import pydoc
import unittest
import weakref
from array import array

import bankside

IMAGE = memoryview(array("B", range(20))).cast("B", (4, 5))
OUT = memoryview(array("f", [0.0] * 40)).cast("B").cast("f", (2, 4, 5))


class Function(unittest.TestCase):
    def test_it_looks_like_one(self):
        signature = inspect.signature(bankside.filter)
        self.assertEqual(list(signature.parameters)[:2], ["image", "bank"])
        self.assertEqual(signature.parameters["border"].default, "reflect101")
        self.assertIs(signature.parameters["out"].kind, inspect.Parameter.KEYWORD_ONLY)
        self.assertEqual(bankside.filter.__annotations__["border"], "str")
        names = bankside.filter.__name__, bankside.filter.__qualname__, bankside.filter.__module__
        self.assertEqual(names, ("filter", "filter", "bankside"))
        self.assertTrue(inspect.isroutine(bankside.filter))
        self.assertRegex(pydoc.plain(pydoc.render_doc(bankside.filter)), r"\nfilter\(\s*image")
        self.assertIn("function filter", repr(bankside.filter))

    def test_it_goes_where_functions_go(self):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            self.assertIs(pickle.loads(pickle.dumps(bankside.filter, protocol)), bankside.filter)
        self.assertIs(copy.deepcopy(bankside.filter), bankside.filter)
        self.assertIs(weakref.ref(bankside.filter)(), bankside.filter)
        self.assertEqual({bankside.filter: 1}[bankside.filter], 1)

        class Filtered:
            filter = bankside.filter

        with self.assertRaisesRegex(TypeError, "Filtered, which offers no array"):
            Filtered().filter("sobel")

    def test_arguments_come_by_place_and_by_name(self):
        expected = memoryview(bankside.filter(IMAGE, "sobel", border="constant", border_value=2)).tolist()
        options = {"".join(["bor", "der"]): "constant", "border_value": 2.0, "out": OUT}  # a name that is made here
        for call in (
            lambda: bankside.filter(IMAGE, "sobel", **options),
            lambda: bankside.filter(IMAGE, bank="sobel", **options),
            lambda: bankside.filter(bank="sobel", image=IMAGE, device="cpu", stream=None, **options),
            lambda: bankside.filter(*[IMAGE, "sobel"], device=None, engine="auto", **options),
        ):
            OUT.cast("B")[:] = bytes(160)
            self.assertIs(call(), OUT)
            self.assertEqual(OUT.tolist(), expected)

    def test_arguments_that_no_function_takes(self):
        for part, call in (
            ("missing 2 required positional arguments", lambda: bankside.filter()),
            ("missing 1 required positional argument: 'bank'", lambda: bankside.filter(IMAGE)),
            ("missing 1 required positional argument: 'bank'", lambda: bankside.filter(IMAGE, out=OUT)),
            ("takes 2 positional arguments but 3", lambda: bankside.filter(IMAGE, "sobel", "wrap")),
            ("multiple values for argument 'image'", lambda: bankside.filter(IMAGE, "sobel", image=IMAGE)),
            ("unexpected keyword argument 'outt'", lambda: bankside.filter(IMAGE, "sobel", outt=OUT)),
            ("device is a text", lambda: bankside.filter(IMAGE, "sobel", device=0)),
        ):
            with self.assertRaisesRegex(TypeError, part):
                call()
        with self.assertRaisesRegex(ValueError, "no device"):
            bankside.filter(IMAGE, "sobel", device="gpu")
        with self.assertRaisesRegex(ValueError, "which goes with an image on a device"):
            bankside.filter(IMAGE, "sobel", stream=7)

    def test_a_second_one_is_collected_with_all_that_it_holds(self):
        class Held:
            pass

        def function(image, bank, *, border=None, border_value=None, combine=None, precision=None, engine=None,
                     result=None, channel_axis=None, threads=None, out=None, device=None, stream=None):
            return "called"

        call = bankside._core.KeptPlans(lambda *given: None).before(function)
        self.assertEqual(call(IMAGE, "sobel", stream=1), "called")
        call.held = Held()
        call.itself = call
        gone = weakref.ref(call.held)
        del call
        gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    unittest.main()
