#!/usr/bin/env python3
"""Would a test notice? Small mistakes in core, filters and the planner, one at a time, and the tests that find them.

  mutate.py list SOURCE                        the mutants of one source
  mutate.py run BUILD REPORT [--count 160] [--seed 1] [--layer NAME] [--own] [--jobs 1] [--without TESTS]
                                               a sample, of one layer or of all, or every mutant if there are no
                                               more; judges what a report of the same sample has not;
                                               --own: with the layer's own test program alone
  mutate.py again BUILD REPORT [--own] [--jobs 1] [--without TESTS]
                                               the survivors of a report once more, after tests were written, but for
                                               those that are equivalent
  mutate.py keep REPORT KEPT                   the report as it is kept: every survivor, and the others as counts

BUILD is a folder of the preset release, configured with CMAKE_UNITY_BUILD=OFF, whose test programs are built. TESTS are googletest's names of those that fail
on this system without a mutant. The reason why a survivor is equivalent goes
into equivalent.json.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

from figures.keep import kept  # noqa: E402
from mutants import mutants  # noqa: E402
from programs import PROGRAMS, ROOT, Build, layer, suites  # noqa: E402
from workers import Workers  # noqa: E402

OUTCOMES = ["killed", "work limit", "survived", "same object", "did not compile"]
EQUIVALENT = Path(__file__).resolve().parent / "equivalent.json"


def sources(only=None):
    found = []
    for name in [only] if only else PROGRAMS:
        found += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / name).rglob("*.cpp"))
    return found


def sample(count, seed, only=None):
    """One of each of `count` parts of all mutants in the order of their sources: spread over files by size."""
    everything = [(source, mutant) for source in sources(only)
                  for mutant in mutants((ROOT / source).read_text(encoding="utf-8"))]
    count = min(count, len(everything))
    chance = random.Random(seed)
    edges = [len(everything) * i // count for i in range(count + 1)]
    return len(everything), [everything[chance.randrange(low, high)] for low, high in zip(edges, edges[1:])]


def described(source, mutant):
    text = (ROOT / source).read_text(encoding="utf-8")
    line_begin = text.rfind("\n", 0, mutant.begin) + 1
    return {"source": source, "line": text.count("\n", 0, mutant.begin) + 1, "column": mutant.begin - line_begin + 1,
            "kind": mutant.kind, "before": text[mutant.begin:mutant.end], "after": mutant.after}


def steps(build, source, own=False):
    """(program, googletest's filter) in the order in which they look at a mutant: the suites of its folder first."""
    programs = build.tests(source)
    if not programs:
        sys.exit(f"{source}: none of its test programs is built: {', '.join(PROGRAMS[layer(source)])}")
    near = suites(Path(source).parent.as_posix())
    return [(programs[0], near)] * bool(near) + [(program, "") for program in (programs[:1] if own else programs)]


def judged(build, source, mutant, usual, own=False):
    """(outcome, by whom): the first of the test programs that notices."""
    changed = build.compile(source, mutant.applied((ROOT / source).read_text(encoding="utf-8")))
    if changed is None:
        return "did not compile", ""
    if changed.object.read_bytes() == build.object_of(source).read_bytes():
        return "same object", ""
    for program, wanted in steps(build, source, own):
        ending = build.run(program, wanted, changed, limit=3 * usual[program, wanted] + 10)
        if ending is None:
            return "did not compile", f"{program} cannot be linked"
        if ending.limit:
            return "work limit", f"{program}: {ending.failed}"
        if ending.code != 0:
            return "killed", f"{program}: {ending.failed}"
    return "survived", ""


def usually(build, program, wanted):
    """The processor time that these tests take without a mutant."""
    ending = build.run(program, wanted)
    if ending.code != 0:
        sys.exit(f"{program} {wanted} fails without a mutant: {ending.failed}")
    return ending.seconds


def outcomes(workers, some, own=False):
    """(index, outcome, by whom) of each of [(source, mutant)], as they are known."""
    build = workers.build
    build.require({source for source, _ in some})
    wanted = sorted({step for source, _ in some for step in steps(build, source, own)})
    usual = dict(zip(wanted, workers.map(usually, wanted)))
    waiting = {workers.submit(judged, source, mutant, usual, own): i for i, (source, mutant) in enumerate(some)}
    for done in as_completed(waiting):
        try:
            outcome, by = done.result()
        except BrokenProcessPool:
            sys.exit("a process that judged mutants was ended: the same command goes on with what is left")
        except OSError as error:
            source, mutant = some[waiting[done]]
            print(f"left for another run: {source} {mutant.after!r}: {error}", file=sys.stderr)
            continue
        yield waiting[done], outcome, by


def written(report, content):
    made = report.with_name(report.name + ".part")
    made.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    made.replace(report)


def command(chosen):
    only = f" --layer {chosen.layer}" if chosen.layer else ""
    return f"tests/mutation/mutate.py run build REPORT --count {chosen.count} --seed {chosen.seed}{only}" + " --own" * chosen.own


def run(workers, report, chosen):
    """The report is written after every mutant, so that a run that was ended goes on. They are judged in a random order:
    those of a run that was ended are a sample too."""
    candidates, mine = sample(chosen.count, chosen.seed, chosen.layer)
    revision = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    content = {"command": command(chosen), "revision": revision.stdout.strip(), "seed": chosen.seed,
               "candidates": candidates, "count": len(mine), "rows": []}
    if report.exists():
        content = json.loads(report.read_text(encoding="utf-8"))
    rows = content["rows"]
    places = {identity(described(*one)): i for i, one in enumerate(mine)}
    if any(identity(row) not in places for row in rows):
        sys.exit(f"{report} is of another sample")
    open_ = sorted(set(range(len(mine))) - {places[identity(row)] for row in rows})
    random.Random(chosen.seed).shuffle(open_)
    for i, outcome, by in outcomes(workers, [mine[k] for k in open_], chosen.own):
        row = {**described(*mine[open_[i]]), "outcome": outcome, "by": by}
        rows.append(row)
        rows.sort(key=lambda one: places[identity(one)])
        written(report, content)
        print(f"{len(rows)}/{len(mine)} {said(row)}", flush=True)


def identity(row):
    return tuple(row[key] for key in ("source", "line", "column", "kind", "before", "after"))


def again(workers, report, own):
    content = json.loads(report.read_text(encoding="utf-8"))
    rows, some = [], []
    for row in content["rows"]:
        if row["outcome"] != "survived" or reason(row):
            continue
        source = row["source"]
        same = [m for m in mutants((ROOT / source).read_text(encoding="utf-8"))
                if identity(described(source, m)) == identity(row)]
        if not same:
            print(f"{said(row)}: the source is another by now")
            continue
        rows.append(row)
        some.append((source, same[0]))
    for i, rows[i]["outcome"], rows[i]["by"] in outcomes(workers, some, own):
        print(said(rows[i]), flush=True)
        written(report, content)


def said(row):
    return f"{row['outcome']}: {row['source']}:{row['line']}:{row['column']} {row['before']!r} -> {row['after']!r} {row['by']}"


def reason(row):
    """Why no test can notice it, if somebody found that."""
    for known in json.loads(EQUIVALENT.read_text(encoding="utf-8")):
        if all(known[key] == row[key] for key in ("source", "line", "before", "after")):
            return known["reason"]
    return ""


def keep(report, path):
    content = json.loads(report.read_text(encoding="utf-8"))
    rows = content.pop("rows")
    content["judged"] = len(rows)
    counts = []
    for name in PROGRAMS:
        mine = [row["outcome"] for row in rows if layer(row["source"]) == name]
        counts.append({"layer": name, **{outcome: mine.count(outcome) for outcome in OUTCOMES}})
    survivors = [{key: row[key] for key in ("source", "line", "kind", "before", "after")} | {"reason": reason(row)}
                 for row in rows if row["outcome"] == "survived"]
    for row in counts:
        row["equivalent"] = sum(1 for s in survivors if s["reason"] and layer(s["source"]) == row["layer"])
    written(path, {**content, "rows": counts, "survivors": survivors})
    path.write_text(kept(path), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    verbs.add_parser("list").add_argument("source")
    for verb in ("run", "again"):
        one = verbs.add_parser(verb)
        one.add_argument("build", type=Path)
        one.add_argument("report", type=Path)
        one.add_argument("--jobs", type=int, default=1)
        one.add_argument("--without", default="", metavar="TESTS")
        one.add_argument("--own", action="store_true")
        if verb == "run":
            one.add_argument("--count", type=int, default=160)
            one.add_argument("--layer", choices=PROGRAMS)
            one.add_argument("--seed", type=int, default=1)
    one = verbs.add_parser("keep")
    one.add_argument("report", type=Path)
    one.add_argument("kept", type=Path)
    chosen = parser.parse_args()
    if chosen.verb == "list":
        for mutant in mutants((ROOT / chosen.source).read_text(encoding="utf-8")):
            row = described(chosen.source, mutant)
            print(f"{row['line']}:{row['column']} {row['kind']} {row['before']!r} -> {row['after']!r}")
        return
    if chosen.verb == "keep":
        keep(chosen.report, chosen.kept)
        return
    with tempfile.TemporaryDirectory(prefix="bankside-mutation-") as work:
        workers = Workers(Build(chosen.build, work, chosen.without), chosen.jobs)
        if chosen.verb == "run":
            run(workers, chosen.report, chosen)
        else:
            again(workers, chosen.report, chosen.own)


if __name__ == "__main__":
    main()
