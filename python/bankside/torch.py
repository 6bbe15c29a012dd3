"""A filter bank as a PyTorch operator with gradients for the image and for the taps.

`filter` is torch.ops.bankside.filter: float32 tensors in host memory, correlation as torch.nn.functional.conv2d, with a
border and so with the image's own size. Results and the image's gradient are Bankside's, the taps' gradient is
PyTorch's convolution. PyTorch is needed.

>>> import torch, bankside.torch
>>> image = torch.arange(6.0).reshape(1, 2, 3).requires_grad_()
>>> out = bankside.torch.filter(image, torch.tensor([[[-1.0, 0.0, 1.0]]]), "replicate")
>>> out.tolist()
[[[[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]]]]
>>> out.sum().backward()
>>> image.grad.tolist()
[[[-2.0, 0.0, 2.0], [-2.0, 0.0, 2.0]]]
"""

from __future__ import annotations

import functools

import torch
from torch import Tensor

import bankside

__all__ = ["filter"]


def filter(image: Tensor, taps: Tensor, border: str = "reflect101") -> Tensor:
    """The responses of a bank at every pixel, differentiable in both tensors.

    Args:
        image: [N,H,W], each of the N planes filtered by itself.
        taps: [F,kh,kw] with at most 127 a side; tap (kh // 2, kw // 2) lies on the result's pixel.
        border: "reflect101", "constant" (of 0), "replicate", "reflect" or "wrap".

    Returns:
        [N,F,H,W] of float32.

    Raises:
        ValueError: A shape, a border, or a tensor that does not lie in host memory.
        TypeError: A tensor of another type than float32.
    """
    for name, tensor in (("image", image), ("taps", taps)):
        if not isinstance(tensor, Tensor) or tensor.dtype != torch.float32:
            found = tensor.dtype if isinstance(tensor, Tensor) else type(tensor).__name__
            raise TypeError(f"{name} is {found}, expected a tensor of torch.float32")
        if tensor.dim() != 3 or 0 in tensor.shape:
            raise ValueError(f"{name} is {list(tensor.shape)}, expected three axes and none of length 0")
        if tensor.device.type != "cpu":
            raise ValueError(f"{name} lies on {tensor.device}; copy it to host memory first")
    if border not in _BORDERS:
        raise ValueError(f"there is no border {border!r}; there are {', '.join(_BORDERS)}")
    result: Tensor = _responses(image, taps, border)
    return result


_BORDERS = ("reflect101", "constant", "replicate", "reflect", "wrap")


@torch.library.custom_op("bankside::filter", mutates_args=())
def _responses(image: Tensor, taps: Tensor, border: str) -> Tensor:
    out = image.new_empty((image.shape[0], taps.shape[0], *image.shape[1:]))
    planes = out if image.shape[0] > 1 else out[0]
    bankside.filter(image.detach(), _bank(taps), border=border, channel_axis=0, out=planes)
    return out


@_responses.register_fake
def _(image: Tensor, taps: Tensor, border: str) -> Tensor:
    return image.new_empty((image.shape[0], taps.shape[0], image.shape[1], image.shape[2]))


@torch.library.custom_op("bankside::filter_image_gradient", mutates_args=())
def _image_gradient(gradient: Tensor, taps: Tensor, border: str) -> Tensor:
    """What each pixel of the image, repeated beyond its edges, gave to the results; repetitions added up."""
    count, filters, height, width = gradient.shape
    high, wide = taps.shape[1:]
    rows, columns = _places(height, high, border), _places(width, wide, border)
    bank = bankside.Bank(_nested(taps.flip(1, 2)[None]), anchor=(wide - 1, high - 1))
    beyond = gradient.new_zeros((count, filters, height + high - 1, width + wide - 1))
    beyond[:, :, :height, :width] = gradient
    given = gradient.new_empty((count, height + high - 1, width + wide - 1))
    for n in range(count):
        image, out = (beyond[n], given[n : n + 1]) if filters > 1 else (beyond[n, 0], given[n : n + 1])
        bankside.filter(image, bank, border="constant", channel_axis=0, out=out)
    inside = gradient.new_zeros((count, height + 1, given.shape[2])).index_add_(1, rows, given)
    inside = gradient.new_zeros((count, height + 1, width + 1)).index_add_(2, columns, inside)
    return inside[:, :height, :width].contiguous()


@_image_gradient.register_fake
def _(gradient: Tensor, taps: Tensor, border: str) -> Tensor:
    return gradient.new_empty((gradient.shape[0], gradient.shape[2], gradient.shape[3]))


def _taps_gradient(gradient: Tensor, image: Tensor, taps: Tensor, border: str) -> Tensor:
    rows = _places(image.shape[1], taps.shape[1], border).to(image.device)
    columns = _places(image.shape[2], taps.shape[2], border).to(image.device)
    known = torch.nn.functional.pad(image, (0, 1, 0, 1))  # a row and a column of zeros: the constant border
    padded = known.index_select(1, rows).index_select(2, columns)
    return torch.nn.functional.conv2d(padded[None], gradient.transpose(0, 1).contiguous())[0]


def _keep(ctx, inputs, output) -> None:  # type: ignore[no-untyped-def]
    image, taps, ctx.border = inputs
    ctx.save_for_backward(image, taps)


def _backward(ctx, gradient):  # type: ignore[no-untyped-def]
    image, taps = ctx.saved_tensors
    of_image = _image_gradient(gradient, taps, ctx.border) if ctx.needs_input_grad[0] else None
    of_taps = _taps_gradient(gradient, image, taps, ctx.border) if ctx.needs_input_grad[1] else None
    return of_image, of_taps, None


_responses.register_autograd(_backward, setup_context=_keep)


def _nested(taps: Tensor) -> object:
    return taps.detach().tolist()


def _bank(taps: Tensor) -> bankside.Bank:
    """The last banks are kept, as whoever learns nothing filters with the same taps again."""
    values = taps.detach().contiguous()
    return _bank_of(bytes(values.view(torch.uint8).flatten().tolist()), tuple(values.shape))


@functools.lru_cache(maxsize=16)
def _bank_of(taps: bytes, shape: tuple[int, int, int]) -> bankside.Bank:
    return bankside.Bank(memoryview(taps).cast("f", shape))


def _places(size: int, taps: int, border: str) -> Tensor:
    """For positions -taps // 2 and on: the one inside [0, size) that is seen there, or `size` for none."""
    at = torch.arange(size + taps - 1) - taps // 2
    if border == "replicate":
        return at.clamp(0, size - 1)
    if border == "wrap":
        return at % size
    if border == "reflect":
        at = at % (2 * size)
        return torch.minimum(at, 2 * size - 1 - at)
    if border == "reflect101":
        period = max(2 * size - 2, 1)
        at = at % period
        return torch.minimum(at, period - at) if size > 1 else at
    return torch.where((at < 0) | (at >= size), size, at)
