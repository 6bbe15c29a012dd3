"""Recipes: banks and operations in steps, as the command's --recipe."""

from __future__ import annotations

import os

from . import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def whole(name: str, value: Any, bits: int = 31) -> int:
    """A number of so many bits beside its sign."""
    from operator import index  # which bare Python has not imported yet

    number = index(value)
    if not -(2**bits) <= number < 2**bits:
        raise ValueError(f"{name} is {number}, which is out of range")
    return number


def recipes() -> list[str]:
    """Names of the recipes that come with the module.

    >>> "vessels" in bankside.recipes()
    True
    """
    return _core.recipes()


class Recipe:
    """Banks and operations in steps over whole images, prepared once and run as often as one likes.

    Args:
        source: The name of a recipe that comes with the module, or a file, which contains '/' or ends in .json.
        scale: Pixels per degree of visual angle, for recipes that are written for a scale: the width of the image
            over the camera's field of view, 1411 / 45 = 31 for a fundus photograph of 45 degrees.
        vessel_width: Instead of it, the width of the image's widest vessels in pixels, which are 0.43 degrees wide.
        threads: Of one run; 0 takes all that the process may use. The results' bytes do not depend on it.
        memory: Bytes that its maps may take at once.

    Runs of one recipe follow each other, and keep what is prepared for images of one size: threads that want to run at
    once have a Recipe each. The GIL is released.

    Raises:
        ValueError: One sentence that says what is wrong with the recipe, its banks or an argument.
        OSError: The file cannot be read.
        NotImplementedError: The recipe is to be verified by OpenCV, which only the command can.

    >>> vessels = bankside.Recipe("vessels", scale=31)
    >>> vessels.labels, vessels.channel
    (('vesselness',), 'green')
    >>> bankside.Recipe("vessel")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: there is no recipe "vessel", and no such file; the nearest names are vessels...
    """

    __slots__ = ("_given", "_recipe")

    def __init__(
        self,
        source: str | os.PathLike[str],
        *,
        scale: float | None = None,
        vessel_width: float | None = None,
        threads: int = 0,
        memory: int = 2**30,
    ) -> None:
        if not isinstance(source, (str, os.PathLike)):
            raise TypeError(f"a recipe is a name or a file, not a {type(source).__name__}")
        if scale is not None and not scale > 0:
            raise ValueError(f"scale is {scale}, expected pixels per degree, more than 0")
        if vessel_width is not None:
            if scale is not None:
                raise ValueError("scale and vessel_width say the same: expected one of them")
            if not vessel_width > 0:
                raise ValueError(f"vessel_width is {vessel_width}, expected pixels, more than 0")
            scale = vessel_width / _core.WIDEST_VESSEL_DEGREES
        if memory < 1:
            raise ValueError(f"memory is {memory}, expected a number of bytes")
        # A path is a file, whatever it looks like.
        name = os.path.abspath(source) if isinstance(source, os.PathLike) else source
        self._given = (
            name if name in _core.recipes() else os.path.abspath(name), float(scale or 0), int(threads), int(memory)
        )
        self._recipe = _core.Recipe(name, scale or 0.0, whole("threads", threads), whole("memory", memory, 63))

    @property
    def title(self) -> str:
        """One line for a person; empty where it has none."""
        return self._recipe.title

    @property
    def citation(self) -> str:
        """Where the method comes from; empty where nobody says."""
        return self._recipe.citation

    @property
    def channel(self) -> str:
        """What it sees of a colour image: "auto", "luma", "red", "green", "blue", "all", "pages" or "pages-max"."""
        return self._recipe.channel

    @property
    def threshold(self) -> float | None:
        """What is as high or higher is what the recipe looks for; None where it does not say."""
        value = self._recipe.threshold
        return None if value != value else value

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the maps in order, of an image of one channel; empty where they depend on the channels."""
        return self._recipe.labels

    def __call__(self, image: Any, *, field: Any = None, channel_axis: int | None = None) -> Any:
        """The recipe's maps of an image in host memory.

        Args:
            image: [H,W], which is taken as the channel that the recipe sees, or three axes with red, green and blue
                (and alpha, which is left out) along `channel_axis`. The types are those of ``bankside.filter``; values
                are taken as they are, and a recipe that begins with "unit" divides those of integers by their largest.
            field: The field of view [H,W] of bool or uint8, not 0 inside; by default a step finds it, where the recipe
                has one.
            channel_axis: Of images with three axes: 0 for [C,H,W], -1 for [H,W,C]. Where it is not given they are
                [C,H,W], and those that look like [H,W,C] are refused.

        Shapes:
            [H,W] where there is one map, else [M,H,W]; float32, in an array of the image's own library. The numbers of
            an argmax's filters are float32 too. Bytes are those of ``bankside filter --recipe ... --map none``.

        Raises:
            ValueError: The image or the field is not what the recipe takes, or the recipe needs a scale.
            TypeError: No array, or of another element type.
            MemoryError: Maps take more than `memory`.
        """
        axis = None if channel_axis is None else whole("channel_axis", channel_axis)
        return self._recipe.run(image, _as_bytes(field), axis)

    def __repr__(self) -> str:
        return f"<bankside.Recipe {self.title!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _recipe_of, self._given


def _recipe_of(name: str, scale: float, threads: int, memory: int) -> Recipe:
    """Of a file it is what lies there where it is unpickled: it may name banks that lie beside it."""
    return Recipe(name, scale=scale or None, threads=threads, memory=memory)


def _as_bytes(mask: Any) -> Any:
    """A mask of bool as uint8, in place: neither buffers nor DLPack say how a bool lies."""
    if str(getattr(mask, "dtype", "")) == "bool":
        return mask.view("uint8")
    return mask
