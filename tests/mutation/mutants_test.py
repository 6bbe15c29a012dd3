#!/usr/bin/env python3
"""Which mutants a text has, and which it has not: what is found decides what the share of killed ones means. And
which of a sample are judged, by whom, and how they are kept."""
import argparse
import contextlib
import io
import json
import sys
import tempfile
import unittest
from concurrent.futures import Future
from pathlib import Path

sys.dont_write_bytecode = True

import mutate  # noqa: E402
from mutants import mutants  # noqa: E402
from programs import ROOT, Build  # noqa: E402
from workers import Workers, processors  # noqa: E402


def changes(text):
    """{(before, after)} of a function's body."""
    whole = "void f() {\n" + text + "\n}\n"
    return {(whole[m.begin:m.end], m.after) for m in mutants(whole)}


class Mutants(unittest.TestCase):
    def test_relations_shift_and_turn_round(self):
        self.assertEqual(changes("return a < b;"), {("<", "<="), ("<", ">=")})
        self.assertEqual(changes("return a == b;"), {("==", "!=")})

    def test_brackets_of_templates_and_stars_of_pointers_are_no_operators(self):
        self.assertEqual(changes("const std::vector<Image*> x;"), set())
        self.assertEqual(changes("const Image& x = y;"), set())
        self.assertEqual(changes("std::map<int, std::vector<int>> x;"), set())

    def test_arithmetic(self):
        self.assertEqual(changes("return a * b;"), {("*", "/")})
        self.assertEqual(changes("return -a;"), {("-", "")})
        self.assertEqual(changes("return f(-a);"), {("-", "")})

    def test_constants_with_their_suffix(self):
        self.assertEqual(changes("return 0.5f;"), {("0.5f", "(0.5f + 1)"), ("0.5f", "(0.5f - 1)")})
        self.assertEqual(changes("return 0;"), {("0", "(0 + 1)")})
        self.assertEqual(changes("return 1e-7;"), {("1e-7", "(1e-7 + 1)"), ("1e-7", "(1e-7 - 1)")})
        self.assertEqual(changes("return 1'000;"), {("1'000", "(1'000 + 1)"), ("1'000", "(1'000 - 1)")})
        self.assertEqual(changes("return true;"), {("true", "false")})

    def test_conditions_are_negated_once(self):
        self.assertEqual(changes("if (a) return;"), {("a", "!(a)")})
        self.assertEqual(changes("if (!a) return;"), {("!", "")})
        self.assertEqual(changes("if (a != b) return;"), {("!=", "==")})
        self.assertIn(("a && b", "!(a && b)"), changes("while (a && b) return;"))
        self.assertEqual(changes("if (const auto a = g(); a) return;"), {("a", "!(a)")})
        self.assertEqual(changes("if (const auto a = g()) return;"), set())

    def test_statements_that_act_are_taken_away(self):
        for text in ("g(a)", "a.b()->c(d)", "a = b", "a[i].b += c", "++a", "throw Error(a)", "std::sort(a)",
                     "g([&] { return b; })", "*a = b", "x<T>(a)", "break"):
            self.assertIn((text, ""), changes(text + ";"), text)

    def test_declarations_stay(self):
        for text in ("Image a(b);", "const int a = b;", "auto a = b;", "std::vector<int> a = g();", "return g();",
                     "using A = B;", "Image& a = b;"):
            self.assertFalse([c for c in changes(text) if c[1] == "" and ("=" in c[0] or "(" in c[0])], text)

    def test_statements_under_conditions_end_where_they_end(self):
        self.assertIn(("g()", ""), changes("if (a) g();"))
        self.assertIn(("g()", ""), changes("if (a) h();\nelse g();"))
        self.assertIn(("g()", ""), changes("for (int i = j; i < n; ++i) g();"))

    def test_extremes(self):
        self.assertIn(("min", "max"), changes("return std::min(a, b);"))
        self.assertEqual(changes("return limits.min(a, b);"), set())

    def test_texts_comments_and_directives_are_left_alone(self):
        self.assertEqual(changes('// a < b\n/* a + 1 */ return "a < 1";'), set())
        self.assertEqual(changes('return R"(a < 1)";'), set())
        self.assertEqual(changes("#if A < 1\n#define B \\\n  1\n#endif"), set())
        self.assertEqual(changes("static_assert(sizeof(a) == 1);"), set())
        self.assertEqual(changes("return '1';"), set())


class Made:
    """As much of a build as workers ask for."""

    def __init__(self, work):
        self.work = Path(work)

    def moved(self, work):
        return Made(work)


def placed(build, number):
    (build.work / str(number)).touch(exist_ok=False)
    return number, build.work.as_posix()


class AtOnce(unittest.TestCase):
    def test_every_worker_has_a_folder_of_its_own_and_answers_keep_their_order(self):
        with tempfile.TemporaryDirectory() as work:
            answers = Workers(Made(work), 3).map(placed, [(i,) for i in range(12)])
            self.assertEqual([number for number, _ in answers], list(range(12)))
            for number, place in answers:
                self.assertEqual(Path(place).parent, Path(work))
                self.assertTrue((Path(place) / str(number)).exists())


    def test_workers_share_processors_by_twos(self):
        self.assertEqual([processors(i, [0, 1]) for i in range(3)], [[0, 1]] * 3)
        self.assertEqual(processors(0, [4]), [4])
        self.assertEqual([processors(i, [2, 3, 5, 7, 9]) for i in range(3)], [[2, 3], [5, 7], [2, 3]])


class Folder(unittest.TestCase):
    def test_sources_that_are_not_compiled_alone_are_named(self):
        with tempfile.TemporaryDirectory() as work:
            own = (ROOT / "core/border.cpp").as_posix()
            commands = [{"file": own, "command": f"g++ -o border.o -c {own}", "directory": work}]
            (Path(work) / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
            build = Build(work, work)
            build.require({"core/border.cpp"})
            with self.assertRaisesRegex(SystemExit, "core/engine.cpp by itself, nor 1 others.*UNITY_BUILD=OFF"):
                build.require({"core/border.cpp", "core/image.cpp", "core/engine.cpp"})


class Ending(Exception):
    """Somebody ended the run."""


class Listed:
    """Workers that judge nothing: they write down what they are asked, and end after so many."""
    build = argparse.Namespace(require=lambda sources: None)

    def __init__(self, most):
        self.most = most
        self.asked = []

    def map(self, _, every):
        return [1.0 for _ in every]

    def submit(self, _, source, mutant, *rest):
        self.asked.append((source, mutant))
        done = Future()
        if len(self.asked) > self.most:
            done.set_exception(Ending())
        else:
            done.set_result(("killed", str(mutant.begin)))
        return done


class Samples(unittest.TestCase):
    def setUp(self):
        self.steps, self.in_turn = mutate.steps, mutate.as_completed
        mutate.steps = lambda build, source, own: [("planner-tests", "")]
        mutate.as_completed = list

    def tearDown(self):
        mutate.steps, mutate.as_completed = self.steps, self.in_turn

    def judged(self, report, most=99, layer="kernels/planner", seed=3):
        workers = Listed(most)
        chosen = argparse.Namespace(count=9, seed=seed, layer=layer, own=False)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Ending):
            mutate.run(workers, report, chosen)
        return workers.asked

    def test_a_layer_has_a_sample_of_its_own(self):
        _, mine = mutate.sample(9, 3, "kernels/planner")
        self.assertEqual(len(mine), 9)
        self.assertTrue(all(source.startswith("kernels/planner/") for source, _ in mine))
        candidates = [mutate.sample(1, 3, layer)[0] for layer in mutate.PROGRAMS]
        self.assertEqual(mutate.sample(1, 3)[0], sum(candidates))

    def test_a_sample_of_more_than_there_are_is_all_of_them(self):
        candidates, mine = mutate.sample(10**6, 3, "kernels/planner")
        self.assertEqual(len(mine), candidates)
        self.assertEqual(len({(source, mutant) for source, mutant in mine}), candidates)

    def test_what_cannot_be_judged_is_left_for_another_run(self):
        failing = Future()
        failing.set_exception(OSError("no memory"))
        workers = argparse.Namespace(build=Listed.build, map=lambda *_: [1.0], submit=lambda *_: failing)
        _, mine = mutate.sample(2, 3, "kernels/planner")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(list(mutate.outcomes(workers, mine)), [])
        self.assertEqual(said.getvalue().count("left for another run"), 1)  # of futures, which are one here

    def test_what_ended_goes_on_and_is_kept_in_the_order_of_the_sample(self):
        _, mine = mutate.sample(9, 3, "kernels/planner")
        with tempfile.TemporaryDirectory() as work:
            report = Path(work) / "report.json"
            first = self.judged(report, most=4)
            self.assertNotEqual(first, mine[:len(first)])  # what was judged before an end is not the beginning of the list
            rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
            self.assertEqual(len(rows), 4)
            second = self.judged(report)
            self.assertEqual(len(second), 5)
            self.assertFalse(set(first[:4]) & set(second))
            kept = json.loads(report.read_text(encoding="utf-8"))
            self.assertEqual([row["by"] for row in kept["rows"]], [str(mutant.begin) for _, mutant in mine])
            self.assertIn("--count 9 --seed 3 --layer kernels/planner", kept["command"])
            with self.assertRaisesRegex(SystemExit, "another sample"):
                self.judged(report, seed=4)


if __name__ == "__main__":
    unittest.main()
