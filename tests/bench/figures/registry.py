"""What can be quoted: each figure and table by its name, with the reports that it is made from."""
import re
from dataclasses import dataclass
from typing import Callable

from figures.report import report


@dataclass(frozen=True)
class Quoted:
    make: Callable
    kept: tuple  # names of reports
    command: str  # that repeats it; empty: those of the reports


FIGURES = {}
TABLES = {}
NOTES = ("--json", "--csv", "--markdown", "--with-rows")  # say where a report goes, not what it measures


def add(where, name, quoted):
    if name in where:
        raise ValueError(f"{name} is defined twice")
    where[name] = quoted


def figure(name, kept, make, command=""):
    """A number: `make` returns its text."""
    add(FIGURES, name, Quoted(make, (kept,) if isinstance(kept, str) else tuple(kept), command))


def table(name, *kept, command=""):
    """A function that returns a table's header and rows, as lists of texts."""
    def keep(make):
        add(TABLES, name, Quoted(make, kept, command))
        return make

    return keep


def measured_by(name):
    """The command that made the report, without the files that it wrote."""
    words = report(name)["command"].split(" ")
    kept = []
    for word, before in zip(words, [""] + words):
        if word != "--no-progress" and word not in NOTES and before not in NOTES:
            kept.append(word)
    return " ".join(kept)


def commands(quoted):
    """What repeats a figure or table, a command a line."""
    if quoted.command:
        return quoted.command.split("\n")
    return list(dict.fromkeys(measured_by(name) for name in quoted.kept))


def link(name, document):
    """The report as a link from a document of so deep a folder."""
    return f"[{name}.json]({'../' * document.count('/')}tests/bench/results/{name}.json)"


def table_text(name, document):
    """The Markdown of a table in `document` (a path from the root): rows, the reports, the commands."""
    quoted = TABLES[name]
    header, rows = quoted.make()
    if len(header) > 6:
        raise ValueError(f"table {name} has {len(header)} columns")
    lines = [f"| {' | '.join(cells)} |" for cells in [header, ["---"] * len(header), *rows]]
    lines += ["", "Kept in " + ", ".join(link(kept, document) for kept in quoted.kept) + "; measured again by", ""]
    return "\n".join([*lines, "```", *commands(quoted), "```"])


def figure_text(name):
    text = FIGURES[name].make()
    return text if isinstance(text, str) else re.sub(r"\s+", " ", str(text))
