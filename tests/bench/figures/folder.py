"""Figures of folders of photographs: tests/bench/folder.py. A kept report of another machine is one name more."""
from figures.numbers import times
from figures.registry import figure, table
from figures.report import report, row, rows

FOLDERS = ("cpu/folder/two-cores",)
NAMES = {"cpu": "`bankside`, CPU", "gpu": "`bankside`, GPU", "before": "`bankside`, the build before", "opencv": "OpenCV, plain"}


def against(line):
    if "times_opencv" not in line:
        return ["", ""]
    ratio = line["times_opencv"]
    return [times(ratio["median"]), f"{times(ratio['low'])} to {times(ratio['high'])}"]


@table("folder", *FOLDERS)
def folder():
    lines = []
    for kept in FOLDERS:
        cores = report(kept)["environment"]["cores"]
        for line in rows(kept):
            lines.append([NAMES[line["contender"]], str(cores), *against(line),
                          f"{line['processor_us']['median'] / 1e3:.1f}",
                          f"{line['threads_busy'] * 100:.0f} %" if "threads_busy" in line else ""])
    return ["program", "cores", "times as fast as OpenCV", "of all rounds", "processor time of one, ms",
            "its threads were busy"], lines


def cpu(field):
    return row(FOLDERS[0], contender="cpu")[field]


figure("folder-times", FOLDERS[0], lambda: times(cpu("times_opencv")["median"]))
figure("folder-times-processor", FOLDERS[0], lambda: times(cpu("times_opencv_processor")["median"]))
