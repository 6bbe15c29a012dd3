"""Figures of several channels on an H200: figure 8 of the paper, batches, the claims."""
from figures.device import HOT, mean_and_least, median, ratios, shown, timed
from figures.numbers import number, times
from figures.registry import figure, table
from figures.report import geometric_mean, report

FIGURE8, FULL, CLAIMS = "h200/figure8", "h200/figure8-full", "h200/figure8-claims"
CLAIMS7 = "h100/figure7-claims"
GRAPH = "h200/figure8-graph"
FMA, FP16X3, FP16 = "cuda:multichannel", "cuda:multichannel-fp16x3", "cuda:multichannel-fp16"
PAIRS = ((FMA, "cudnn:fma"), (FP16X3, "cudnn:fma"), (FP16X3, "cudnn:tf32"), (FP16, "cudnn:fp16"))
GRAPHS = ((FP16X3, "cudnn:graph-tf32"), (FP16, "cudnn:graph-fp16"))
TEXT = {"cudnn:fma": "fp32", "cudnn:tf32": "TF32", "cudnn:fp16": "half"}


def by_size(name):
    """A row a filter size and one for all: geometric mean and least of our engines beside cuDNN's."""
    lines = []
    for size in (3, 5, 7, None):
        wanted = {"filter_size": size} if size else {}
        cells = [ratios(name, ours, other, **wanted).values() for ours, other in PAIRS]
        lines.append([f"{size} x {size}" if size else "all", str(len(cells[0])),
                      *(f"{times(geometric_mean(c))}, {times(min(c))}" for c in cells)])
    return ["filters", "cells", *(f"`{ours}`, cuDNN's {TEXT[other]}" for ours, other in PAIRS)], lines


@table("h200-figure8", FIGURE8, command="bankside bench paper --figure 8")
def figure8():
    return by_size(FIGURE8)


@table("h200-figure8-graph", GRAPH, command="bankside bench paper --figure 8 --engines " + ",".join(sum(GRAPHS, ())))
def figure8_graph():
    lines = []
    for size in (3, 5, 7, None):
        wanted = {"filter_size": size} if size else {}
        cells = [ratios(GRAPH, ours, other, HOT, **wanted).values() for ours, other in GRAPHS]
        lines.append([f"{size} x {size}" if size else "all", str(len(cells[0])), *map(mean_and_least, cells)])
    return ["filters", "cells", "`-fp16x3`, TF32", "`-fp16`, half precision"], lines


@table("h200-figure8-full", FULL, command="bankside bench paper --figure 8 --grid full")
def figure8_full():
    return by_size(FULL)


@table("h200-figure8-cells", FIGURE8, command="bankside bench paper --figure 8")
def cells():
    lines = []
    for size, channels, count in sorted({(r["size"], r["channels"], r["filter_count"]) for r in report(FIGURE8)["rows"]}):
        line = [f"{size}, {channels}, {count}"]
        for filter_size in (3, 5, 7):
            cell = {"size": size, "channels": channels, "filter_count": count, "filter_size": filter_size}
            ours = timed(FIGURE8, FMA, **cell)[0]
            line.append(f"{number(ours[HOT])} ({number(ours['floor_us'] / ours[HOT])})")
        cell = {"size": size, "channels": channels, "filter_count": count, "filter_size": 7}
        lines.append([*line, shown(median(FIGURE8, FP16X3, **cell)), shown(median(FIGURE8, "cudnn:fma", **cell))])
    return ["N, C, F", *(f"`{FMA}`, {k} x {k}" for k in (3, 5, 7)), "`-fp16x3`, 7 x 7", "cuDNN's fp32, 7 x 7"], lines


def batch_lines(name, ours):
    """Microseconds an image, cuDNN's best fp32 in brackets."""
    lines = []
    for problem in dict.fromkeys(r["problem"] for r in report(name)["rows"]):
        entry = timed(name, ours, problem=problem)[0]
        line = [f"{entry['size']}, {entry['channels']}, {entry['filter_count']}, {entry['filter_size']} x {entry['filter_size']}"]
        for images in (1, 4, 16, 32):
            both = [median(name, engine, problem=problem, images=images) for engine in (ours, "cudnn:fma")]
            line.append(f"{shown(both[0])} ({shown(both[1])})")
        lines.append(line)
    return ["N, C, F, filters", *(f"{n} image{'s' if n > 1 else ''}" for n in (1, 4, 16, 32))], lines


@table("h200-batches", "h200/batches", command="tests/bench/gpu_session.sh build/bin out batches")
def batches():
    return batch_lines("h200/batches", FMA)


@table("h200-batches-fp16x3", "h200/batches-fp16x3")
def batches_fp16x3():
    return batch_lines("h200/batches-fp16x3", FP16X3)


def claims(name):
    def text(value):
        return number(value) if isinstance(value, (int, float)) else value or "-"

    return (["the paper's claim", "where", "paper", "computed here", "measured here", "in"],
            [[c["claim"], c["cell"] or "-", text(c["paper"]), text(c["computed"]),
              text(c["here"]) + (f" ({c['how']})" if c["how"] else ""), c["in"]] for c in report(name)["claims"]])


table("h200-claims", CLAIMS)(lambda: claims(CLAIMS))
table("h100-claims7", CLAIMS7)(lambda: claims(CLAIMS7))


def mean(name, pair):
    return geometric_mean(ratios(name, *pair).values())


for name_, tag_ in ((FIGURE8, "figure8"), (FULL, "figure8-full")):
    for pair_, short_ in (((FMA, "cudnn:fma"), "fma"), ((FP16X3, "cudnn:fma"), "fp16x3")):
        figure(f"h200-{tag_}-{short_}", name_, lambda n=name_, p=pair_: times(mean(n, p)))
    figure(f"h200-{tag_}-cells", name_, lambda n=name_: str(len(ratios(n, FMA, "cudnn:fma"))))
