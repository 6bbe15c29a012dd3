"""Figures of folders of photographs: tests/bench/folder.py. A kept report of another machine is one name more."""
from figures.numbers import number, percent, times
from figures.registry import figure, table
from figures.report import report, row, rows

TWO_CORES = "cpu/folder/two-cores"
FOLDER, LONG, RECIPE = "h200/folder", "h200/folder-10000", "h200/folder-recipe"
FOLDERS = (TWO_CORES, FOLDER, LONG)
BUSY = (TWO_CORES,)  # machines with other work: their paces say nothing
NAMES = {"cpu": "`bankside`, CPU", "gpu": "`bankside`, GPU", "gpus": "`bankside`, all GPUs",
         "before": "`bankside`, the build before", "opencv": "OpenCV"}


def cells(kept, line):
    ratio = line.get("times_opencv")
    return [NAMES[line["contender"]], str(report(kept)["environment"]["cores"]), number(report(kept)["copies"]),
            "" if kept in BUSY else number(line["photographs_a_second"]["median"]),
            f"{times(ratio['median'])} ({times(ratio['low'])} to {times(ratio['high'])})" if ratio else "",
            f"{line['processor_us']['median'] / 1e3:.1f}"]


@table("folder", *FOLDERS)
def folder():
    lines = [cells(kept, line) for kept in FOLDERS for line in rows(kept)]
    return ["program", "cores", "photographs", "a second", "times as fast as OpenCV (in all rounds)",
            "processor time of one, ms"], lines


def cpu(name):
    return times(row(TWO_CORES, contender="cpu")[name]["median"])


@table("folder-recipe", RECIPE)
def folder_recipe():
    lines = [[NAMES[line["contender"]], number(line["photographs_a_second"]["median"]),
              times(line["times_cpu"]["median"]) if line.get("times_cpu") else "", f"{line['processor_us']['median'] / 1e3:.0f}"]
             for line in rows(RECIPE)]
    return ["program", "photographs a second", "times as fast as the CPU", "processor time of one, ms"], lines


def of_one(kept, *stages, contender="cpu"):
    """Milliseconds of a processor that those stages take for a photograph."""
    line = row(kept, contender=contender)
    busy = {each["stage"]: each["busy_us"] for each in line["stages"]["busy"] if each["stage"] != "device"}
    return line["processor_us"]["median"] / 1e3 * sum(busy[stage] for stage in stages) / sum(busy.values())


def opencv(kept):
    return row(kept, contender="opencv")["processor_us"]["median"] / 1e3


def left(kept, wanted):
    """Of them, for filtering, where the program is to be so many times as fast as OpenCV."""
    return opencv(kept) / wanted - of_one(kept, "decode", "encode")


for name, kept, wanted in (("two", TWO_CORES, 13), ("sixteen", FOLDER, 20)):
    figure(f"folder-{name}-opencv", kept, lambda kept=kept: number(opencv(kept)))
    figure(f"folder-{name}-wanted", kept, lambda kept=kept, wanted=wanted: number(opencv(kept) / wanted))
    figure(f"folder-{name}-files", kept, lambda kept=kept: number(of_one(kept, "decode", "encode")))
    figure(f"folder-{name}-filter", kept, lambda kept=kept: number(of_one(kept, "filter")))
    figure(f"folder-{name}-left", kept, lambda kept=kept, wanted=wanted: number(left(kept, wanted)))
    figure(f"folder-{name}-faster", kept, lambda kept=kept, wanted=wanted:
           times(of_one(kept, "filter") / left(kept, wanted)))


def setup(kept):
    """Seconds that a GPU takes to be ready."""
    return (row(kept, contender="gpu")["one_us"] - row(kept, contender="cpu")["one_us"]) / 1e6


def setup_share(kept):
    return percent(setup(kept) * row(kept, contender="gpu")["photographs_a_second"]["median"] / report(kept)["copies"])


figure("folder-device-start", FOLDER, lambda: setup_share(FOLDER))
figure("folder-long-start", LONG, lambda: setup_share(LONG))
figure("folder-long-faster", LONG, lambda: times(
    row(LONG, contender="cpu")["photographs_a_second"]["median"] /
    row(FOLDER, contender="cpu")["photographs_a_second"]["median"]))
figure("folder-device-files", FOLDER, lambda: number(of_one(FOLDER, "decode", "encode", contender="gpu")))
figure("folder-device-most", FOLDER, lambda: number(
    report(FOLDER)["environment"]["cores"] / of_one(FOLDER, "decode", "encode", contender="gpu") * 1e3))
figure("folder-device-setup", FOLDER, lambda: number(setup(FOLDER)))
figure("folder-times", TWO_CORES, lambda: cpu("times_opencv"))
figure("folder-times-processor", TWO_CORES, lambda: cpu("times_opencv_processor"))
NVJPEG = "h200/nvjpeg"
figure("nvjpeg-device", NVJPEG, lambda: number(rows(NVJPEG)[0]["device_a_second"]))
figure("nvjpeg-thread", NVJPEG, lambda: number(rows(NVJPEG)[0]["thread_a_second"]))
figure("nvjpeg-differs", NVJPEG, lambda: percent(rows(NVJPEG)[0]["green_differs"]) + " %")
figure("nvjpeg-most", NVJPEG, lambda: str(rows(NVJPEG)[0]["most"]))
