"""Small mistakes that a C++ source could have: one operator, one constant, one condition, one statement.

Found token by token. The house's clang-format tells apart what C++ does not: a binary operator has spaces around it,
the bracket of a template and the star of a pointer have not.
"""
import re
from dataclasses import dataclass

TOKEN = re.compile(r'''
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
  | (?P<text>R"(?P<raw>[^(]*)\(.*?\)(?P=raw)"|(?:u8|[uUL])?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')
  | (?P<number>(?:\d|\.\d)(?:[eEpP][+-]|'?[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign><=>|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|.)
''', re.VERBOSE | re.MULTILINE | re.DOTALL)

# What stands between spaces, and what is put there instead.
BINARY = {
    "<": [("boundary", "<="), ("relation", ">=")],
    "<=": [("boundary", "<"), ("relation", ">")],
    ">": [("boundary", ">="), ("relation", "<=")],
    ">=": [("boundary", ">"), ("relation", "<")],
    "==": [("relation", "!=")],
    "!=": [("relation", "==")],
    "&&": [("logic", "||")],
    "||": [("logic", "&&")],
    "+": [("arithmetic", "-")],
    "-": [("arithmetic", "+")],
    "*": [("arithmetic", "/")],
    "/": [("arithmetic", "*")],
    "%": [("arithmetic", "*")],
    "&": [("arithmetic", "|")],
    "|": [("arithmetic", "&")],
    "+=": [("arithmetic", "-=")],
    "-=": [("arithmetic", "+=")],
    "*=": [("arithmetic", "/=")],
    "/=": [("arithmetic", "*=")],
    "|=": [("arithmetic", "&=")],
    "&=": [("arithmetic", "|=")],
}
WORDS = {"true": "false", "false": "true"}
EXTREMES = {"min": "max", "max": "min"}
# What a statement whose effect can be taken away does not begin with.
DECLARATIVE = set("""alignas auto case catch class const constexpr consteval constinit default do else enum explicit
    export extern for friend if inline mutable namespace operator private protected public return static static_assert
    struct switch template try typedef typename union using virtual volatile while""".split())
# Words after which a minus has nothing before it to be taken from, and a bracket is no call.
PREFIX_WORDS = {"return", "case", "throw", "co_return", "else"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    begin: int

    @property
    def end(self):
        return self.begin + len(self.text)


@dataclass(frozen=True)
class Mutant:
    """`after` in the place of what lies at [begin, end)."""
    kind: str
    begin: int
    end: int
    after: str

    def applied(self, text):
        return text[:self.begin] + self.after + text[self.end:]


def tokens(text):
    found = []
    for match in TOKEN.finditer(text):
        if match.lastgroup == "raw" or match.group("text"):
            found.append(Token("text", match.group(), match.start()))
        elif match.lastgroup != "skip":
            found.append(Token(match.lastgroup, match.group(), match.start()))
    return found


def closing(code, at):
    """The token that closes the bracket at `at`; the last one where none does."""
    depth = 0
    for i in range(at, len(code)):
        if code[i].kind != "sign":
            continue
        if code[i].text in "([{":
            depth += 1
        elif code[i].text in ")]}":
            depth -= 1
            if depth == 0:
                return i
    return len(code) - 1


class Finder:
    """All mutants of one text."""

    def __init__(self, text):
        self.text = text
        self.code = tokens(text)
        self.found = []

    def mutants(self):
        i = 0
        starts = True  # a statement may begin here
        while i < len(self.code):
            token = self.code[i]
            if token.text in ("static_assert", "using", "typedef", "friend") and token.kind == "word":
                i = self.past(i, ";")  # says nothing at run time
                continue
            if token.text == "template" and self.sign(i + 1, "<"):
                i = self.past_template(i + 1)
                continue
            if starts:
                self.statement(i)
            if token.kind == "sign":
                self.operator(i)
            elif token.kind == "number":
                self.constant(token)
            elif token.kind == "word":
                self.word(i)
            starts = token.kind == "sign" and token.text in "{};" or token.text == "else" or self.ends_condition(i)
            i += 1
        return sorted(set(self.found), key=lambda m: (m.begin, m.end, m.kind, m.after))

    def sign(self, i, *texts):
        return 0 <= i < len(self.code) and self.code[i].kind == "sign" and self.code[i].text in texts

    def add(self, kind, begin, end, after):
        self.found.append(Mutant(kind, begin, end, after))

    def past(self, i, end):
        while i < len(self.code) and not self.sign(i, end):
            i += 1
        return i + 1

    def past_template(self, i):
        depth = 0
        while i < len(self.code):
            depth += {"<": 1, ">": -1, ">>": -2}.get(self.code[i].text, 0)
            i += 1
            if depth <= 0:
                break
        return i

    def spaced(self, token):
        return self.text[token.begin - 1].isspace() and self.text[token.end:token.end + 1].isspace()

    def operator(self, i):
        token = self.code[i]
        if token.text in BINARY and self.spaced(token) and not self.prefix(i):
            for kind, after in BINARY[token.text]:
                self.add(kind, token.begin, token.end, after)
        elif token.text in ("<<", ">>") and self.spaced(token) and "number" in (self.code[i - 1].kind, self.code[i + 1].kind):
            self.add("arithmetic", token.begin, token.end, ">>" if token.text == "<<" else "<<")
        elif token.text in ("++", "--"):
            self.add("arithmetic", token.begin, token.end, "--" if token.text == "++" else "++")
        elif token.text == "-" and self.prefix(i):
            self.add("arithmetic", token.begin, token.end, "")
        elif token.text == "!":
            self.add("negation", token.begin, token.end, "")

    def prefix(self, i):
        """Nothing stands before it that it could take from."""
        before = self.code[i - 1]
        if before.kind == "word":
            return before.text in PREFIX_WORDS
        return before.kind == "sign" and before.text not in (")", "]", "}")

    def constant(self, token):
        self.add("constant", token.begin, token.end, f"({token.text} + 1)")
        if re.search("[1-9]", token.text):
            self.add("constant", token.begin, token.end, f"({token.text} - 1)")

    def word(self, i):
        token = self.code[i]
        if token.text in WORDS:
            self.add("constant", token.begin, token.end, WORDS[token.text])
        elif token.text in EXTREMES and self.sign(i - 1, "::") and self.code[i - 2].text == "std":
            self.add("extreme", token.begin, token.end, EXTREMES[token.text])
        elif token.text in ("if", "while"):
            self.condition(i)

    def condition(self, i):
        i += 1 if self.code[i + 1].text != "constexpr" else 2
        if not self.sign(i, "("):
            return
        end = closing(self.code, i)
        begin = i + 1
        depth = 0
        declares = False
        for k in range(i + 1, end):
            text = self.code[k].text if self.code[k].kind == "sign" else ""
            depth += (text in tuple("([{")) - (text in tuple(")]}"))
            if depth == 0 and text == ";":
                begin, declares = k + 1, False
            declares = declares or depth == 0 and text == "="
        if not declares and not self.negated_otherwise(begin, end):
            inside = self.text[self.code[begin].begin:self.code[end].begin]
            self.add("negation", self.code[begin].begin, self.code[end].begin, f"!({inside})")

    def negated_otherwise(self, begin, end):
        """Its one operator has that mutant already."""
        inside = self.code[begin:end]
        return not any(t.text in ("&&", "||", "?") for t in inside) and (
            self.sign(begin, "!") or any(kind == "relation" for t in inside for kind, _ in BINARY.get(t.text, ())))

    def ends_condition(self, i):
        if not self.sign(i, ")"):
            return False
        depth = 0
        for k in range(i, -1, -1):
            if self.sign(k, ")"):
                depth += 1
            elif self.sign(k, "("):
                depth -= 1
                if depth == 0:
                    return self.code[k - 1].text in ("if", "for", "while", "constexpr")
        return False

    def statement(self, i):
        first = self.code[i]
        if first.text in ("break", "continue") and self.sign(i + 1, ";"):
            return self.add("statement", first.begin, first.end, "")
        end = i
        while end < len(self.code) and not self.sign(end, ";"):
            if self.sign(end, ")", "]", "}"):
                return None
            end = closing(self.code, end) + 1 if self.sign(end, "(", "[", "{") else end + 1
        if end >= len(self.code) or not (first.text == "throw" and end > i + 1 or self.acts(i, end)):
            return None
        return self.add("statement", first.begin, self.code[end].begin, "")

    def acts(self, i, end):
        """Whether [i, end) is an assignment or a call, not a declaration."""
        if self.sign(i, "++", "--", "*"):
            return not self.sign(i, "*") or self.acts(i + 1, end)
        if self.code[i].kind != "word" or self.code[i].text in DECLARATIVE | {"throw", "delete", "break", "continue"}:
            return self.code[i].text == "delete"
        i += 1
        called = False
        while i < end:
            if self.sign(i, "::", ".", "->") and i + 1 < end and self.code[i + 1].kind == "word":
                called = False
                i += 2
            elif self.sign(i, "(", "["):
                called = self.sign(i, "(")
                i = closing(self.code, i) + 1
            elif self.sign(i, "<") and not self.spaced(self.code[i]):
                i = self.past_template(i)
            else:
                return self.sign(i, "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "++", "--")
        return called


def mutants(text):
    return Finder(text).mutants()
