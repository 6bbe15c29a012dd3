"""Calls that are repeated hold no more memory than before, whether they give a result or an exception.

Counted are Python's blocks; under the address sanitizer every byte that is held, of Python and of the module. What Python's
garbage collector knows of is no leak to a leak sanitizer, so an object that is never given up is found only by counting.
"""

import ctypes
import gc
import pickle
import random
import sys
import unittest

import bankside
import random_calls_test
from module_test import has, rows

HELD = getattr(ctypes.CDLL(None), "__sanitizer_get_current_allocated_bytes", sys.getallocatedblocks)
if HELD is not sys.getallocatedblocks:
    HELD.restype = ctypes.c_size_t
CALLS = 50
ROUNDS = 100
QUIET = 3  # rounds one after another; in a single one something else may have been given up
SPARE = CALLS // 2 if HELD is sys.getallocatedblocks else CALLS * 8  # half a block a call, or eight bytes


def always_more(call):
    """Whether CALLS calls hold more each time. What Python keeps of the names that it looks up grows at first, to an end."""
    quiet = 0
    for _ in range(ROUNDS):
        gc.collect()
        before = HELD()
        for _ in range(CALLS):
            call()
        gc.collect()
        quiet = quiet + 1 if HELD() - before < SPARE else 0
        if quiet == QUIET:
            return False
    return True


class OfDlpack:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Leaks(unittest.TestCase):
    def expect_none(self, calls):
        for name, call in calls.items():
            with self.subTest(name):
                self.assertFalse(always_more(call))

    def test_results(self):
        image, real = rows(9, 7), rows(9, 7, "f", float)
        of_ctypes = ctypes.c_ubyte * 4 * 3  # CPython keeps something of every such type
        out = bankside.filter(image, "sobel")
        plan = bankside.Plan("sobel", (7, 9), "uint8")
        recipe = bankside.Recipe("laws", threads=1)
        self.expect_none({
            "a buffer": lambda: bankside.filter(image, "sobel"),
            "of ctypes": lambda: bankside.filter(of_ctypes(), "sobel"),
            "bytes without shape": lambda: bankside.filter(memoryview(bytes(12)).cast("B", (3, 4)), "sobel"),
            "strides": lambda: bankside.filter(image[::-1], "sobel"),
            "float64": lambda: bankside.filter(rows(9, 7, "d", float), "sobel"),
            "by DLPack": lambda: bankside.filter(OfDlpack(out), "sobel", channel_axis=0),
            "out": lambda: bankside.filter(image, "sobel", out=out),
            "argmax": lambda: bankside.filter(image, "sobel", combine="argmax"),
            "taps": lambda: bankside.filter(real, [[1.5, 2.5]], combine="sum"),
            "a bank": lambda: bankside.Bank([[[1.5]], [[2.5]]], anchor=(0, 0)).taps,
            "names": lambda: (bankside.banks(), bankside.recipes(), bankside.explain((9, 7), "uint8", "sobel")),
            "a new plan": lambda: bankside.Plan("sobel", (7, 9), "uint8")(image),
            "a plan": lambda: plan(image),
            "a plan with out": lambda: plan(image, out),
            "a recipe": lambda: recipe(image),
            "pickled": lambda: (pickle.loads(pickle.dumps(plan)), pickle.loads(pickle.dumps(bankside.Bank("sobel")))),
            "comparison": lambda: bankside.compare(image, "sobel", engines=["cpu:direct"], threads=1, seconds=0),
        })

    def test_exceptions(self):
        image, bank, options = rows(9, 7), bankside.Bank("sobel"), {"threads": 1}

        def fails(kind, spoil):
            spoiled, by, given = spoil(image, bank, options)
            with self.assertRaises(kind):
                bankside.filter(spoiled, by, **given)

        plan = bankside.Plan("sobel", (7, 9), "uint8")
        calls = {f"fault {i}": lambda fault=fault: fails(*fault) for i, fault in enumerate(random_calls_test.FAULTS)}

        def misused():
            for wrong in (rows(3, 3), rows(9, 7, "f", float), None):
                with self.assertRaises((TypeError, ValueError)):
                    plan(wrong)
            with self.assertRaises(TypeError):
                plan(image, image)

        def unmade():
            with self.assertRaises(ValueError):
                bankside.Plan("sobel", (0, 9), "uint8")
            with self.assertRaises(ValueError):
                bankside.Recipe("no such recipe")

        self.expect_none({**calls, "a plan misused": misused, "what cannot be made": unmade})

    def test_the_same_random_calls_again(self):
        def calls():
            chance = random.Random(5)
            for _ in range(40):
                random_calls_test.one_call(chance)

        self.expect_none({"random calls": calls})

    @unittest.skipUnless(has("numpy"), "NumPy is not installed")
    def test_numpys_arrays(self):
        import numpy

        from bankside import ndimage

        image, out = numpy.ones((9, 7), "float32"), numpy.empty((2, 9, 7), "float32")
        self.expect_none({
            "an array": lambda: bankside.filter(image, "sobel"),
            "float16": lambda: bankside.filter(image.astype("float16"), "sobel"),
            "transposed": lambda: bankside.filter(image.T, "sobel"),
            "out": lambda: bankside.filter(image, "sobel", out=out),
            "by DLPack": lambda: bankside.filter(OfDlpack(image), "sobel"),
            "taps": lambda: bankside.filter(image, numpy.ones((2, 3, 3))),
            "masked": lambda: self.assertRaises(TypeError, bankside.filter, numpy.ma.masked_array(image), "sobel"),
            "ndimage": lambda: has("scipy") and ndimage.gaussian_filter(image, 1.0),
        })


if __name__ == "__main__":
    unittest.main()
