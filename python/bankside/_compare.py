"""Engines side by side: judged against sums in float64, then timed in turn."""

from __future__ import annotations

import importlib
import importlib.util
import time
from typing import Any, Callable, NamedTuple

import numpy

import bankside

from . import _core

_PADS = {"reflect101": "reflect", "replicate": "edge", "reflect": "symmetric", "wrap": "wrap", "constant": "constant"}
_OPENCV_BORDERS = {"constant": 0, "replicate": 1, "reflect": 2, "reflect101": 4}
_HALF_UNIT = 2.0**-24  # a float32's rounding


class Compared(NamedTuple):
    """An engine over one image and bank."""

    engine: str
    error: float  #: the largest difference from the sums in float64
    bound: float  #: what float32 sums of so many taps may differ
    seconds: float  #: of one run, prepared: the median
    times: float  #: as fast as OpenCV's filter2D, or where that is missing as the first engine
    reason: str  #: why it does not take the problem; then the rest is NaN

    @property
    def right(self) -> bool:
        """Whether it runs and is within its bound."""
        return self.error <= self.bound


def compare(
    image: Any, bank: Any, border: str, border_value: float, engines: Any, threads: int, seconds: float
) -> list[Compared]:
    pixels = numpy.asarray(image)
    if pixels.ndim != 2:
        raise ValueError(f"an image that is compared over is [H,W]; this has {pixels.ndim} axes")
    if border not in _PADS:
        raise ValueError(f'there is no border "{border}"; there are {", ".join(_PADS)}')
    if not isinstance(bank, bankside.Bank):
        bank = bankside.Bank(bank)
    if bank.channels != 1:
        raise ValueError("a bank that is compared over an image [H,W] has filters of one channel")
    if pixels.dtype.name not in ("uint8", "uint16", "float16", "float32", "float64") or not pixels.dtype.isnative:
        raise TypeError(f"the image holds {pixels.dtype}; pixels are uint8, uint16, float16, float32 or float64")
    if isinstance(image, numpy.ma.MaskedArray):
        raise TypeError("the image is masked, and no filter knows a mask; give its data or filled()")
    if pixels.dtype == numpy.float64:
        pixels = pixels.astype(numpy.float32)
    if not numpy.isfinite(pixels).all():
        raise ValueError("an image that is compared over has finite pixels")
    filters = _filters(bank)
    exact = numpy.stack([_sums(pixels, taps, anchor, border, border_value) for taps, anchor in filters])
    most = max(
        float(_sums(abs(pixels), abs(taps), anchor, border, abs(border_value)).max()) for taps, anchor in filters
    )
    bound = (max(taps.size for taps, _ in filters) + 32) * _HALF_UNIT * most
    rows: list[Compared] = []
    ready: list[tuple[int, Callable[[], Any]]] = []
    for name in [*_core.engines(), "opencv:filter2D"] if engines is None else engines:
        try:
            run, out = _prepared(name, pixels, bank, filters, border, border_value, threads)
        except NotImplementedError as refused:
            rows.append(Compared(name, numpy.nan, bound, numpy.nan, numpy.nan, str(refused)))
            continue
        run()
        ready.append((len(rows), run))
        rows.append(Compared(name, float(abs(out - exact).max()), bound, numpy.nan, numpy.nan, ""))
    taken = _times([run for _, run in ready], seconds)
    medians = {at: median for (at, _), median in zip(ready, taken)}
    beside = next((at for at in medians if rows[at].engine.startswith("opencv")), min(medians, default=0))
    return [
        row._replace(seconds=medians[at], times=medians[beside] / medians[at]) if at in medians else row
        for at, row in enumerate(rows)
    ]


def _filters(bank: bankside.Bank) -> list[tuple[Any, tuple[int, int]]]:
    """Taps [kh,kw] as they slide, and the anchor (x, y)."""
    filters = []
    for channels, (x, y) in zip(bank.taps, bank.anchors):
        taps = numpy.array(channels[0])
        if bank.mode == "convolution":
            taps = taps[::-1, ::-1]
            x, y = taps.shape[1] - 1 - x, taps.shape[0] - 1 - y
        filters.append((taps, (x, y)))
    return filters


def _sums(pixels: Any, taps: Any, anchor: tuple[int, int], border: str, value: float) -> Any:
    """In float64, tap by tap."""
    (x, y), (high, wide) = anchor, taps.shape
    given = {"constant_values": value} if border == "constant" else {}
    beyond = ((y, high - 1 - y), (x, wide - 1 - x))
    padded = numpy.pad(pixels.astype(numpy.float64), beyond, mode=_PADS[border], **given)  # type: ignore[call-overload]
    sums = numpy.zeros(pixels.shape)
    for row in range(high):
        for column in range(wide):
            sums += taps[row, column] * padded[row : row + pixels.shape[0], column : column + pixels.shape[1]]
    return sums


def _prepared(
    name: str, pixels: Any, bank: bankside.Bank, filters: Any, border: str, value: float, threads: int
) -> tuple[Callable[[], Any], Any]:
    """What runs it, and where its results are then."""
    out = numpy.empty((len(filters), *pixels.shape), numpy.float32)
    if name != "opencv:filter2D":
        plan = bankside.Plan(
            bank, pixels.shape, pixels.dtype.name, border=border, border_value=value, engine=name, threads=threads
        )
        return lambda: plan(pixels, out), out
    if importlib.util.find_spec("cv2") is None:
        raise NotImplementedError("cv2 is not installed")
    if border not in _OPENCV_BORDERS or (border == "constant" and value != 0):
        raise NotImplementedError("filter2D has no such border")
    if pixels.dtype == numpy.float16:
        raise NotImplementedError("filter2D takes no float16")
    cv2 = importlib.import_module("cv2")
    single = [(taps.astype(numpy.float32), anchor) for taps, anchor in filters]

    def run() -> None:
        before = cv2.getNumThreads()
        if threads:
            cv2.setNumThreads(threads)
        try:
            for plane, (taps, anchor) in zip(out, single):
                cv2.filter2D(pixels, cv2.CV_32F, taps, dst=plane, anchor=anchor, borderType=_OPENCV_BORDERS[border])
        finally:
            cv2.setNumThreads(before)

    return run, out


def _times(runs: list[Callable[[], Any]], seconds: float) -> list[float]:
    """Medians of runs that take turns for so long an engine."""
    taken: list[list[float]] = [[] for _ in runs]
    end = time.perf_counter() + seconds * len(runs)
    while runs and (not taken[-1] or time.perf_counter() < end):
        for run, kept in zip(runs, taken):
            start = time.perf_counter()
            run()
            kept.append(time.perf_counter() - start)
    return [float(numpy.median(kept)) for kept in taken]
