"""Recipes from Python beside the command's. Without NumPy; the command is where BANKSIDE_COMMAND says."""

import ast
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import unittest
from array import array

import bankside

HEIGHT, WIDTH = 90, 110


def photograph(seed=1):
    """[H,W,3] of uint8."""
    return memoryview(random.Random(seed).randbytes(HEIGHT * WIDTH * 3)).cast("B", (HEIGHT, WIDTH, 3))


def plane(colours, channel):
    return memoryview(bytes(colours.cast("B")[channel::3])).cast("B", (HEIGHT, WIDTH))


def payload(file):
    """The numbers of an .npy of format 1 and their header."""
    data = file.read_bytes()
    end = 10 + int.from_bytes(data[8:10], "little")
    return data[end:], ast.literal_eval(data[10:end].decode())


@unittest.skipUnless(os.environ.get("BANKSIDE_COMMAND"), "BANKSIDE_COMMAND does not name the program")
class BesideTheCommand(unittest.TestCase):
    def commanded(self, *words, colours):
        """Label and bytes of every map, in the order of the names of its files."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "a.ppm").write_bytes(b"P6 %d %d 255\n" % (WIDTH, HEIGHT) + bytes(colours.cast("B")))
            subprocess.run(
                [os.environ["BANKSIDE_COMMAND"], "filter", path / "a.ppm", "--map", "none", "--format", "npy",
                 "--engine", "cpu", "-o", path / "out", *words], check=True, capture_output=True,
            )
            maps = {}
            for file in (path / "out").glob("*.npy"):
                values, header = payload(file)
                self.assertEqual((header["descr"], header["shape"]), ("<f4", (HEIGHT, WIDTH)))
                maps[file.name.removeprefix("a.").removesuffix(".npy")] = values
            return maps

    def test_every_recipe_gives_the_commands_bytes(self):
        colours = photograph()
        for name in bankside.recipes():
            with self.subTest(name):
                theirs = self.commanded("--recipe", name, "--scale", "31", colours=colours)
                recipe = bankside.Recipe(name, scale=31, threads=2)
                got = memoryview(recipe(colours, channel_axis=-1))
                ours = [got] if got.ndim == 2 else [got[i : i + 1] for i in range(got.shape[0])]
                self.assertEqual(sorted(theirs), sorted(recipe.labels))
                for label, values in zip(recipe.labels, ours):
                    self.assertEqual(bytes(values.cast("B")), theirs[label], label)

    def test_the_widest_vessels_make_the_scale_that_they_make_for_the_command(self):
        colours = photograph()
        theirs = self.commanded("--recipe", "vessels", "--scale", "width:13", colours=colours)
        got = bankside.Recipe("vessels", vessel_width=13)(colours, channel_axis=-1)
        self.assertEqual(bytes(memoryview(got).cast("B")), theirs["vesselness"])

    def test_a_given_field_is_the_commands(self):
        colours = photograph()
        middle = [20 < y < 70 and 20 < x < 90 for y in range(HEIGHT) for x in range(WIDTH)]
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a_mask.pgm"), "wb") as file:
                file.write(b"P5 %d %d 255\n" % (WIDTH, HEIGHT) + bytes(255 * inside for inside in middle))
            theirs = self.commanded("--recipe", "vessels", "--scale", "31", "--field", folder, colours=colours)
        field = memoryview(bytes(middle)).cast("B", (HEIGHT, WIDTH))
        recipe = bankside.Recipe("vessels", scale=31)
        got = recipe(colours, field=field, channel_axis=-1)
        self.assertEqual(bytes(memoryview(got).cast("B")), theirs["vesselness"])
        self.assertNotEqual(got.tobytes() if hasattr(got, "tobytes") else bytes(memoryview(got).cast("B")),
                            bytes(memoryview(recipe(colours, channel_axis=-1)).cast("B")))


class Recipes(unittest.TestCase):
    def test_a_plane_is_the_channel_that_it_sees(self):
        colours = photograph()
        recipe = bankside.Recipe("matched-1989")
        self.assertEqual(recipe.channel, "green")
        got = recipe(colours, channel_axis=-1)
        self.assertEqual(memoryview(got).tolist(), memoryview(recipe(plane(colours, 1))).tolist())
        rows_first = memoryview(b"".join(bytes(plane(colours, c)) for c in range(3))).cast("B", (3, HEIGHT, WIDTH))
        self.assertEqual(memoryview(got).tolist(), memoryview(recipe(rows_first)).tolist())

    def test_a_file_with_an_argmax(self):
        text = {"bankside": "recipe", "version": 1, "input": {"channel": "all"},
                "stages": [{"bank": "sobel", "combine": ["argmax"]}], "output": {"responses": False}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "edges.json")
            path.write_text(json.dumps(text))
            recipe = bankside.Recipe(path)
        image = plane(photograph(), 0)
        values, numbers = bankside.filter(image, "sobel", combine="argmax")
        got = memoryview(recipe(image)).tolist()
        self.assertEqual(got[0], memoryview(values).tolist())
        self.assertEqual(got[1], memoryview(numbers).tolist())
        self.assertEqual((recipe.title, recipe.threshold, recipe.labels), ("", None, ()))

    def test_what_is_wrong_is_said(self):
        image = plane(photograph(), 0)
        recipe = bankside.Recipe("vessels", scale=31)
        self.assertEqual(recipe.threshold, 1.55)
        self.assertIn("Vessels", repr(recipe))
        wrong = [
            (ValueError, "there is no recipe", lambda: bankside.Recipe("vessel")),
            (OSError, "", lambda: bankside.Recipe("nowhere/recipe.json")),
            (ValueError, "expected pixels per degree", lambda: bankside.Recipe("vessels", scale=0)),
            (ValueError, "expected pixels per degree", lambda: bankside.Recipe("vessels", scale=float("nan"))),
            (ValueError, "pixels_per_degree", lambda: bankside.Recipe("vessels", scale=float("inf"))),
            (ValueError, "expected pixels", lambda: bankside.Recipe("vessels", vessel_width=-1)),
            (ValueError, "expected one of them", lambda: bankside.Recipe("vessels", scale=31, vessel_width=13)),
            (ValueError, "threads", lambda: bankside.Recipe("vessels", threads=-1)),
            (ValueError, "bytes", lambda: bankside.Recipe("vessels", memory=0)),
            (ValueError, "scale", lambda: bankside.Recipe("vessels")(image)),
            (MemoryError, "MB", lambda: bankside.Recipe("vessels", scale=31, memory=1)(image)),
            (ValueError, "no green channel", lambda: recipe(memoryview(bytes(2 * 64)).cast("B", (2, 8, 8)))),
            (ValueError, "field of view", lambda: recipe(image, field=memoryview(bytes(64)).cast("B", (8, 8)))),
            (TypeError, "the field of view holds float32", lambda: recipe(image, field=memoryview(array("f", [1] * 64)).cast("B").cast("f", (8, 8)))),
            (TypeError, "image", lambda: recipe("a photograph")),
            (TypeError, "a name or a file", lambda: bankside.Recipe(7)),
        ]
        for kind, sentence, call in wrong:
            with self.subTest(sentence), self.assertRaisesRegex(kind, sentence):
                call()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.json")
            with open(path, "w") as file:
                json.dump({"bankside": "recipe", "version": 1, "stages": [{"bank": "sobell"}]}, file)
            with self.assertRaisesRegex(ValueError, "nearest names"):
                bankside.Recipe(path)

    def test_threads_take_turns_and_other_code_runs_meanwhile(self):
        image = plane(photograph(), 1)
        recipe = bankside.Recipe("matched-1989", threads=1)
        expected = memoryview(recipe(image)).tolist()
        same = []
        threads = [threading.Thread(target=lambda: same.append(memoryview(recipe(image)).tolist() == expected))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(same, [True] * 4)
        # With an interval that never ends another thread runs only where a run gives the GIL away.
        begun, seen, runs = threading.Event(), threading.Event(), []

        def work():
            begun.set()
            while not seen.is_set() and len(runs) < 400:
                recipe(image)
                runs.append(1)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            worker = threading.Thread(target=work)
            worker.start()
            begun.wait()
            seen.set()
            worker.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertLess(len(runs), 400)

    def test_a_mask_of_bool_and_arrays_of_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("NumPy is not installed")
        colours = numpy.array(photograph())
        recipe = bankside.Recipe("vessels", scale=31)
        inside = numpy.zeros((HEIGHT, WIDTH), bool)
        inside[20:70, 20:90] = True
        got = recipe(colours[..., ::-1][..., ::-1], field=inside, channel_axis=-1)
        self.assertIsInstance(got, numpy.ndarray)
        self.assertEqual((got.dtype, got.shape), (numpy.float32, (HEIGHT, WIDTH)))
        numpy.testing.assert_array_equal(got, recipe(colours, field=inside.astype("uint8"), channel_axis=-1))


if __name__ == "__main__":
    unittest.main()
