#!/usr/bin/env python3
"""What bankside writes, other programs read, to the bit: Pillow, OpenCV and tifffile, as far as they are here.

    readers_test.py PROGRAM ASSETS      exit code 77: none of them is
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)


def pillow():
    from PIL import Image

    def read(file):
        with Image.open(file) as image:
            pixels = numpy.array(image)
        # Pillow widens 16-bit grey to 32 bits in some versions.
        return pixels.astype(numpy.uint16) if pixels.dtype == numpy.int32 else pixels

    return read


def opencv():
    import cv2

    def read(file):
        pixels = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
        if pixels is None and "zstd" in str(file):  # the libtiff of its wheels has none
            return None
        return pixels[..., ::-1] if pixels.ndim == 3 else pixels

    return read


def tifffile():
    import tifffile as library

    def read(file):
        try:
            return library.imread(file)
        except ValueError as error:
            if "imagecodecs" in str(error):  # without which it unpacks little
                return None
            raise

    return read


def installed():
    readers = {}
    for make in (pillow, opencv, tifffile):
        try:
            readers[make.__name__] = make()
        except ImportError:
            print(f"no {make.__name__}")
    return readers


READERS = installed()
PROGRAM, ASSETS = (Path(word) for word in sys.argv[1:3])


class Readers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def written(self, image, bank, *options):
        """The file of the one response."""
        output = self.folder / "-".join(options).replace("/", "-")
        subprocess.run([PROGRAM, "filter", image, "--bank", bank, "--no-progress", "--output", output, *options],
                       check=True, capture_output=True)
        files = list(output.iterdir())
        self.assertEqual(len(files), 1)
        return files[0]

    def expect_read(self, file, pixels, names):
        for name in names & READERS.keys():
            read = READERS[name](file)
            if read is None:
                print(f"{name} cannot unpack {file.parent.name}")
                continue
            with self.subTest(reader=name, file=file.parent.name):
                self.assertEqual(read.dtype, pixels.dtype)
                self.assertEqual(read.shape, pixels.shape)
                self.assertEqual(read.tobytes(), pixels.tobytes())

    def test_every_type_and_compression(self):
        image = ASSETS / "images" / "phantom.png"
        for kind, value in (("clip", "uint8"), ("stretch", "uint16"), ("none", "float32")):
            settings = ("--channel", "green", "--map", kind)
            pixels = numpy.load(self.written(image, "gaussian:sigma=1", *settings, "--format", "npy"))
            self.assertEqual(pixels.dtype, value)
            for form, compressions, readers in (("png", ("none", "deflate"), {"pillow", "opencv"}),
                                                ("tiff", ("none", "deflate", "zstd"),
                                                 {"pillow", "opencv", "tifffile"})):
                for compression in compressions if (form, kind) != ("png", "none") else ():
                    file = self.written(image, "gaussian:sigma=1", *settings, "--format", form, "--compression",
                                        compression)
                    self.expect_read(file, pixels, readers)

    def test_a_picture_in_colour(self):
        subprocess.run([PROGRAM, "phantom", "--output", self.folder / "made", "--size", "300"], check=True,
                       capture_output=True)
        photograph = self.folder / "made" / "phantom.png"
        same = self.folder / "same.csv"
        same.write_text("1\n")
        planes = [numpy.load(self.written(photograph, same, "--channel", colour, "--format", "npy", "--map", "clip"))
                  for colour in ("red", "green", "blue")]
        self.expect_read(photograph, numpy.stack(planes, axis=-1), {"pillow", "opencv"})


if __name__ == "__main__":
    if not READERS:
        print("skipped: neither Pillow nor OpenCV nor tifffile")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
