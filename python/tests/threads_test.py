"""Eight threads that filter at once, with what is their own and with what they share; every result is one thread's."""

import os
import random
import sys
import threading
import unittest
from array import array

import bankside
from module_test import has, listed, rows

THREADS = 8


def all_at_once(work):
    """What work(0) ... work(7) give, which begin together."""
    given, start = [None] * THREADS, threading.Barrier(THREADS)

    def run(which):
        start.wait()
        try:
            given[which] = work(which)
        except BaseException as error:  # the caller compares it with what is expected
            given[which] = error

    threads = [threading.Thread(target=run, args=(which,)) for which in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return given


def asked(which):
    """A bank, an image and options of a thread's own."""
    bank = ["sobel", "gaussian:sigma=2", "vessel-matched", "laplacian"][which % 4]
    combine = ["sum", "max", "argmax", "none"][(which // 2) % 4]
    code = "BHfd"[which // 2]
    return bank, rows(40 + which, 30, code, lambda i: (i * 7 + which) % 251), combine


class Threads(unittest.TestCase):
    def test_each_with_a_plan_of_its_own(self):
        kinds = {"B": "uint8", "H": "uint16", "f": "float32", "d": "float64"}

        def run(which):
            bank, image, combine = asked(which)
            plan = bankside.Plan(bankside.Bank(bank), image.shape, kinds[image.format], combine=combine, threads=1)
            out = plan(image)
            for _ in range(20):
                plan(image, out)
            return [listed(part) for part in out] if isinstance(out, tuple) else listed(out)

        expected = [run(which) for which in range(THREADS)]
        self.assertEqual(all_at_once(run), expected)

    def test_plans_of_several_threads_each(self):
        def run(which):
            bank, image, _ = asked(which)
            return [listed(bankside.filter(image, bank, combine="max", threads=2)) for _ in range(5)]

        expected = [run(which) for which in range(THREADS)]
        self.assertEqual(all_at_once(run), expected)

    def test_one_plan_for_all(self):
        for threads in (1, 2):
            images = [rows(80, 60, "f", lambda i, which=which: float(i + which)) for which in range(THREADS)]
            plan = bankside.Plan("vessel-matched", (60, 80), "float32", combine="max", threads=threads)

            def run(which):
                out = plan(images[which])
                for _ in range(5):
                    plan(images[which], out)
                return listed(out)

            expected = [run(which) for which in range(THREADS)]
            self.assertEqual(all_at_once(run), expected)

    def test_one_image_and_one_bank_for_all(self):
        image, bank = rows(50, 40, "f", float), bankside.Bank("vessel-matched")
        expected = listed(bankside.filter(image, bank, combine="absmax", threads=1))

        def run(which):
            own = bankside.Plan(bank, (40, 50), "float32", combine="absmax", threads=1)
            kept = bankside.filter(image, bank, combine="absmax", threads=1)
            return listed(own(image)) == expected and listed(kept) == expected and bank.taps == taps

        taps = bank.taps
        self.assertEqual(all_at_once(run), [True] * THREADS)

    def test_an_array_of_all_is_nobodys_afterwards(self):
        """What counts its users must have counted right: without a GIL Python's own types do not by themselves."""
        memory = array("f", range(8 * 8))
        image = memoryview(memory).cast("B").cast("f", (8, 8))
        plan = bankside.Plan("sobel", (8, 8), "float32", combine="sum", threads=1)

        def run(which):
            for _ in range(2000):
                plan(image)
            return True

        self.assertEqual(all_at_once(run), [True] * THREADS)
        image.release()  # BufferError where somebody has it still
        memory.append(1)

    def test_what_filter_keeps_is_shared(self):
        """Plans that come, go and are used by all threads at once; without a GIL nothing else keeps them apart."""
        calls = [(name, rows(40 + side, 30)) for name in ("sobel", "gaussian:sigma=2", "vessel-matched", "laplacian")
                 for side in range(12)]
        expected = [listed(bankside.filter(image, name, combine="max", threads=1)) for name, image in calls]

        def run(which):
            order = random.Random(which).choices(range(len(calls)), k=150)
            return all(listed(bankside.filter(calls[i][1], calls[i][0], combine="max", threads=1)) == expected[i]
                       for i in order)

        self.assertEqual(all_at_once(run), [True] * THREADS)
        if "free-threading" in sys.version:
            self.assertFalse(sys._is_gil_enabled(), "importing the module brought it back")

    def test_one_recipe_for_all_takes_turns(self):
        images = [rows(48, 40, "B", lambda i, which=which: (i * i + which) % 251) for which in range(3)]
        recipe = bankside.Recipe("laws", threads=1)
        expected = [listed(recipe(image)) for image in images]
        self.assertEqual(all_at_once(lambda which: listed(recipe(images[which % 3]))),
                         [expected[which % 3] for which in range(THREADS)])

    def test_each_gets_its_own_sentence(self):
        image = rows(8, 8)

        def run(which):
            said = set()
            for _ in range(50):
                try:
                    bankside.filter(image, f"no-such-bank-{which}")
                except ValueError as error:
                    said.add(str(error))
            return len(said) == 1 and f"no-such-bank-{which}" in said.pop()

        self.assertEqual(all_at_once(run), [True] * THREADS)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_fork_after_one_thread_goes_on(self):
        image = rows(200, 200)
        bankside.filter(image, "gaussian:sigma=2", threads=1)
        child = os.fork()
        if child == 0:
            bankside.filter(image, "gaussian:sigma=2", threads=1)
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    @unittest.skipUnless(has("numpy"), "NumPy is not installed")
    def test_scipys_names(self):
        import numpy

        from bankside import ndimage

        images = [numpy.random.default_rng(which).random((40, 50)).astype("float32") for which in range(THREADS)]

        def run(which):
            made = [ndimage.gaussian_filter(images[which], 1.5), ndimage.sobel(images[which]),
                    ndimage.correlate((images[which] * 9).astype("uint8"), numpy.ones((3, 3), "int8"))]
            return [one.tobytes() for _ in range(5) for one in made]

        expected = [run(which) for which in range(THREADS)]
        self.assertEqual(all_at_once(run), expected)


if __name__ == "__main__":
    unittest.main()
