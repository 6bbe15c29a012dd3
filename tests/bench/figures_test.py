"""How figures are written, what counts as a typed measurement, how reports are kept."""
import json
import re
import shlex
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from figures import documents, numbers, readme  # noqa: E402, F401  (readme defines every figure)
from figures.keep import kept  # noqa: E402
from figures.registry import FIGURES, TABLES, add, commands  # noqa: E402
from figures.report import report, row, unpacked, with_problem  # noqa: E402


class Numbers(unittest.TestCase):
    def test_three_digits_at_most(self):
        for value, text in ((0.91412, "0.914"), (34.94, "34.9"), (1199, "1,200"), (0.0728, "0.0728"), (0, "0"), (999.6, "1,000")):
            self.assertEqual(numbers.number(value), text)

    def test_ratios(self):
        for value, text in ((1.041, "1.04"), (1.998, "2.0"), (5.43, "5.4"), (9.96, "10"), (25.6, "26")):
            self.assertEqual(numbers.times(value), text)
        self.assertEqual(numbers.span([5.43, 2.13]), "2.1 to 5.4")
        self.assertEqual(numbers.percent(0.1649), "16")
        self.assertEqual(numbers.duration(34.94), "34.9 us")
        self.assertEqual(numbers.duration(5299), "5.30 ms")


class Documents(unittest.TestCase):
    def typed(self, text, name="docs/page.md"):
        return len(documents.typed(name, text))

    def test_measurements_are_found(self):
        for text in ("takes 34.9 us", "in 22 s.", "4.7x as fast", "1.5 to 5 times faster", "95.1 % of it", "65.8 TFLOP/s",
                     "at 4,241 GB/s", "16.5% slower", "60 seconds", "2.1 \u00d7 faster", "some 5 ms and\nthen"):
            self.assertEqual(self.typed(text), 1, text)

    def test_sizes_names_and_code_are_none(self):
        for text in ("3 x 3 filters", "2048x2048", "512 MiB", "f32 in 12 maps", "`--seconds 5 s`", "```\n4 ms\n```", "2^24 sums",
                     "K = 3, F = 8", "![a](5%20us.svg)", "the 95 % interval", "<!--=x-->5.4<!--/--> times", "Zen 5, <!--=x-->5.4<!--/--> times", "in 3 files"):
            self.assertEqual(self.typed(text), 0, text)
        self.assertEqual(self.typed("takes 34.9 us", "docs/lab-notes/cpu.md"), 0)

    def test_fills_in_and_knows_names(self):
        add(FIGURES, "test-figure", type(next(iter(FIGURES.values())))(lambda: "7", (), ""))
        text, wrong = documents.filled("docs/a.md", "a <!--=test-figure-->6<!--/--> b")
        self.assertEqual((text, wrong), ("a <!--=test-figure-->7<!--/--> b", []))
        text, wrong = documents.filled("docs/a.md", "\n<!--=unknown-->6<!--/--> <!-- table: none -->\n<!-- /table -->")
        self.assertEqual(len(wrong), 2)
        self.assertIn("docs/a.md:2: no figure or table is named unknown", wrong)
        self.assertEqual(len(documents.filled("docs/a.md", "<!-- table: readme -->\nno end")[1]), 1)
        self.assertRaises(ValueError, add, FIGURES, "test-figure", None)

    def test_everything_is_made_and_says_what_repeats_it(self):
        for quoted in (*FIGURES.values(), *TABLES.values()):
            self.assertTrue(quoted.make())
            for name in quoted.kept:
                self.assertTrue(report(name)["rows"] or report(name)["limits"])
                self.assertTrue(all(commands(quoted)))

    def test_a_report_that_is_missing_is_an_error(self):
        self.assertRaises(FileNotFoundError, report, "nothing")
        self.assertRaises(LookupError, row, "h200/figure7", size=3)


class Keep(unittest.TestCase):
    PLAIN = {"schema_version": 2, "notes": ["a"], "rows": [
        {"problem": "c1h4w5-f2k3-constant-u8:f32-none", "size": 5, "median_us": 1.23456789, "flops": 123456789.0, "reason": None,
         "source": None, "command": "long", "interval": [1.0, 2.00000004]},
        {"problem": "c1h4w5-f2k3-constant-u8:f32-none", "size": 5, "median_us": None, "flops": 1.0, "reason": None, "source": None,
         "command": "long", "interval": None}]}

    def test_columns_once_and_five_digits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.json"
            path.write_text(json.dumps(self.PLAIN), encoding="utf-8")
            text = kept(path)
            path.write_text(text, encoding="utf-8")
            self.assertEqual(kept(path), text)
        content = json.loads(text)
        self.assertEqual(content["columns"], ["problem", "median_us", "flops", "interval"])
        rows = unpacked(content["rows"], content["columns"])
        self.assertEqual(rows[0]["median_us"], 1.2346)
        self.assertEqual(rows[0]["flops"], 123456789)
        self.assertEqual(with_problem(rows[0])["filter_size"], 3)
        self.assertEqual(with_problem(rows[0])["type"], "u8")

    def test_what_is_kept_is_small(self):
        for path in documents.ROOT.glob("tests/bench/results/**/*.json"):
            self.assertEqual(path.read_text(encoding="utf-8"), kept(path), path)
        self.assertLess(sum(p.stat().st_size for p in documents.ROOT.glob("tests/bench/results/**/*.*")), 4e6)

    def test_scripts_take_what_is_kept_of_them(self):
        """Those of `bankside` itself its command line parses (tests/gui/headless/kept_commands_test.cpp)."""
        seen = 0
        for path in documents.ROOT.glob("tests/bench/results/**/*.json"):
            words = shlex.split(json.loads(path.read_text(encoding="utf-8")).get("command", ""))
            scripts = [i for i, word in enumerate(words) if word.endswith(".py")]
            if not scripts:
                continue
            seen += 1
            script = documents.ROOT / words[scripts[0]]
            self.assertTrue(script.is_file(), f"{path}: {script}")
            source = script.read_text(encoding="utf-8")
            for word in words[scripts[0] + 1:]:
                if re.fullmatch(r"--[a-z-]+(=.*)?", word):
                    self.assertTrue(f'"{word.partition("=")[0]}"' in source, f"{path}: {word}")
        self.assertGreater(seen, 20)


if __name__ == "__main__":
    unittest.main()
