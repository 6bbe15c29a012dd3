#!/usr/bin/env python3
"""Which mutants a text has, and which it has not: what is found decides what the share of killed ones means."""
import sys
import unittest

sys.dont_write_bytecode = True

from mutants import mutants  # noqa: E402


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


if __name__ == "__main__":
    unittest.main()
