"""Figures of an NVIDIA H100: other forms of kernels, problems off the grids, peers by both interfaces. And of two GPUs
of a kind."""
from figures.device import HOT, mean_and_least, ratios, shown
from figures.numbers import number, percent, times
from figures.registry import figure, table
from figures.report import geometric_mean, report, rows

OFF_GRID, BEFORE, FEW = "h100/off-grid", "h100/few-channels-before", "h100/few-channels"
FIGURE8 = "h100/figure8-graph"
WARPS, PEERS, TORCH = "h100/tensor-warps", "h100/cudnn-interfaces", "h100/torch"
STREAM, STREAM_U8 = "h100/image-stream", "h100/image-stream-u8"
PINNED, PINNED_U8 = "h200/image-stream", "h200/image-stream-u8"
GRAPH_CALLS = "h200/call-cost"
ARCHITECTURES, VESSELS, SHAPES = "h100/architectures", "h100/vessels-time", "h100/paper-shapes"
RANDOM = "bankside bench device $(tests/bench/random_problems.py {}) --engines {}"
TUNE = ("bankside bench tune --figure 7 --sizes 1024,2048,4096 --filter-sizes 1,3,5 --filters 1,8,32 --kinds f32 "
        "--engines cuda:single-channel-paper --json FILE\n"
        "bankside bench tune --figure 8 --filter-sizes 3 --engines cuda:multichannel-paper --json FILE")
ONE = RANDOM.format("101 70 one", "cuda,cuda:single-channel,cuda:tensor,cuda:fft")
SEVERAL = RANDOM.format("102 70 several", "cuda,cuda:multichannel")


def cells(name):
    """Hot times by problem and engine, of what passed."""
    found = {}
    for r in rows(name, disposition="PASSED"):
        found.setdefault(r["problem"], {})[r["engine"]] = r
    return found


def behind(name):
    """The planner's time over the best engine's, in every problem."""
    return [each["cuda"][HOT] / min(r[HOT] for r in each.values())
            for each in cells(name).values() if "cuda" in each and len(each) > 1]


@table("h100-planner", OFF_GRID, FEW, command=ONE + "\n" + SEVERAL)
def planner():
    lines = []
    for name, what in ((OFF_GRID, "one channel"), (FEW, "2 to 12 channels")):
        ratios = behind(name)
        near = sum(ratio <= 1.2 for ratio in ratios) / len(ratios)
        lines.append([what, str(len(ratios)), percent(near), times(max(ratios))])
    return ["random problems", "count", "within 1.2 times the best engine, %", "at worst"], lines


def by_tiles():
    """Problems that tiles of all channels take now, with the time before."""
    before = {p: each["cuda:multichannel"][HOT] for p, each in cells(BEFORE).items() if "cuda:multichannel" in each}
    now = {p: each["cuda:multichannel"] for p, each in cells(FEW).items() if "cuda:multichannel" in each}
    return [(p, before[p], r[HOT]) for p, r in now.items()
            if p in before and "few_channels" in r["variant"] and r["variant"] != "few_channels"]


@table("h100-few-channels", BEFORE, FEW, command=SEVERAL)
def few_channels():
    lines = [[f"`{problem}`", number(before), number(now), times(before / now)] for problem, before, now in by_tiles()]
    return ["problem", "before, us", "now, us", "times faster"], lines


@table("h100-warps", WARPS)
def warps():
    lines = []
    for problem, each in cells(WARPS).items():
        floor = each["cuda:single-channel"]["floor_us"]
        lines.append([f"`{problem}`", shown(each["cuda:single-channel"][HOT]), shown(each["cuda:tensor"][HOT]),
                      shown(each["cuda:tensor-fp16"][HOT]), times(floor / each["cuda:tensor"][HOT])])
    return ["problem", "`cuda:single-channel`, us", "`cuda:tensor`, us", "`cuda:tensor-fp16`, us",
            "`cuda:tensor` past the FP32 floor"], lines


@table("h100-peers", PEERS)
def peers():
    lines = []
    for problem, each in cells(PEERS).items():
        for math, text in (("fma", "FP32"), ("tf32", "TF32"), ("fp16", "half precision")):
            lines.append([f"`{problem}`", text, shown(each[f"cudnn:{math}"][HOT]), shown(each[f"cudnn:graph-{math}"][HOT])])
    return ["problem", "math", "legacy calls, us", "graph interface, us"], lines


@table("h100-figure8", FIGURE8)
def figure8():
    lines = []
    for side in (3, 5, 7, None):
        wanted = {} if side is None else {"filter_size": side}
        pairs = [ratios(FIGURE8, ours, other, HOT, **wanted)
                 for ours in ("cuda:multichannel", "cuda:multichannel-fp16x3")
                 for other in ("cudnn:graph-fma", "cudnn:graph-tf32")]
        lines.append(["all" if side is None else f"{side} x {side}", str(len(pairs[0])),
                      mean_and_least(pairs[0].values()), mean_and_least(pairs[2].values()),
                      mean_and_least(pairs[3].values())])
    return ["filters", "cells", "`cuda:multichannel`, FP32", "`-fp16x3`, FP32", "`-fp16x3`, TF32"], lines


@table("h100-torch", TORCH)
def torch():
    lines = []
    for r in report(TORCH)["rows"]:
        mine = r["bankside"]
        lines.append([r["cell"], number(mine["median_us"]), number(r["torch"]["median_us"]), times(mine["times_faster"])])
    return ["filters, f32, 4096 x 4096", "`bankside`, us", "PyTorch's fp32, us", "times faster"], lines


@table("h100-architectures", ARCHITECTURES)
def architectures():
    lines = []
    for r in rows(ARCHITECTURES):
        size = r["program_bytes"]
        lines.append([f"`{r['architectures']}`", r["what"], number(r["processor_seconds"]),
                      number(size / 1e6) if size else "-"])
    return ["`BANKSIDE_CUDA_ARCHITECTURES`", "code for", "processor seconds of nvcc", "program, MB"], lines


PAPER7, PAPER8, MAPS = "h100/figure7-paper", "h100/figure8-paper", "h200/recipe-maps"


@table("h100-paper-beside", PAPER7, PAPER8)
def paper_beside():
    lines = []
    for name, what, ours, figure_name in (
            (PAPER7, "Algorithm 1 over `cuda:single-channel`", "cuda:single-channel", "figure 7"),
            (PAPER8, "Algorithm 2 over `cuda:multichannel`", "cuda:multichannel", "figure 8")):
        found = list(ratios(name, ours, ours + "-paper").values())
        lines.append([what, figure_name, str(len(found)), mean_and_least(found), times(max(found))])
    return ["time of", "grid of", "cells", "hot: geometric mean, least", "most"], lines


def steps_of_maps():
    """By step of the larger photograph, us; a bank's passes together."""
    found = {}
    for r in rows(MAPS, picture="3504 x 2336", engine="auto"):
        bank = " by " in r["what"]
        what = "bank, by " + r["what"].split(" by ")[1].split(",")[0] if bank else r["what"].split("(")[0]
        found[(r["stage"], what)] = found.get((r["stage"], what), 0) + r["us"]
    return found


@table("h200-recipe-maps", MAPS)
def recipe_maps():
    steps = steps_of_maps()
    slow = sorted((step for step in steps if steps[step] >= 100), key=lambda step: -steps[step])
    lines = [[str(stage), f"`{what}`" if "bank" not in what else what, number(steps[(stage, what)])] for stage, what in slow]
    others = len(steps) - len(slow)
    lines.append(["", f"the other {others}", number(sum(us for step, us in steps.items() if step not in slow))])
    return ["step", "what", "us"], lines


def maps_total(picture, engine):
    return next(t["compute_us"] for t in report(MAPS)["totals"] if (t["picture"], t["engine"]) == (picture, engine))


figure("h200-maps-compute", MAPS, lambda: number(maps_total("3504 x 2336", "auto") / 1e3))
figure("h200-maps-compute-small", MAPS, lambda: number(maps_total("999 x 960", "auto") / 1e3))


@table("h100-paper-shapes", SHAPES, command=TUNE)
def paper_shapes():
    return (["algorithm", "filter", "shape", "over the fastest of a cell, geometric mean", "at worst", "of shapes, cells"],
            [[str(r["algorithm"]), f"{r['filter_size']} x {r['filter_size']}", f"`{r['shape']}`", times(r["times_best"]),
              times(r["at_worst"]), f"{r['shapes']}, {r['cells']}"] for r in rows(SHAPES)])


@table("h100-vessels-time", VESSELS)
def vessels_time():
    return (["photograph", "on", "whole process, s", "of which filtering, ms"],
            [[r["picture"], r["where"], number(r["median_seconds"]), number(r["filter_ms"])] for r in rows(VESSELS)])


figure("h100-torch-15", TORCH, lambda: times(report(TORCH)["rows"][0]["bankside"]["times_faster"]))
figure("h100-few-channels", (BEFORE, FEW), lambda: times(geometric_mean(b / n for _, b, n in by_tiles())), SEVERAL)


HOSTS = {"pinned": "none: both lie in pinned memory", "pinned-out": "pixels copied, results in pinned memory",
         "all": "pixels and results copied", "nothing-out": "no results copied", "nothing-in": "no pixels copied",
         "none": "neither"}


def streams(f32, u8, hosts):
    lines = []
    for name, results in ((f32, "f32"), (u8, "u8")):
        found = {(r["host"], r["gpus"]): r for r in report(name)["rows"]}
        for host in hosts:
            what = HOSTS[host]
            one, two = found[host, 1], found[host, 2]
            lines.append([results, what, number(one["images_per_second"]), number(two["images_per_second"]),
                          times(two["times_one_gpu"])])
    return ["results", "the host's part", "images a second, one GPU", "two GPUs", "times"], lines


@table("h100-stream", STREAM, STREAM_U8)
def stream():
    return streams(STREAM, STREAM_U8, ("all", "nothing-out", "nothing-in", "none"))


@table("h200-stream", PINNED, PINNED_U8)
def pinned_stream():
    return streams(PINNED, PINNED_U8, ("pinned", "pinned-out", "none"))


figure("h200-u8-rate", PINNED_U8, lambda: number(report(PINNED_U8)["rows"][0]["images_per_second"] * 4096 ** 2 / 1e9))
figure("h200-two-gpus", PINNED, lambda: times(report(PINNED)["rows"][1]["times_one_gpu"]))


def microseconds(column):
    found = [r[column] / 1000 for r in rows(GRAPH_CALLS)]
    least, most = f"{min(found):.1f}", f"{max(found):.1f}"
    return f"{least} us" if least == most else f"{least} to {most} us"


figure("call-alone", [GRAPH_CALLS], lambda: microseconds("least_ns"))
figure("call-other", [GRAPH_CALLS], lambda: microseconds("other_memory_least_ns"))
figure("call-in-a-graph", [GRAPH_CALLS], lambda: microseconds("graph_least_ns"))


SANITIZER = "h200/sanitizer"


def under_memcheck(column):
    return f"{sum(row[column] for row in rows(SANITIZER) if row['tool'] == 'memcheck'):,}"


figure("sanitizer-memcheck-errors", SANITIZER, lambda: under_memcheck("errors"))
figure("sanitizer-memcheck-tests", SANITIZER, lambda: under_memcheck("passed"))
