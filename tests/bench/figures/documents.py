"""README.md and docs/: quoted figures and tables filled in, typed measurements found."""
import re

from figures.allowed import ALLOWED
from figures.registry import FIGURES, TABLES, figure_text, table_text
from figures.report import ROOT

UNCHECKED = ("docs/lab-notes/", "docs/decisions/")  # tell of measurements that nothing keeps
INLINE = re.compile(r"<!--=([\w.-]+)-->(.*?)<!--/-->", re.S)
TABLE = re.compile(r"(<!-- table: ([\w.-]+) -->\n)(.*?)(<!-- /table -->)", re.S)
CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|``.+?``|`[^`\n]+`|\]\([^)\n]*\)|<[^>\n]*>", re.S | re.M)
# A time, a rate, a ratio or a share: a number and its unit. Sizes of images and files are no measurements.
MEASURED = re.compile(
    r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?: (?:to|and|or) \d[\d,]*(?:\.\d+)?)?"
    r"(?:\s*(?:[num\u00b5\u03bc]s|GB/s|TB/s|[GT]FLOP/s|Mpx\S*/s|seconds?|minutes?|hours?)(?![\w/])"
    r"|\s+s(?![\w/'])|\s*%|\s+times(?!\w)|\s*\u00d7(?!\s*\d)|x(?!\w| \d)|\s+percent(?!\w))"
)


def documents():
    """Paths from the root of what is checked and written."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def filled(name, text):
    """The document with every figure and table as it is made; and what is wrong with it."""
    wrong = []

    def value(match, known, key, make):
        if key not in known:
            wrong.append(f"{name}:{line_of(text, match.start())}: no figure or table is named {key}")
            return match[0]
        return make()

    new = INLINE.sub(lambda m: value(m, FIGURES, m[1], lambda: f"<!--={m[1]}-->{figure_text(m[1])}<!--/-->"), text)
    new = TABLE.sub(lambda m: value(m, TABLES, m[2], lambda: f"{m[1]}{table_text(m[2], name)}\n{m[4]}"), new)
    for comment in re.finditer(r"<!--=|<!-- table:", text):
        if not any(p.match(text, comment.start()) for p in (INLINE, TABLE)):
            wrong.append(f"{name}:{line_of(text, comment.start())}: a figure or table that is not closed")
    return new, wrong


def blank(match):
    """As many lines and characters, of which none makes a measurement of what stands beside."""
    return re.sub(r"[^\n]", "_", match[0])


def typed(name, text):
    """Measurements that stand in a document as text, but for those that are allowed."""
    if name.startswith(UNCHECKED):
        return []
    for hidden in (TABLE, INLINE, CODE):
        text = hidden.sub(blank, text)
    found = []
    for match in MEASURED.finditer(text):
        line = text.splitlines()[line_of(text, match.start()) - 1]
        if not any(allowed in line for place, allowed, _ in ALLOWED if place in ("", name)):
            found.append(f"{name}:{line_of(text, match.start())}: \"{match[0]}\" is typed: quote a figure instead")
    return found


def write():
    """Fills every document in; returns what is wrong."""
    wrong = []
    for name in documents():
        text = (ROOT / name).read_text(encoding="utf-8")
        new, mistakes = filled(name, text)
        wrong += mistakes
        if new != text:
            (ROOT / name).write_text(new, encoding="utf-8")
    return wrong


def check():
    """What is wrong with the documents as they are."""
    wrong, quoted = [], set()
    for name in documents():
        text = (ROOT / name).read_text(encoding="utf-8")
        new, mistakes = filled(name, text)
        wrong += mistakes
        quoted |= {match[1] for match in INLINE.finditer(text)} | {match[2] for match in TABLE.finditer(text)}
        if new != text:
            wrong.append(f"{name}: is not what its reports make it: python3 tests/bench/figures.py write")
        wrong += typed(name, text)
    return wrong + [f"{name} is defined and quoted nowhere" for name in (*FIGURES, *TABLES) if name not in quoted]
