"""Figures of folders of photographs: tests/bench/folder.py. A kept report of another machine is one name more."""
from figures.numbers import number, percent, times
from figures.registry import figure, table
from figures.report import report, row, rows

TWO_CORES = "cpu/folder/two-cores"
FOLDERS = (TWO_CORES, "h100/folder")
BUSY = (TWO_CORES,)  # machines with other work: their paces say nothing
NAMES = {"cpu": "`bankside`, CPU", "gpu": "`bankside`, GPU", "gpus": "`bankside`, all GPUs",
         "before": "`bankside`, the build before", "opencv": "OpenCV"}


def cells(kept, line):
    ratio = line.get("times_opencv")
    return [NAMES[line["contender"]], str(report(kept)["environment"]["cores"]),
            "" if kept in BUSY else number(line["photographs_a_second"]["median"]),
            times(ratio["median"]) if ratio else "", f"{times(ratio['low'])} to {times(ratio['high'])}" if ratio else "",
            f"{line['processor_us']['median'] / 1e3:.1f}"]


@table("folder", *FOLDERS)
def folder():
    lines = [cells(kept, line) for kept in FOLDERS for line in rows(kept)]
    return ["program", "cores", "photographs a second", "times as fast as OpenCV", "in all rounds",
            "processor time of one, ms"], lines


def cpu(name):
    return times(row(TWO_CORES, contender="cpu")[name]["median"])


figure("folder-times", TWO_CORES, lambda: cpu("times_opencv"))
figure("folder-times-processor", TWO_CORES, lambda: cpu("times_opencv_processor"))
NVJPEG = "h200/nvjpeg"
figure("nvjpeg-device", NVJPEG, lambda: number(rows(NVJPEG)[0]["device_a_second"]))
figure("nvjpeg-thread", NVJPEG, lambda: number(rows(NVJPEG)[0]["thread_a_second"]))
figure("nvjpeg-differs", NVJPEG, lambda: percent(rows(NVJPEG)[0]["green_differs"]) + " %")
figure("nvjpeg-most", NVJPEG, lambda: str(rows(NVJPEG)[0]["most"]))
