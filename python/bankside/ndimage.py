"""SciPy's names over Bankside's engines: correlate, convolve, their 1-D kin, and gaussian_filter.

The signatures are those of scipy.ndimage (1.17), and so are results but for rounding: sums are float32 where SciPy's
are float64. Computed here are arrays of one or two axes of float32 whose results are float32, and of uint8 and uint16
where float32 results are asked for, with real weights of at most 127 a side. All else is handed to SciPy, which need
not be installed for what is computed here: integer results (SciPy cuts them off and lets them wrap around), float64,
complex numbers, three axes and more, an output that shares memory with the input. NumPy is needed.

>>> import numpy
>>> from bankside import ndimage
>>> ndimage.correlate(numpy.eye(3, dtype="float32"), numpy.ones((3, 3)), mode="constant").tolist()
[[2.0, 2.0, 1.0], [2.0, 3.0, 2.0], [1.0, 2.0, 2.0]]
"""

from __future__ import annotations

import functools
from typing import Any

import numpy

import bankside

from ._elsewhere import NotHere, else_of

__all__ = ["convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d"]

_BORDERS = {
    "reflect": "reflect",
    "grid-mirror": "reflect",
    "constant": "constant",
    "grid-constant": "constant",
    "nearest": "replicate",
    "mirror": "reflect101",
    "wrap": "wrap",
    "grid-wrap": "wrap",
}
_MOST_TAPS = 127


_else_scipys = else_of("scipy.ndimage", "SciPy")


@_else_scipys
def correlate(
    input: Any,
    weights: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """Correlation with weights of as many axes as the input, as scipy.ndimage.correlate."""
    if axes is not None:
        raise NotHere
    return _filtered(input, _real(weights), output, mode, cval, origin, turned=False)


@_else_scipys
def convolve(
    input: Any,
    weights: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """Convolution with weights of as many axes as the input, as scipy.ndimage.convolve."""
    if axes is not None:
        raise NotHere
    return _filtered(input, _real(weights), output, mode, cval, origin, turned=True)


@_else_scipys
def correlate1d(
    input: Any, weights: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0
) -> Any:
    """Correlation along one axis, as scipy.ndimage.correlate1d."""
    return _along(input, weights, axis, output, mode, cval, origin, turned=False)


@_else_scipys
def convolve1d(
    input: Any, weights: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0
) -> Any:
    """Convolution along one axis, as scipy.ndimage.convolve1d."""
    return _along(input, weights, axis, output, mode, cval, origin, turned=True)


@_else_scipys
def gaussian_filter1d(
    input: Any,
    sigma: Any,
    axis: int = -1,
    order: Any = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    truncate: Any = 4.0,
    *,
    radius: Any = None,
) -> Any:
    """Smoothing along one axis, as scipy.ndimage.gaussian_filter1d; orders above 0 are SciPy's."""
    return _along(input, _gaussian(sigma, order, truncate, radius), axis, output, mode, cval, 0, turned=False)


@_else_scipys
def gaussian_filter(
    input: Any,
    sigma: Any,
    order: Any = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    truncate: Any = 4.0,
    *,
    radius: Any = None,
    axes: Any = None,
) -> Any:
    """Smoothing, as scipy.ndimage.gaussian_filter: one pass an axis. Orders above 0 are SciPy's."""
    array = numpy.asarray(input)
    if axes is not None or array.ndim not in (1, 2):
        raise NotHere
    sigmas = _each(sigma, array.ndim)
    radii = _each(radius, array.ndim)
    if _each(order, array.ndim) != [0] * array.ndim or not isinstance(mode, str):
        raise NotHere
    passes = [(axis, _gaussian(s, 0, truncate, r)) for axis, (s, r) in enumerate(zip(sigmas, radii)) if s > 1e-15]
    if not passes:
        raise NotHere
    result = _destination(array, output)
    between = array
    for step, (axis, weights) in enumerate(passes, 1):
        target = result if step == len(passes) else numpy.float32
        between = _along(between, weights, axis, target, mode, cval, 0, turned=False)
    return result


def _each(value: Any, axes: int) -> list[Any]:
    """One value an axis."""
    if isinstance(value, (list, tuple, numpy.ndarray)):
        if len(value) != axes:
            raise NotHere
        return list(value)
    return [value] * axes


def _real(weights: Any) -> Any:
    weights = numpy.asarray(weights)
    if weights.dtype.kind not in "biuf" or weights.size == 0 or max(weights.shape, default=0) > _MOST_TAPS:
        raise NotHere
    taps = weights.astype(numpy.float32)
    if not numpy.isfinite(taps).all():
        raise NotHere
    return taps


def _gaussian(sigma: Any, order: Any, truncate: Any, radius: Any) -> Any:
    if not isinstance(sigma, (int, float)) or sigma <= 0 or order != 0:
        raise NotHere
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    if not isinstance(reach, int) or not 0 <= 2 * reach < _MOST_TAPS:
        raise NotHere
    return _gaussian_weights(float(sigma), reach)


@functools.lru_cache(maxsize=64)
def _gaussian_weights(sigma: float, reach: int) -> Any:
    offsets = numpy.arange(-reach, reach + 1, dtype=numpy.float64)
    weights = numpy.exp(-0.5 / (sigma * sigma) * offsets**2)
    return weights / weights.sum()


def _destination(array: Any, output: Any) -> Any:
    """Where float32 results go; new memory unless `output` is an array."""
    if isinstance(output, numpy.ndarray):
        fits = output.dtype == numpy.float32 and output.shape == array.shape and output.flags.writeable
        if not fits or numpy.may_share_memory(output, array):
            raise NotHere
        return output
    wanted = array.dtype if output is None else numpy.dtype(output)
    if wanted != numpy.float32:
        raise NotHere
    return numpy.empty(array.shape, numpy.float32)


def _along(input: Any, weights: Any, axis: Any, output: Any, mode: Any, cval: Any, origin: Any, turned: bool) -> Any:
    array = numpy.asarray(input)
    taps = _real(weights)
    if taps.ndim != 1 or array.ndim not in (1, 2) or not isinstance(axis, int) or not -array.ndim <= axis < array.ndim:
        raise NotHere
    if not isinstance(origin, int):
        raise NotHere
    axis %= array.ndim
    shape = [taps.size if i == axis else 1 for i in range(array.ndim)]
    origins = [origin if i == axis else 0 for i in range(array.ndim)]
    return _filtered(array, taps.reshape(shape), output, mode, cval, origins, turned)


def _filtered(input: Any, taps: Any, output: Any, mode: Any, cval: Any, origin: Any, turned: bool) -> Any:
    array = numpy.asarray(input)
    if array.dtype.name not in ("float32", "uint8", "uint16") or not array.dtype.isnative or array.size == 0:
        raise NotHere
    if array.ndim not in (1, 2) or taps.ndim != array.ndim or not isinstance(mode, str) or mode not in _BORDERS:
        raise NotHere
    if isinstance(cval, complex) or not numpy.isfinite(cval):
        raise NotHere
    anchor = []
    for size, shift in zip(taps.shape, _each(origin, array.ndim)):
        # A convolution's weights are turned, and its middle with them, which is another tap where sizes are even.
        at = size // 2 + (-shift - (size % 2 == 0) if turned else shift)
        if not 0 <= at < size:
            raise NotHere
        anchor.append(int(at))
    if turned:
        taps = taps[tuple([slice(None, None, -1)] * taps.ndim)]
    result = _destination(array, output)
    image, out = (array, result) if array.ndim == 2 else (array[None], result[None])
    if taps.ndim == 1:
        taps, anchor = taps[None], [0, *anchor]
    bank = _bank(taps.tobytes(), taps.shape, anchor[1], anchor[0])
    border = _BORDERS[mode]
    value = float(cval) if border == "constant" else 0.0
    bankside.filter(image, bank, border=border, border_value=value, combine="sum", out=out)
    return result


@functools.lru_cache(maxsize=64)
def _bank(taps: bytes, shape: tuple[int, int], x: int, y: int) -> bankside.Bank:
    return bankside.Bank(numpy.frombuffer(taps, numpy.float32).reshape(shape), anchor=(x, y))
