"""10,000 random calls, each right or with one fault: the result's shape or the fault's exception, and nothing leaked."""

import os
import random
import subprocess
import sys
import unittest
from array import array

import bankside

try:
    import hypothesis
except ImportError:
    hypothesis = None

CALLS = 10_000
CODES = {"B": "uint8", "H": "uint16", "f": "float32", "d": "float64"}
BORDERS = ["reflect101", "constant", "replicate", "reflect", "wrap"]
COMBINES = ["none", "max", "absmax", "argmax", "mean", "sum", "magnitude"]


def pixels(shape, code, value=1):
    size = 1
    for length in shape:
        size *= length
    return memoryview(array(code, [value] * size)).cast("B").cast(code, shape)


# Arrays that all calls share: whoever keeps one is found out by its references.
IMAGES = {
    (code, shape): pixels(shape, code)
    for code in CODES
    for shape in [(1, 1), (3, 5), (8, 8), (2, 4, 6), (5, 7, 3)]
}
FLAT = memoryview(array("f", range(8)))
SIGNED = pixels((4, 4), "h")
ENDLESS = pixels((4, 4), "d", 1e300)
EMPTY = memoryview(b"").cast("B").toreadonly()
LOCKED = pixels((8, 8), "f").toreadonly()
BANKS = [bankside.Bank("sobel"), bankside.Bank([[1.0, 2.0]]), bankside.Bank([[[1]], [[2]], [[3]]])]


def good_call(chance):
    """What filter takes, and the shape of what it gives."""
    code, shape = chance.choice(list(IMAGES))
    axis = chance.choice([0, 1, 2, -1, -2, -3]) if len(shape) == 3 else chance.choice([0, None])
    if shape == (2, 4, 6) and axis == 0:
        axis = chance.choice([0, None])
    bank = chance.choice(BANKS)
    combine = chance.choice(COMBINES)
    options = {"border": chance.choice(BORDERS), "combine": combine, "channel_axis": axis, "threads": 1}
    options["precision"] = chance.choice(["fp32", "exact", "fp16"])
    if options["border"] == "constant":
        options["border_value"] = chance.choice([0, -2.5, 7])
    if combine != "argmax":
        options["result"] = chance.choice(["uint8", "uint16", "float16", "float32"])
    sizes = list(shape)
    channels = [sizes.pop(axis or 0)] if len(shape) == 3 else []
    if channels == [1]:
        channels = []
    filters = [len(bank)] if combine == "none" else []
    return IMAGES[code, shape], bank, options, tuple(channels + filters + sizes)


def of(name, value):
    return lambda image, bank, options: (image, bank, {**options, name: value})


def image_of(value):
    return lambda image, bank, options: (value, bank, options)


def bank_of(value):
    return lambda image, bank, options: (image, value, options)


# One fault, and what it raises.
FAULTS = [
    *[(TypeError, image_of(value)) for value in (None, 3, "image", [[1.0]], object(), SIGNED, bankside)],
    *[(ValueError, image_of(value)) for value in (FLAT, EMPTY, ENDLESS)],
    *[(ValueError, bank_of(value)) for value in ("sobell", "sobel:size=0", "", [], [[]], [[1], [1, 2]], [[float("nan")]])],
    *[(TypeError, bank_of(value)) for value in (None, 7, object())],
    (OSError, bank_of("/nowhere/at/all.json")),
    *[(ValueError, of(name, "no such word")) for name in ("border", "combine", "precision", "result")],
    *[(TypeError, of(name, 5)) for name in ("border", "combine", "precision", "result", "engine")],
    *[(TypeError, of(name, "1")) for name in ("channel_axis", "threads")],
    (TypeError, of("border_value", object())),
    (ValueError, of("border_value", float("nan"))),
    (ValueError, of("channel_axis", 2**40)),
    (ValueError, lambda image, bank, options: (IMAGES["B", (5, 7, 3)], bank, {**options, "channel_axis": None})),
    (ValueError, of("threads", -1)),
    (ValueError, of("engine", "no such engine")),
    (TypeError, of("out", 3)),
    (TypeError, of("out", LOCKED)),
    (TypeError, of("no such argument", 1)),
]


def one_call(chance):
    image, bank, options, shape = good_call(chance)
    if chance.random() < 0.5:
        kind, spoil = chance.choice(FAULTS)
        image, bank, options = spoil(image, bank, options)
        try:
            bankside.filter(image, bank, **options)
        except kind as error:
            assert type(error) is kind or kind is OSError, (type(error), image, bank, options)
            assert str(error), (image, bank, options)
            return
        except Exception as error:
            raise AssertionError(f"{error!r} instead of {kind.__name__}: {image}, {bank}, {options}") from error
        raise AssertionError(f"no {kind.__name__}: {image}, {bank}, {options}")
    result = bankside.filter(image, bank, **options)
    for part in result if isinstance(result, tuple) else (result,):
        assert memoryview(part).shape == shape, (memoryview(part).shape, shape, bank, options)


def references():
    shared = [*IMAGES.values(), FLAT, SIGNED, ENDLESS, EMPTY, LOCKED]
    return [sys.getrefcount(one) for one in shared]


def all_calls(seed):
    chance = random.Random(seed)
    for _ in range(CALLS // 10):
        one_call(chance)
    before = references()
    for _ in range(CALLS - CALLS // 10):
        one_call(chance)
    assert references() == before, "an array of a call is still held"
    for one in [*IMAGES.values(), SIGNED, ENDLESS, LOCKED]:
        one.release()  # BufferError where somebody has it still


class RandomCalls(unittest.TestCase):
    def test_they_give_results_or_the_right_exception(self):
        """In a process of its own: one that falls is seen, and what is leaked is said at the end."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *sys.path])}
        line = "import random_calls_test as calls; calls.all_calls(24)"
        ran = subprocess.run([sys.executable, "-B", "-c", line], env=environment, capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    @unittest.skipIf(hypothesis is None, "hypothesis is not installed")
    def test_hypothesis_finds_no_call_that_breaks_this(self):
        """As many calls of its choice; of one that fails it shows the simplest that it finds."""
        seen = []

        @hypothesis.settings(max_examples=CALLS, deadline=None, database=None,
                             suppress_health_check=list(hypothesis.HealthCheck))
        @hypothesis.given(hypothesis.strategies.randoms(use_true_random=False))
        def calls(chance):
            seen.append(None)
            one_call(chance)

        calls()
        self.assertGreaterEqual(len(seen), CALLS)


if __name__ == "__main__":
    unittest.main()
