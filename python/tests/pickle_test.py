"""Banks, plans and recipes go to other processes, and are copied."""

import copy
import multiprocessing
import os
import pickle
import tempfile
import unittest

import bankside
from module_test import listed, rows

MIXED = """{"schemaVersion": 1, "title": "Two sizes", "citation": "None", "generator": "", "parameters": {},
 "mode": "convolution", "filters": [
 {"label": "small", "channels": 1, "height": 1, "width": 2, "anchor": {"x": 0, "y": 0}, "taps": [0.1, -0.0]},
 {"label": "large", "channels": 1, "height": 2, "width": 2, "anchor": {"x": 1, "y": 1}, "taps": [1, 2, 3, 1e-38]}]}
"""


def ways(thing):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(thing, protocol))
    yield copy.copy(thing)
    yield copy.deepcopy(thing)


def of(bank):
    return bank.name, bank.title, bank.citation, bank.mode, bank.labels, bank.taps, bank.anchors, len(bank)


class Pickled(unittest.TestCase):
    def test_a_bank_has_its_filters_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(os.fsencode(folder), b"two\xff.json")
            with open(path, "w") as file:
                file.write(MIXED)
            banks = [bankside.Bank(os.fsdecode(path))]
        banks += [bankside.Bank("vessel-matched:sigma=1.5"), bankside.Bank([[0.1, 2]], mode="convolution", anchor=(0, 0)),
                  bankside.Bank([[[[1]], [[2]]]])]
        for bank in banks:  # the file is gone
            for other in ways(bank):
                self.assertIsInstance(other, bankside.Bank)
                self.assertEqual(of(other), of(bank))

    def test_a_plan_is_prepared_anew(self):
        image = rows(9, 7)
        for options in ({"combine": "max", "border": "constant", "border_value": 3}, {"result": "uint8", "engine": "cpu:direct"},
                        {"threads": 1, "precision": "exact", "channel_axis": None}):
            plan = bankside.Plan(bankside.Bank([[[1, 2]], [[3, 4]]]), (7, 9), "uint8", **options)
            for other in ways(plan):
                self.assertIsInstance(other, bankside.Plan)
                self.assertEqual((other.shape, other.labels, other.engine), (plan.shape, plan.labels, plan.engine))
                self.assertEqual(listed(other(image)), listed(plan(image)))
        colours = bankside.Plan("sobel", (5, 4, 3), "float64", channel_axis=-1)
        self.assertEqual([other.shape for other in ways(colours)], [colours.shape] * 6)

    def test_a_recipe_goes_by_its_name_or_file(self):
        recipe = bankside.Recipe("vessels", scale=31, threads=1)
        image = rows(60, 50)
        expected = listed(recipe(image))
        for other in ways(recipe):
            self.assertEqual(listed(other(image)), expected)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "one.json")
            with open(path, "w") as file:
                file.write('{"bankside": "recipe", "version": 1, "stages": [{"bank": "sobel"}]}')
            before = os.getcwd()
            os.chdir(folder)
            pickled = pickle.dumps(bankside.Recipe("./one.json"))
            os.chdir(before)
            self.assertEqual(pickle.loads(pickled).labels, ("dx", "dy"))
        with self.assertRaises(OSError):
            pickle.loads(pickled)

    def test_another_process_gives_the_same(self):
        plan = bankside.Plan("sobel", (7, 9), "uint8", threads=1)
        image = rows(9, 7)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(filtered_there, (plan, image.tobytes())), listed(plan(image)))


def filtered_there(plan, pixels):
    return listed(plan(memoryview(pixels).cast("B", (7, 9))))


if __name__ == "__main__":
    unittest.main()
