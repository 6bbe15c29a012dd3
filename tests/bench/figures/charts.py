"""The charts of docs/benchmarks, drawn from the same reports as the tables."""
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of what draws)
from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: E402

from figures import cpu, multichannel, single_channel as single  # noqa: E402
from figures.device import COLD, HOT, ratios, timed  # noqa: E402
from figures.report import ROOT, report, rows  # noqa: E402

FOLDER = ROOT / "docs/benchmarks"
# Okabe and Ito's colours, told apart by the colour-blind; markers tell them apart in grey.
BLUE, ORANGE, GREEN, RED, SKY, PINK, GREY = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#555555")
STYLE = {
    "font.size": 10, "axes.titlesize": 11, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "axes.axisbelow": True, "grid.color": "#dddddd", "grid.linewidth": 0.6, "legend.frameon": False,
    "svg.fonttype": "none", "svg.hashsalt": "bankside", "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Arial", "Helvetica"], "figure.facecolor": "white",
}
PLAIN = FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")


def logarithmic(axes, sizes, label):
    """Both axes logarithmic, filter sizes as ticks."""
    axes.set(xscale="log", yscale="log", xlabel="filter size K (K x K taps)", ylabel=label)
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(PLAIN)


def line(axes, points, label, colour, marker, style="-"):
    points = sorted((x, y) for x, y in points if y)
    if points:
        hollow = "none" if style == "--" else colour  # where lines meet both are seen
        axes.plot(*zip(*points), style, color=colour, marker=marker, markersize=6, markerfacecolor=hollow, linewidth=1.6,
                  label=label)


def limit(axes, points, label, style):
    axes.plot(*zip(*sorted(points)), style, color=GREY, linewidth=1.2, label=label)


def cpu_time(axes, machine):
    """Twelve filters over the filter size on one machine: ours, filter2D, the limits of one thread."""
    name = cpu.TWELVE[machine]
    wanted = {"size": 2048, "filter_count": 12, "type": "f32", "threads": 1, "combine": "none"}
    shown = (("cpu", BLUE, "o", "-"), ("cpu:direct", SKY, "^", "--"), ("opencv:filter2D", ORANGE, "s", "-"))
    for engine, colour, marker, style in shown:
        line(axes, [(r["filter_size"], r["median_us"] / 1e3) for r in rows(name, engine=engine, **wanted)],
             engine, colour, marker, style)
    rates = next(entry for entry in report(name)["limits"] if entry["threads"] == 1)
    pixels = 2048 * 2048 * 12
    limit(axes, [(k, 2 * k * k * pixels / rates["gflops"] / 1e6) for k in cpu.SIZES], "multiply-adds alone", ":")
    limit(axes, [(k, 4 * pixels / rates["store_gigabytes_per_second"] / 1e6) for k in cpu.SIZES], "writing the maps", "-.")
    logarithmic(axes, cpu.SIZES, "time, ms")
    axes.set_title(machine)


def cpu_chart():
    figure, places = plt.subplots(1, 3, figsize=(12, 4.4), sharey=True, layout="constrained")
    for axes, machine in zip(places, cpu.TWELVE):
        cpu_time(axes, machine)
    for axes in places[1:]:
        axes.set_ylabel("")
    handles, labels = places[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5)
    figure.suptitle("Twelve dense filters over 2048 x 2048 f32, one thread")
    return figure


TENSOR_SHOWN = (("cuda:single-channel", BLUE, "o", "-"), ("cuda:tensor", GREEN, "^", "-"),
                ("cuda:tensor-fp16", SKY, "v", "-"), ("cudnn:fma", ORANGE, "s", "--"),
                ("cudnn:tf32", RED, "D", "--"), ("cudnn:fp16", PINK, "P", "--"))


def tensor_chart():
    figure, places = plt.subplots(1, 2, figsize=(11, 5), sharey=True, layout="constrained")
    for axes, kind in zip(places, ("u8", "f32")):
        cells = {"filter_count": 12, "type": kind, "combine": "none"}
        for engine, colour, marker, style in TENSOR_SHOWN:
            line(axes, [(r["filter_size"], r[HOT]) for r in timed(single.CHART, engine, **cells)],
                 engine, colour, marker, style)
        ours = {r["filter_size"]: r for r in timed(single.CHART, single.SINGLE, **cells)}
        fma = report(single.CHART)["limits"][0]["gflops"] / 1e3
        limit(axes, [(k, r["flops"] / fma / 1e6) for k, r in ours.items()], "FP32 multiply-adds alone", ":")
        limit(axes, [(k, r["stream_us"]) for k, r in ours.items()], "reading and writing alone", "-.")
        logarithmic(axes, (3, 5, 7, 9, 11, 15, 21, 31), "time, us")
        axes.set_title(f"{kind} images" + (" (cuDNN: f32, zero border)" if kind == "f32" else ""))
    places[1].set_ylabel("")
    handles, labels = places[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    figure.suptitle("Twelve dense filters over 4096 x 4096, f32 maps, NVIDIA H200, caches warm")
    return figure


def bars(axes, groups, series):
    """Groups of bars side by side on a logarithmic axis around one: `series` is (label, colour, hatch, {group: value})."""
    width = 0.8 / len(series)
    for i, (label, colour, hatch, values) in enumerate(series):
        places = [g + (i - (len(series) - 1) / 2) * width for g, key in enumerate(groups) if values.get(key)]
        heights = [values[key] for key in groups if values.get(key)]
        axes.bar(places, [h - 1 for h in heights], width, bottom=1, color=colour, hatch=hatch, edgecolor="white",
                 linewidth=0.4, label=label)
    axes.set_yscale("log")
    axes.axhline(1, color="black", linewidth=1)
    axes.yaxis.set_major_formatter(PLAIN)
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x", visible=False)


def figure7_chart():
    figure, places = plt.subplots(1, 3, figsize=(12, 4.4), sharey=True, layout="constrained")
    peers = (("cudnn:fma", "cuDNN, best fp32", ORANGE, ""), ("npp:filter-border", "NPP", GREEN, "//"),
             ("cufft:bank", "cuFFT, a bank", PINK, ".."), ("cuda:single-channel-paper", "Algorithm 1", SKY, "\\\\"))
    for axes, size in zip(places, (1, 3, 5)):
        groups = [(n, f) for n in (1024, 2048, 4096) for f in (1, 8, 32)]
        series = []
        for peer, label, colour, hatch in peers:
            found = ratios(single.FIGURE7, single.SINGLE, peer, COLD, filter_size=size)
            series.append((label, colour, hatch, {(key[0], key[3]): value for key, value in found.items()}))
        bars(axes, groups, series)
        axes.set_xticks(range(len(groups)), [str(f) for _, f in groups])
        axes.set_yticks([1, 2, 5, 10, 20])
        axes.set(title=f"{size} x {size} filters", xlabel="filters", ylim=(1, 20),
                 ylabel="times as long as cuda:single-channel" if size == 1 else "")
        for place, pixels in enumerate((1024, 2048, 4096)):
            axes.text(1 + 3 * place, 17, f"N = {pixels}", ha="center", va="center")
        for edge in (2.5, 5.5):
            axes.axvline(edge, color="#bbbbbb", linewidth=0.8)
    handles, labels = places[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    figure.suptitle("One channel, NVIDIA H200, N x N f32, caches cold: other libraries' times over ours")
    return figure


def figure8_chart():
    figure, places = plt.subplots(3, 1, figsize=(10, 9), sharex=True, layout="constrained")
    ours = ((multichannel.FMA, BLUE, ""), (multichannel.FP16X3, GREEN, "//"), ("cudnn:tf32", RED, ".."),
            (multichannel.FP16, SKY, "\\\\"), ("cudnn:fp16", PINK, "xx"))
    groups = sorted({(r["size"], r["channels"], r["filter_count"]) for r in report(multichannel.FIGURE8)["rows"]})
    for axes, size in zip(places, (3, 5, 7)):
        series = []
        for engine, colour, hatch in ours:
            found = ratios(multichannel.FIGURE8, engine, "cudnn:fma", filter_size=size)
            series.append((engine, colour, hatch, {(k[0], k[2], k[3]): v for k, v in found.items()}))
        bars(axes, groups, series)
        axes.set_yticks([1, 2, 5, 10, 20])
        axes.set(title=f"{size} x {size} filters", ylabel="times faster")
    places[-1].set_xticks(range(len(groups)), [f"{n}, {c}, {f}" for n, c, f in groups])
    places[-1].set_xlabel("N (pixels a side), C (channels), F (filters)")
    handles, labels = places[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5)
    figure.suptitle("Several channels, NVIDIA H200, caches warm: times faster than cuDNN's best fp32")
    return figure


CHARTS = {"cpu-filter-size": cpu_chart, "h200-filter-size": tensor_chart, "h200-figure7": figure7_chart,
          "h200-figure8": figure8_chart}


def draw(folder=FOLDER, kind="svg"):
    folder.mkdir(parents=True, exist_ok=True)
    with plt.rc_context(STYLE):
        for name, make in CHARTS.items():
            figure = make()
            path = folder / f"{name}.{kind}"
            figure.savefig(path, metadata={"Date": None} if kind == "svg" else None, dpi=110)
            plt.close(figure)
            if kind == "svg":  # hundredths of a point are enough
                short = re.sub(r"-?\d+\.\d{3,}", lambda m: f"{float(m[0]):.2f}", path.read_text(encoding="utf-8"))
                path.write_text(re.sub(r"[ \t]+$", "", short, flags=re.M), encoding="utf-8")
