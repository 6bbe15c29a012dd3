"""SciPy's names over Bankside's engines: correlate, convolve, their 1-D kin, and the filters that SciPy makes of them.

The signatures are those of scipy.ndimage (1.17), and so are results. Of float32 results but for rounding: sums are
float32 where SciPy's are float64; the array may then be of float32, uint8, uint16, int8 or int16. All other real types
are computed here where the array and the weights are integers and every sum is one that float32 holds, and are SciPy's
to the bit. Weights have at most 127 a side; arrays one or two axes, or more where weights lie along one axis at a time.
All else is handed to SciPy, which need not be installed for what is computed here. NumPy is needed.

>>> import numpy
>>> from bankside import ndimage
>>> ndimage.correlate(numpy.eye(3, dtype="float32"), numpy.ones((3, 3)), mode="constant").tolist()
[[2.0, 2.0, 1.0], [2.0, 3.0, 2.0], [1.0, 2.0, 2.0]]
>>> ndimage.uniform_filter(numpy.array([9, 10, 12, 200], "uint8"), 3).tolist()  # cut off as SciPy does
[9, 10, 74, 137]
"""

from __future__ import annotations

from typing import Any

import numpy

from ._elsewhere import NotHere, else_of
from ._ndimage import along, axes_of, axis_of, destination, each, filtered, gaussian, source

__all__ = [
    "convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d", "gaussian_laplace",
    "laplace", "prewitt", "sobel", "uniform_filter", "uniform_filter1d",
]

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
    return _weighed(input, weights, output, mode, cval, origin, axes, turned=False)


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
    return _weighed(input, weights, output, mode, cval, origin, axes, turned=True)


@_else_scipys
def correlate1d(
    input: Any, weights: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0
) -> Any:
    """Correlation along one axis, as scipy.ndimage.correlate1d."""
    array = source(input, output)
    return along(array, weights, axis_of(array, axis), output, mode, cval, origin)


@_else_scipys
def convolve1d(
    input: Any, weights: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0
) -> Any:
    """Convolution along one axis, as scipy.ndimage.convolve1d."""
    array = source(input, output)
    return along(array, weights, axis_of(array, axis), output, mode, cval, origin, turned=True)


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
    """Smoothing or a derivative along one axis, as scipy.ndimage.gaussian_filter1d."""
    array = source(input, output)
    weights = _gaussian(sigma, order, truncate, radius)
    return along(array, weights, axis_of(array, axis), output, mode, cval, 0)


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
    """Smoothing or derivatives, as scipy.ndimage.gaussian_filter: one pass an axis."""
    return _smoothed(source(input, output), sigma, order, output, mode, cval, truncate, radius, axes)


@_else_scipys
def gaussian_laplace(
    input: Any,
    sigma: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    *,
    axes: Any = None,
    **kwargs: Any,
) -> Any:
    """The sum of a Gaussian's second derivatives, as scipy.ndimage.gaussian_laplace."""
    array = source(input, output)
    chosen = axes_of(array, axes)
    if set(kwargs) - {"truncate"} or axes is not None or not chosen:
        raise NotHere
    result = destination(array, output)
    for axis, border in zip(chosen, each(mode, len(chosen))):  # SciPy's: one for all passes of a term
        order = [2 if i == axis else 0 for i in chosen]
        second = _smoothed(array, sigma, order, result.dtype, border, cval, kwargs.get("truncate", 4.0), None, None)
        if axis == chosen[0]:
            result[...] = second
        else:
            result += second
    return result


@_else_scipys
def laplace(input: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *, axes: Any = None) -> Any:
    """The sum of the second differences, as scipy.ndimage.laplace."""
    array = source(input, output)
    chosen = axes_of(array, axes)
    if array.ndim > 2 or not chosen or not isinstance(mode, str):
        raise NotHere
    taps = numpy.zeros([3] * array.ndim)
    middle = [1] * array.ndim
    for axis in chosen:
        for at, tap in ((0, 1), (1, -2), (2, 1)):
            place = list(middle)
            place[axis] = at
            taps[tuple(place)] += tap
    return filtered(array, taps, output, mode, cval, 0)


@_else_scipys
def sobel(input: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> Any:
    """A first difference, smoothed along the other axes, as scipy.ndimage.sobel."""
    return _difference(input, axis, output, mode, cval, [1, 2, 1])


@_else_scipys
def prewitt(input: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0) -> Any:
    """The same with even weights, as scipy.ndimage.prewitt."""
    return _difference(input, axis, output, mode, cval, [1, 1, 1])


@_else_scipys
def uniform_filter1d(
    input: Any, size: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0
) -> Any:
    """The mean of `size` values along one axis, as scipy.ndimage.uniform_filter1d; of fractions it is SciPy's.

    (Its sum that runs along is as fast, and the mean of equal float32s is that float32.)
    """
    array = source(input, output)
    return _mean(array, size, axis_of(array, axis), destination(array, output), mode, cval, origin, exact=True)


@_else_scipys
def uniform_filter(
    input: Any,
    size: Any = 3,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Any:
    """The mean over a window, as scipy.ndimage.uniform_filter: one pass an axis."""
    array = source(input, output)
    chosen = axes_of(array, axes)
    count = len(chosen)
    passes = [
        (axis, size, mode, origin)
        for axis, size, mode, origin in zip(chosen, each(size, count), each(mode, count), each(origin, count))
        if size > 1
    ]
    if not passes:
        raise NotHere
    result = destination(array, output)
    between = array
    for step, (axis, length, border, shift) in enumerate(passes, 1):
        target = result if step == len(passes) else numpy.empty_like(result)
        between = _mean(between, length, axis, target, border, cval, shift, exact=array.ndim == 1)
    return result


def _weighed(
    input: Any, weights: Any, output: Any, mode: Any, cval: Any, origin: Any, axes: Any, turned: bool
) -> Any:
    array, weights = source(input, output), numpy.asarray(weights)
    chosen = axes_of(array, axes)
    if weights.ndim != len(chosen) or chosen != sorted(chosen):
        raise NotHere
    shifts = dict(zip(chosen, each(origin, len(chosen))))
    shape = [weights.shape[chosen.index(axis)] if axis in shifts else 1 for axis in range(array.ndim)]
    origins = [shifts.get(axis, 0) for axis in range(array.ndim)]
    return filtered(array, weights.reshape(shape), output, mode, cval, origins, turned)


def _mean(
    array: Any, size: Any, axis: int, result: Any, mode: Any, cval: Any, origin: Any, exact: bool = False
) -> Any:
    if not isinstance(size, int) or size < 1:
        raise NotHere
    if result.dtype == numpy.float32 and not exact:
        return along(array, numpy.full(size, 1 / size), axis, result, mode, cval, origin)
    return along(array, numpy.ones(size), axis, result, mode, cval, origin, divisor=size)


def _difference(input: Any, axis: Any, output: Any, mode: Any, cval: Any, smooth: list[int]) -> Any:
    array = source(input, output)
    axis = axis_of(array, axis)
    # One sum is what two are: beyond the edge a constant's difference is 0.
    if array.ndim > 2 or not isinstance(mode, str) or (mode in ("constant", "grid-constant") and cval != 0):
        raise NotHere
    if destination(array, output).dtype == numpy.uint64:
        raise NotHere  # what wraps around between SciPy's two sums is no integer that a float64 holds
    taps: Any = numpy.ones([1] * array.ndim)
    for i in range(array.ndim):
        line = numpy.array([-1, 0, 1] if i == axis else smooth)
        taps = taps * line.reshape([3 if j == i else 1 for j in range(array.ndim)])
    return filtered(array, taps, output, mode, cval, 0)


def _smoothed(
    array: Any, sigma: Any, order: Any, output: Any, mode: Any, cval: Any, truncate: Any, radius: Any, axes: Any
) -> Any:
    chosen = axes_of(array, axes)
    count = len(chosen)
    given = zip(chosen, each(sigma, count), each(order, count), each(mode, count), each(radius, count))
    passes = [(axis, _gaussian(s, o, truncate, r), border) for axis, s, o, border, r in given if s > 1e-15]
    result = destination(array, output)
    if not passes or result.dtype != numpy.float32:
        raise NotHere
    between = array
    for step, (axis, weights, border) in enumerate(passes, 1):
        target = result if step == len(passes) else numpy.float32
        between = along(between, weights, axis, target, border, cval, 0)
    return result


def _gaussian(sigma: Any, order: Any, truncate: Any, radius: Any) -> Any:
    if not isinstance(sigma, (int, float)) or sigma <= 0 or not isinstance(order, int) or order < 0:
        raise NotHere
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    if not isinstance(reach, int) or reach < 0:
        raise NotHere
    return gaussian(float(sigma), order, reach)
