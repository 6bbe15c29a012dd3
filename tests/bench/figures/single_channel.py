"""Figures of one channel on an H200: figure 7 of the paper, the tensor cores, error, bank width."""
from figures.device import COLD, HOT, mean_and_least, median, ratios, shown, timed
from figures.numbers import number, percent, span, times
from figures.registry import figure, table
from figures.report import geometric_mean, report, row, rows

FIGURE7, CHART, NARROW, TENSOR, FP16 = (
    f"h200/{name}" for name in ("figure7", "tensor-chart", "narrow", "tensor", "tensor-fp16"))
SINGLE, HALVES, ONE_HALF = "cuda:single-channel", "cuda:tensor", "cuda:tensor-fp16"
PAPER_CELLS = {"size": (1024, 2048, 4096), "filter_size": (1, 3, 5), "filter_count": (1, 8, 32)}
PAPER_GRID = ("bankside bench paper --figure 7 --sizes 1024,2048,4096 --filter-sizes 1,3,5 --filters 1,8,32 "
              "--engines cuda:single-channel,cudnn:fma,cudnn:tf32,npp:filter-border,cufft:bank")


@table("h200-figure7", FIGURE7,
       command="bankside bench paper --figure 7 --sizes 4096 --filter-sizes 1,3,5,7,9,11,15 "
               "--engines cuda:single-channel,cudnn:fma,npp:filter-border")
def figure7():
    lines = []
    for ours in sorted(timed(FIGURE7, SINGLE, size=4096), key=lambda r: (r["filter_size"], r["filter_count"])):
        cell = {key: ours[key] for key in ("size", "filter_size", "filter_count")}
        cudnn, npp = (median(FIGURE7, peer, COLD, **cell) for peer in ("cudnn:fma", "npp:filter-border"))
        lines.append([f"{ours['filter_size']} x {ours['filter_size']}, {ours['filter_count']}", number(ours[COLD]), number(ours["floor_us"]), shown(cudnn),
                      times(cudnn / ours[COLD]) if cudnn else "-", shown(npp)])
    return ["filters", "`cuda:single-channel`, us", "floor, us", "cuDNN's best fp32, us", "times faster", "NPP, us"], lines


PEERS = {"cudnn:fma": "cuDNN, best fp32", "cudnn:tf32": "cuDNN, TF32 allowed", "npp:filter-border": "NPP",
         "cufft:bank": "cuFFT, a bank", "cuda:single-channel-paper": "the paper's Algorithm 1"}


@table("h200-figure7-peers", FIGURE7, command=PAPER_GRID)
def figure7_peers():
    lines = []
    for peer, text in PEERS.items():
        hot, cold = (ratios(FIGURE7, SINGLE, peer, which, **PAPER_CELLS).values() for which in (HOT, COLD))
        lines.append([text, str(len(hot)), times(geometric_mean(hot)), times(min(hot)), times(geometric_mean(cold)),
                      times(min(cold))])
    return ["beside", "cells", "hot: geometric mean", "hot: least", "cold: geometric mean", "cold: least"], lines


@table("h200-tensor", CHART,
       command="bankside bench device --sizes 4096 --filters 12 --types u8,f32 --engines cuda:single-channel,cuda:tensor,cuda:tensor-fp16")
def tensor():
    lines = []
    for size in (3, 5, 7, 9, 11, 13, 15, 21, 25, 31):
        cell = {"filter_size": size, "filter_count": 12, "combine": "none", "border": "reflect101"}
        lines.append([f"{size} x {size}",
                      *(shown(median(CHART, engine, type="u8", **cell)) for engine in (SINGLE, HALVES, ONE_HALF)),
                      *(shown(median(CHART, engine, type="f32", **cell)) for engine in (SINGLE, HALVES))])
    return ["filters", *(f"u8, `{engine}`" for engine in (SINGLE, HALVES, ONE_HALF)),
            *(f"f32, `{engine}`" for engine in (SINGLE, HALVES))], lines


@table("h200-tensor-filters", CHART,
       command="bankside bench device --sizes 4096 --filters 1,8,12,32 --types u8 --engines cuda:single-channel,cuda:tensor")
def tensor_filters():
    lines = []
    for size in (5, 7, 9, 11, 15, 21, 31):
        line = [f"{size} x {size}"]
        for count in (1, 8, 12, 32):
            cell = {"filter_size": size, "filter_count": count, "type": "u8", "combine": "none"}
            single, halves = (median(CHART, engine, **cell) for engine in (SINGLE, HALVES))
            line.append(f"{shown(halves)} ({times(single / halves) if single and halves else '-'})")
        lines.append(line)
    return ["filters", *(f"{count} filter{'s' if count > 1 else ''}" for count in (1, 8, 12, 32))], lines


@table("h200-tensor-types", TENSOR, NARROW,
       command="bankside bench device --sizes 4096 --filters 12 --types u8,u16,f16,f32 --combine none,max --engines cuda:tensor")
def tensor_types():
    lines = []
    for size in (5, 7, 9, 11, 13, 15, 21, 31):
        line = [f"{size} x {size}"]
        for kind, combine in (("u8", "none"), ("u8", "max"), ("u16", "none"), ("u16", "max"), ("f32", "none")):
            cell = {"size": 4096, "filter_size": size, "filter_count": 12, "type": kind, "dst_type": "f32", "combine": combine}
            line.append(shown(median(TENSOR, HALVES, **cell) or median(NARROW, HALVES, **cell)))
        lines.append(line)
    return ["filters", "u8", "u8, maximum", "u16", "u16, maximum", "f32"], lines


@table("h200-tensor-fp16", FP16)
def tensor_fp16():
    lines = []
    for size in (7, 11, 15, 21, 31):
        cell = {"filter_size": size, "filter_count": 12, "combine": "max"}
        both = [[median(FP16, engine, type=kind, **cell) for engine in (HALVES, ONE_HALF)]
                for kind in ("u8", "u16", "f32")]
        lines.append([f"{size} x {size}", *(f"{number(two)}, {number(one)} ({times(two / one)})" for two, one in both)])
    return ["12 filters, maximum", "u8", "u16", "f32"], lines


TWELVE = " ".join(f"c1h4096w4096-f12k15-reflect101-u8:f32-{combine}" for combine in ("none", "max", "argmax"))
VESSEL_COMMANDS = "\n".join(
    f"bankside bench device {TWELVE} {bank}--engines cuda:tensor,cuda:single-channel --sustained"
    for bank in ("--bank vessel-matched ", "--bank vessel-matched:integers=10 ", ""))


@table("h200-vessel", "h200/vessel", "h200/tensor-integers", "h200/tensor-sustained", command=VESSEL_COMMANDS)
def vessel():
    lines = []
    for name in ("h200/vessel", "h200/tensor-integers", "h200/tensor-sustained"):
        for ours in timed(name, HALVES, size=4096):
            single = median(name, SINGLE, problem=ours["problem"])
            what = {"none": "12 maps", "max": "maximum", "argmax": "maximum and its filter"}[ours["combine"]]
            lines.append([f"`{ours['bank']}`, {what}", number(ours[HOT]), shown(ours.get("sustained_us")),
                          shown(single), times(ours["floor_us"] / ours[HOT]), times(ours[HOT] / ours["stream_us"])])
    return ["bank", "`cuda:tensor`, us", "without rests, us", "`cuda:single-channel`, us",
            "times past the FP32 floor", "of writing the maps"], lines


@table("h200-accuracy", "h200/tensor-accuracy")
def accuracy():
    lines = []
    for size in (3, 5, 6, 7, 9, 11, 13, 15, 21, 31):
        line = [f"{size} x {size}"]
        for kind in ("u8", "u16", "f16", "f32"):
            found = [r["largest_ratio"] for r in rows("h200/tensor-accuracy", type=kind, filter_size=size)]
            line.append(number(max(found)) if found else "-")
        lines.append(line)
    return ["filters", "u8", "u16", "f16", "f32"], lines


@table("h200-accuracy-fp16", "h200/tensor-accuracy")
def accuracy_fp16():
    rounded = report("h200/tensor-accuracy")["rounded"]
    lines = []
    for size in (3, 7, 15, 31):
        found = {r["type"]: r["largest_error_2e-11"] for r in rounded if r["filter_size"] == size}
        lines.append([f"{size} x {size}", *(number(found[kind]) for kind in ("u8", "u16", "f16", "f32"))])
    return ["filters", "u8", "u16", "f16", "f32"], lines


def bank_width(name):
    entries = report(name)["rows"]
    lines = []
    for what, kind in dict.fromkeys((r["what"], r["type"]) for r in entries):
        line = [what if kind == "-" else f"{what}, {kind}"]
        for unit in (1, 2, 4, 8, 16):
            found = [r for r in entries if (r["what"], r["type"], r["unit_bytes"]) == (what, kind, unit)]
            line.append(f"{number(found[0]['measured'])} {found[0]['measured_in']}"
                        + (" (matched)" if found[0]["match"] == "matched" else "") if found else "-")
        lines.append(line)
    return ["kernel", *(f"units of {unit} byte{'s' if unit > 1 else ''}" for unit in (1, 2, 4, 8, 16))], lines


for name_ in ("h200", "h100"):
    table(f"{name_}-bank-width", f"{name_}/bank-width")(lambda n=name_: bank_width(f"{n}/bank-width"))


@table("h200-dram", "h200/dram-bytes", command=report("h200/dram-bytes")["command"])
def dram():
    lines = [[f"launch {i}", *(number(r[key] / 1e6) for key in ("read_bytes", "lower_bound_read_bytes", "written_bytes",
                                                                "lower_bound_written_bytes")), number(r["ratio"])]
             for i, r in enumerate(report("h200/dram-bytes")["rows"], 1)]
    return ["8 filters 3 x 3", "read, MB", "least", "written, MB", "least", "ratio"], lines


def paper_cells(which):
    """cuDNN's best fp32 over ours, the cells of the paper's grid."""
    return ratios(FIGURE7, SINGLE, "cudnn:fma", which, **PAPER_CELLS).values()


def chart(size, count, kind="u8", engine=HALVES):
    return median(CHART, engine, filter_size=size, filter_count=count, type=kind, combine="none", border="reflect101")


def sustained(combine):
    """How much longer a bank takes without rests."""
    entry = row("h200/tensor-sustained", combine=combine)
    return entry["sustained_us"] / entry[HOT] - 1


def largest_ratios():
    return [r["largest_ratio"] for r in rows("h200/tensor-accuracy")]


figure("h200-figure7-cudnn-hot", FIGURE7, lambda: times(geometric_mean(paper_cells(HOT))), PAPER_GRID)
figure("h200-figure7-cudnn-hot-least", FIGURE7, lambda: times(min(paper_cells(HOT))), PAPER_GRID)
figure("h200-tensor-u8-12-15-us", CHART, lambda: number(chart(15, 12)))
figure("h200-tensor-u8-12-15-times", CHART, lambda: times(chart(15, 12, engine=SINGLE) / chart(15, 12)))
figure("h200-accuracy-range", "h200/tensor-accuracy",
       lambda: f"{number(min(largest_ratios()))} to {number(max(largest_ratios()))}")
figure("h200-accuracy-banks", "h200/tensor-accuracy", lambda: str(9 * len(largest_ratios())))  # nine images and banks a row
figure("h200-sustained-slower", "h200/tensor-sustained",
       lambda: " to ".join(percent(share) for share in sorted((sustained("none"), sustained("max")))))
figure("h200-vessel-us", "h200/vessel", lambda: number(median("h200/vessel", HALVES)))
figure("h200-vessel-times", "h200/vessel", lambda: times(median("h200/vessel", SINGLE) / median("h200/vessel", HALVES)))
