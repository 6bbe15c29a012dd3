"""The runs whose every call fails once, and what each of them must leave: see every_call.py."""
import json
import math
from pathlib import Path

FOREIGN = {"out/mine.txt": b"not of bankside\n", "out/.notes": b"hidden\n", "out/other.max.txt": b"of nobody\n"}
SEEDS = "plain.ppm grey.png deep.png".split()
STEPS = {
    "bankside": "recipe", "version": 4, "title": "Edges over their neighbourhood",
    "steps": [
        {"do": "unit"},
        {"name": "edges", "bank": "sobel", "combine": ["magnitude"]},
        {"name": "rms", "do": "local-rms", "sigma": 2},
        {"name": "contrast", "do": "quotient", "takes": ["edges", "rms"], "floor": 1e-3},
    ],
}
PAGES = {".svg": b"</svg>\n", ".html": b"</html>\n"}  # and what they end with
BANK = json.dumps({"schemaVersion": 1, "filters": [
    {"label": "dx", "height": 3, "width": 3, "taps": [-1, 0, 1, -2, 0, 2, -1, 0, 1]},
    {"label": "dy", "height": 2, "width": 3, "taps": [-1, -2, -1, 1, 2, 1]}]}).encode()
MAXIMUM = "--bank roberts --combine max --engine cpu:direct --no-progress"


def grey(width, height):
    pixels = bytes((x * 7 + y * y * 3 + x * y) % 251 for y in range(height) for x in range(width))
    return b"P5 %d %d 255\n" % (width, height) + pixels


def made(name):
    """An image that is none of the seeds."""
    return grey(600 if name.startswith("wide") else 64, 700)


def truths(*names):
    """A mask for each of the seeds: as many pixels, every other one of a vessel."""
    sizes = {"plain.ppm": (2, 2), "grey.png": (4, 3), "deep.png": (2, 2)}
    return {f"truth/{Path(name).stem}_truth.pgm":
            b"P5 %d %d 255\n" % sizes[name] + b"".join(b"\xff\0"[i % 2:i % 2 + 1] for i in range(math.prod(sizes[name])))
            for name in names}


def tree(folder):
    """Every file below, by its path."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


class Run:
    """One command, begun anew in a folder of its own as often as one wants."""

    def __init__(self, name, lines, inputs=(), prepare=(), report=None, again=None, before=False, more=None,
                 crowd=False):
        self.name = name
        self.crowd = crowd  # of more threads than there are processors: each of them fails in every sample
        self.line = lines.split()
        self.inputs = list(inputs)
        self.more = more or {}  # files beside the inputs, by their paths
        self.prepare = [line.split() for line in prepare]  # commands that are run before, undisturbed
        self.report = report
        self.again = [line.split() for line in again or [lines]]  # undisturbed, behind a fault
        self.before = before  # the command itself has run before

    def begin(self, folder, seeds):
        (folder / "in").mkdir(parents=True)
        for name in self.inputs:
            source = next(seeds.glob("*/" + name), None)
            (folder / "in" / name).write_bytes(source.read_bytes() if source else made(name))
        (folder / "steps.json").write_text(json.dumps(STEPS))
        for name, content in (FOREIGN | self.more).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)

    def restore(self, folder, begun):
        """As `begun` was, the inputs with their times."""
        for path in sorted(folder.rglob("*"), reverse=True):
            name = str(path.relative_to(folder))
            if path.is_dir():
                if not any(path.iterdir()) and name not in ("in", "out"):
                    path.rmdir()
            elif name not in begun:
                path.unlink()
            elif path.read_bytes() != begun[name]:
                path.write_bytes(begun[name])
        for name in begun:
            if not (folder / name).exists():
                raise AssertionError(name + " is gone")

    def is_result(self, name):
        return name.startswith("out/") and name not in FOREIGN and not self.is_note(name)

    @staticmethod
    def is_note(name):
        """Written by bankside, with times in it."""
        return name.endswith((".json", ".jsonl", ".csv", ".shards", ".md")) or ".journals/" in name

    @staticmethod
    def is_page(name):
        """A picture of the run for people: another one where an image failed, but whole."""
        return name.endswith(tuple(PAGES))

    def is_own(self, name):
        """Neither made by the run nor to be touched by it."""
        return name in FOREIGN or name in self.more or name == "steps.json" or name.startswith("in/")

    @staticmethod
    def is_journal(name):
        """Named after its plan, which is another one where a file could not be looked at."""
        return name.startswith("study.jsonl.journals/")

    @staticmethod
    def is_part(name):
        return Path(name).name.startswith(".") and name.endswith(".part")


def runs():
    pages = f"filter in --output out {MAXIMUM} --report report.json"
    batch = (f"batch in out {MAXIMUM} --no-responses --manifest study.jsonl --verify-done hash --json report.json"
             " --csv report.csv")
    many = [f"wide{i}.pgm" for i in range(12)]
    work = "--bank sobel --combine max --engine cpu --no-progress --threads 8"
    return [
        Run("crowd", f"filter in --output out {work} --report report.json", many, report="report.json", crowd=True),
        Run("crowd-batch", f"batch in out {work} --no-responses --json report.json", many, crowd=True),
        Run("crowd-evaluate", f"evaluate --images in --truth truth --threshold 20 --json evaluation.json {work}",
            many[:2], more={f"truth/{Path(name).stem}.pgm": made(name) for name in many[:2]}, crowd=True),
        Run("crowd-compare", "compare in/wide0.pgm --bank sobel --combine max --rounds 2"
            " --seconds 0 --threads 8 --engines cpu,cpu:fft --no-progress --json compare.json", many[:1], crowd=True),
        Run("pages", pages + " --threads 1", SEEDS, report="report.json"),
        Run("threads", pages + " --threads 2 --format png --map stretch", SEEDS, report="report.json"),
        Run("stack", pages + " --threads 2", ["two-pages.pgm"], report="report.json"),
        Run("again", pages + " --threads 1", SEEDS, report="report.json", before=True),
        Run("bands", pages + " --threads 2 --memory 128K", ["large.pgm"], report="report.json"),
        Run("chain", pages + " --threads 1 --activation abs --then gaussian:sigma=1", ["grey.png"],
            report="report.json"),
        Run("steps", "filter in --output out --recipe steps.json --engine cpu:direct --threads 1 --no-progress"
            " --report report.json", SEEDS, report="report.json"),
        Run("batch", batch + " --threads 2", SEEDS,
            again=[batch + " --threads 2", "batch audit --manifest study.jsonl --verify-done hash"]),
        Run("batch-again", batch + " --threads 1", SEEDS, before=True,
            again=[batch + " --threads 1", "batch audit --manifest study.jsonl --verify-done hash"]),
        Run("batch-run", "batch run --manifest study.jsonl --threads 1 --verify-done hash --no-progress", SEEDS,
            prepare=[f"batch plan in out {MAXIMUM} --manifest study.jsonl".replace("--no-progress", "")],
            again=["batch run --manifest study.jsonl --threads 1 --verify-done hash --no-progress",
                   "batch audit --manifest study.jsonl --verify-done hash"]),
        Run("compare", "compare in/grey.png --bank roberts --engines cpu:direct,reference --threads 2 --rounds 2"
            " --seconds 0 --no-progress --json compare.json --csv compare.csv", ["grey.png"]),
        Run("bench", "bench cpu --sizes 16 --filter-sizes 3 --filters 2 --types u8 --threads 1 --rounds 2 --seconds 0"
            " --engines cpu:direct,cpu:karatsuba --no-limits --no-progress --json bench.json --csv bench.csv"),
        Run("evaluate", "evaluate --images in --truth truth --bank roberts --combine max --channel luma --engine cpu:direct"
            " --threads 1 --threshold 20 --json evaluation.json --csv evaluation.csv --markdown evaluation.md"
            " --plot plot.svg --overlays out --no-progress", SEEDS, more=truths(*SEEDS)),
        Run("evaluate-ready", "evaluate --responses in --truth truth --threads 2 --threshold 20 --json evaluation.json"
            " --overlays out --no-progress", ["grey.png"], more=truths("grey.png")),
        Run("batch-merge", "batch merge --manifest study.jsonl --json merged.json --csv merged.csv --sheet sheet.html",
            SEEDS, prepare=[f"batch in out {MAXIMUM} --no-responses --manifest study.jsonl"]),
        Run("batch-audit", "batch audit --manifest study.jsonl --verify-done hash --json audit.json",
            SEEDS, prepare=[f"batch in out {MAXIMUM} --no-responses --manifest study.jsonl --verify-done hash"]),
        Run("phantom", "phantom --output out --size 64"),
        Run("mosaic", "phantom --output out --size 64 --mosaic 150x90"),
        Run("export", "banks export kirsch out/kirsch.npz"),
        Run("export-json", "banks export vessel-matched:orientations=3 out/matched.kernel"),
        Run("convert", "banks export mine.json out/mine.yml", more={"mine.json": BANK}),
        Run("convert-one", "banks export mine.json out/mine.mat --filter dx", more={"mine.json": BANK}),
        Run("analyze", "banks analyze mine.json --image in/grey.png --at 2,2 --json analysis.json", ["grey.png"],
            more={"mine.json": BANK}),
    ]
