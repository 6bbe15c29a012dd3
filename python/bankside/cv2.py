"""OpenCV's names over Bankside's engines: filter2D, sepFilter2D, GaussianBlur, Sobel, Scharr, Laplacian, boxFilter, blur.

The signatures are those of cv2 (4 and 5), and so are results: the same types, saturated, within one unit of an integer and
the rounding of float32 sums. Computed here are images [H,W] and [H,W,C] of uint8, uint16 and float32 whose results are
of their own type or float32, with at most 127 taps a side. All else is handed to cv2, which need not be installed for
what is computed here: int16 and float64, a delta with integer results, BORDER_WRAP, filtering in place, a kernel of one
axis (filter2D of OpenCV 4 reads a column, of 5 a row), and what is wrong, so that errors are its own. Arrays may be
whatever NumPy makes one of. NumPy is needed.

>>> import numpy
>>> from bankside import cv2
>>> cv2.Laplacian(numpy.eye(3, dtype="float32"), cv2.CV_32F).tolist()
[[-4.0, 3.0, 0.0], [3.0, -4.0, 3.0], [0.0, 3.0, -4.0]]
"""

from __future__ import annotations

import functools
from operator import index
from typing import Any

import numpy

import bankside

from ._elsewhere import else_of, near_engine, NotHere

__all__ = ["GaussianBlur", "Laplacian", "Scharr", "Sobel", "blur", "boxFilter", "filter2D", "sepFilter2D"]

CV_8U, CV_8S, CV_16U, CV_16S, CV_32S, CV_32F, CV_64F = range(7)
BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP, BORDER_REFLECT_101 = range(5)
BORDER_DEFAULT = BORDER_REFLECT_101
BORDER_ISOLATED = 16
ALGO_HINT_DEFAULT, ALGO_HINT_ACCURATE, ALGO_HINT_APPROX = range(3)

_BORDERS = {
    BORDER_CONSTANT: "constant",
    BORDER_REPLICATE: "replicate",
    BORDER_REFLECT: "reflect",
    BORDER_REFLECT_101: "reflect101",
}
_DEPTHS = {CV_8U: "uint8", CV_16U: "uint16", CV_32F: "float32"}
_MOST_TAPS = 127
# Of small sizes without a sigma, in parts of 256: as OpenCV 5's getGaussianKernel has them (4.x up to size 7).
_SMALL = {1: (256,), 3: (64, 128, 64), 5: (16, 64, 96, 64, 16), 7: (8, 28, 56, 72, 56, 28, 8),
          9: (4, 13, 30, 51, 60, 51, 30, 13, 4)}

_else_opencvs = else_of("cv2", "OpenCV")


@_else_opencvs
def filter2D(
    src: Any,
    ddepth: int,
    kernel: Any,
    dst: Any = None,
    anchor: tuple[int, int] = (-1, -1),
    delta: float = 0,
    borderType: int = BORDER_DEFAULT,
) -> Any:
    """Correlation with a kernel [kh,kw], every channel by itself, as cv2.filter2D."""
    return _filtered(src, ddepth, _plane(kernel), dst, anchor, delta, borderType)


@_else_opencvs
def sepFilter2D(
    src: Any,
    ddepth: int,
    kernelX: Any,
    kernelY: Any,
    dst: Any = None,
    anchor: tuple[int, int] = (-1, -1),
    delta: float = 0,
    borderType: int = BORDER_DEFAULT,
) -> Any:
    """Correlation with a row and a column, as cv2.sepFilter2D."""
    return _filtered(src, ddepth, _product(_line(kernelX), _line(kernelY)), dst, anchor, delta, borderType)


@_else_opencvs
def GaussianBlur(
    src: Any,
    ksize: tuple[int, int],
    sigmaX: float,
    dst: Any = None,
    sigmaY: float = 0,
    borderType: int = BORDER_DEFAULT,
    hint: int = ALGO_HINT_DEFAULT,
) -> Any:
    """Smoothing, as cv2.GaussianBlur: sizes of 0 follow from the sigmas, sigmas of 0 from the sizes. No hint is taken.

    cv2 rounds the weights for uint8 and uint16 to fixed point, 0.2 % of a uint16 pixel; here they are float32.
    """
    array = numpy.asarray(src)
    sigma_x = _real(sigmaX)
    sigma_y = _real(sigmaY) if _real(sigmaY) > 0 else sigma_x
    _whole(hint)
    reach = 6 if array.dtype == numpy.uint8 else 8

    def size(given: int, sigma: float) -> int:
        return int(round(sigma * reach + 1)) | 1 if given <= 0 and sigma > 0 else given

    given = _pair(ksize)
    width, height = size(given[0], sigma_x), size(given[1], sigma_y)
    if width % 2 == 0 or height % 2 == 0 or min(width, height) < 1 or max(width, height) > _MOST_TAPS:
        raise NotHere
    taps = _product(_gaussian(width, sigma_x), _gaussian(height, sigma_y))
    return _filtered(array, -1, taps, dst, (-1, -1), 0, borderType)


@_else_opencvs
def Sobel(
    src: Any,
    ddepth: int,
    dx: int,
    dy: int,
    dst: Any = None,
    ksize: int = 3,
    scale: float = 1,
    delta: float = 0,
    borderType: int = BORDER_DEFAULT,
) -> Any:
    """A derivative, as cv2.Sobel; a ksize of -1 (FILTER_SCHARR) is Scharr's."""
    dx, dy, ksize = _whole(dx), _whole(dy), _whole(ksize)
    if dx == dy == 0:
        raise NotHere
    if ksize == -1:
        return _scharr(src, ddepth, dx, dy, dst, scale, delta, borderType)
    taps = _product(_derivative(dx, ksize), _derivative(dy, ksize)) * _real(scale)
    return _filtered(src, ddepth, taps, dst, (-1, -1), delta, borderType)


@_else_opencvs
def Scharr(
    src: Any,
    ddepth: int,
    dx: int,
    dy: int,
    dst: Any = None,
    scale: float = 1,
    delta: float = 0,
    borderType: int = BORDER_DEFAULT,
) -> Any:
    """A first derivative, as cv2.Scharr."""
    return _scharr(src, ddepth, dx, dy, dst, scale, delta, borderType)


@_else_opencvs
def Laplacian(
    src: Any,
    ddepth: int,
    dst: Any = None,
    ksize: int = 1,
    scale: float = 1,
    delta: float = 0,
    borderType: int = BORDER_DEFAULT,
) -> Any:
    """The sum of the second derivatives, as cv2.Laplacian."""
    ksize = _whole(ksize)
    if ksize == 1:
        taps = numpy.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])
    else:
        second, smooth = _derivative(2, ksize), _derivative(0, ksize)
        taps = _product(second, smooth) + _product(smooth, second)
    return _filtered(src, ddepth, taps * _real(scale), dst, (-1, -1), delta, borderType)


@_else_opencvs
def boxFilter(
    src: Any,
    ddepth: int,
    ksize: tuple[int, int],
    dst: Any = None,
    anchor: tuple[int, int] = (-1, -1),
    normalize: bool = True,
    borderType: int = BORDER_DEFAULT,
) -> Any:
    """The mean over a window (width, height), or its sum, as cv2.boxFilter."""
    return _box(src, ddepth, ksize, dst, anchor, normalize, borderType)


@_else_opencvs
def blur(
    src: Any,
    ksize: tuple[int, int],
    dst: Any = None,
    anchor: tuple[int, int] = (-1, -1),
    borderType: int = BORDER_DEFAULT,
) -> Any:
    """The mean over a window, as cv2.blur."""
    return _box(src, -1, ksize, dst, anchor, True, borderType)


def _scharr(src: Any, ddepth: int, dx: int, dy: int, dst: Any, scale: float, delta: float, border: int) -> Any:
    dx, dy = _whole(dx), _whole(dy)
    if (dx, dy) not in ((1, 0), (0, 1)):
        raise NotHere
    slope, smooth = numpy.array([-1.0, 0, 1]), numpy.array([3.0, 10, 3])
    taps = _product(slope, smooth) if dx else _product(smooth, slope)
    return _filtered(src, ddepth, taps * _real(scale), dst, (-1, -1), delta, border)


def _box(src: Any, ddepth: int, ksize: Any, dst: Any, anchor: Any, normalize: bool, border: int) -> Any:
    width, height = _pair(ksize)
    if not 1 <= width <= _MOST_TAPS or not 1 <= height <= _MOST_TAPS:
        raise NotHere
    taps = numpy.full((height, width), 1 / (width * height) if normalize else 1.0)
    return _filtered(src, ddepth, taps, dst, anchor, 0, border)


def _whole(value: Any) -> int:
    try:
        return index(value)
    except TypeError:
        raise NotHere from None


def _real(value: Any) -> float:
    if not isinstance(value, (int, float, numpy.integer, numpy.floating)) or not numpy.isfinite(value):
        raise NotHere
    return float(value)


def _pair(values: Any) -> tuple[int, int]:
    if isinstance(values, numpy.ndarray):
        values = values.tolist()
    if not isinstance(values, (tuple, list)) or len(values) != 2:
        raise NotHere
    return _whole(values[0]), _whole(values[1])


def _plane(kernel: Any) -> Any:
    taps = numpy.asarray(kernel)
    if taps.ndim != 2 or taps.dtype.kind not in "iuf":
        raise NotHere
    return taps


def _line(kernel: Any) -> Any:
    taps = numpy.asarray(kernel)
    if taps.ndim == 2 and 1 in taps.shape:
        taps = taps.ravel()
    if taps.ndim != 1 or taps.dtype.kind not in "iuf":
        raise NotHere
    return taps


def _product(row: Any, column: Any) -> Any:
    return numpy.outer(column, row).astype(numpy.float64)


def _gaussian(size: int, sigma: float) -> Any:
    if sigma <= 0 and size in _SMALL:
        return numpy.array(_SMALL[size]) / 256
    if sigma <= 0:
        sigma = 0.3 * ((size - 1) * 0.5 - 1) + 0.8
    offsets = numpy.arange(size) - (size - 1) / 2
    weights = numpy.exp(-0.5 * (offsets / sigma) ** 2)
    return weights / weights.sum()


def _derivative(order: int, size: int) -> Any:
    """Binomial smoothing, and `order` differences of it: getDerivKernels."""
    if size % 2 == 0 or not 1 <= size <= 31 or not 0 <= order <= 2:
        raise NotHere
    if size == 1:
        if order == 0:
            return numpy.ones(1)
        size = 3
    if order >= size:
        raise NotHere
    taps: Any = numpy.ones(1)
    for _ in range(size - 1 - order):
        taps = numpy.convolve(taps, [1, 1])
    for _ in range(order):
        taps = numpy.convolve(taps, [-1, 1])
    return taps


def _filtered(src: Any, ddepth: int, taps: Any, dst: Any, anchor: Any, delta: float, border: int) -> Any:
    array = numpy.asarray(src)
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[..., 0]  # as cv2 gives one channel
    kind = array.dtype.name
    depth, delta = _whole(ddepth), _real(delta)
    result = kind if depth == -1 else _DEPTHS.get(depth)
    mode = _BORDERS.get(_whole(border) & ~BORDER_ISOLATED)
    if kind not in _DEPTHS.values() or not array.dtype.isnative or result not in (kind, "float32") or mode is None:
        raise NotHere
    if array.ndim not in (2, 3) or array.size == 0 or max(taps.shape) > _MOST_TAPS:
        raise NotHere
    if delta != 0 and result != "float32":
        raise NotHere
    out = numpy.empty(array.shape, result) if dst is None else dst
    if dst is not None:
        if not isinstance(dst, numpy.ndarray) or dst.dtype.name != result or not dst.flags.writeable:
            raise NotHere
        if dst.ndim == 3 and dst.shape[2] == 1:
            out = dst[..., 0]
        if out.shape != array.shape or numpy.may_share_memory(out, array):
            raise NotHere
    x, y = (size // 2 if at == -1 else at for at, size in zip(_pair(anchor), reversed(taps.shape)))
    single = taps.astype(numpy.float32)
    if not numpy.isfinite(single).all() or not 0 <= x < taps.shape[1] or not 0 <= y < taps.shape[0]:
        raise NotHere
    bank = _bank(single.tobytes(), single.shape, x, y)
    planes = out.transpose(2, 0, 1) if array.ndim == 3 else out
    wide = array.dtype != numpy.uint8 and result == "float32"
    engine = near_engine(bank, array.shape, array.dtype.name, -1) if wide else "auto"
    bankside.filter(
        array, bank, border=mode, combine="sum", engine=engine, result=result, channel_axis=-1, out=planes
    )
    if delta != 0:
        out += numpy.float32(delta)
    return out if dst is None else dst


@functools.lru_cache(maxsize=64)
def _bank(taps: bytes, shape: tuple[int, int], x: int, y: int) -> bankside.Bank:
    return bankside.Bank(numpy.frombuffer(taps, numpy.float32).reshape(shape), anchor=(x, y))
