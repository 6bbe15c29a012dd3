"""DLPack's exchange in C, by a made-up type: what it gives is taken, and let go; what it does not goes by __dlpack__."""

import ctypes
import unittest
from array import array

import bankside
from module_test import listed, rows

FLOAT, UNSIGNED, CPU, CUDA = 2, 1, 1, 2


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32), ("axes", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    pass


LetGo = ctypes.PYFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [
    ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("owner", ctypes.c_void_p), ("let_go", LetGo),
    ("flags", ctypes.c_uint64), ("tensor", Tensor),
]
FromObject = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.POINTER(Managed)))


class Functions(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("earlier", ctypes.c_void_p), ("allocate", ctypes.c_void_p),
        ("from_object", FromObject), ("to_object", ctypes.c_void_p), ("places", ctypes.c_void_p), ("stream", ctypes.c_void_p),
    ]


def capsule(functions, name=b"dlpack_exchange_api"):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(functions), name, None)


class Library:
    """A library of arrays, whose type offers the exchange."""

    def __init__(self, **options):
        options = {"major": 1, "fails": False, "tensor_major": 1, "flags": 0, "device_type": CPU, **options}
        self.given, self.back = [], 0

        def let_go(managed):
            self.back += 1

        def from_object(thing, place):
            if options["fails"]:
                return -1
            shape = (ctypes.c_int64 * len(thing.shape))(*thing.shape)
            strides = (ctypes.c_int64 * len(thing.shape))(*thing.strides) if thing.strides else None
            tensor = Tensor(ctypes.addressof(thing.memory), options["device_type"], 0, len(thing.shape), *thing.kind, 1, shape,
                            strides, thing.offset)
            managed = Managed(options["tensor_major"], 3, None, self.let_go, options["flags"], tensor)
            self.given.append((managed, shape, strides))
            place[0] = ctypes.pointer(managed)
            return 0

        self.let_go, self.from_object = LetGo(let_go), FromObject(from_object)
        self.functions = Functions(options["major"], 0, None, None, self.from_object, None, None, None)
        self.older = options.get("earlier")
        if self.older is not None:
            self.functions.earlier = ctypes.addressof(self.older.functions)

        class Array:
            __dlpack_c_exchange_api__ = capsule(self.functions, options.get("name", b"dlpack_exchange_api"))

            def __init__(self, values, shape, kind=(FLOAT, 32), strides=None, offset=0):
                code = {(FLOAT, 32): "f", (FLOAT, 64): "d", (UNSIGNED, 8): "B", (UNSIGNED, 32): "I"}[kind]
                held = array(code, values)
                self.memory = (ctypes.c_char * (len(held) * held.itemsize)).from_buffer(held)
                self.held, self.shape, self.kind, self.strides, self.offset = held, shape, kind, strides, offset
                self.asked = 0

            def __dlpack_device__(self):
                self.asked += 1
                return CPU, 0

            def __dlpack__(self, **options):
                raise BufferError("Only in C.")

        self.Array = Array


class InC(unittest.TestCase):
    def test_images_and_results(self):
        library = Library()
        numbers = [float(i % 7) for i in range(20)]
        plain = rows(5, 4, "f", lambda i: numbers[i])
        expected = listed(bankside.filter(plain, "sobel"))
        out = library.Array([0] * 40, (2, 4, 5))
        for image in (
            library.Array(numbers, (4, 5)),
            library.Array(numbers, (4, 5), strides=(5, 1)),
            library.Array([0, 0, *numbers], (4, 5), offset=8),
            library.Array([v for n in numbers for v in (n, -1)], (4, 5), strides=(10, 2)),
            library.Array(numbers, (4, 5), kind=(FLOAT, 64)),
            library.Array([int(n) for n in numbers], (4, 5), kind=(UNSIGNED, 8)),
        ):
            self.assertEqual(listed(bankside.filter(image, "sobel")), expected)
            plan = bankside.Plan("sobel", (4, 5), "uint8" if image.kind == (UNSIGNED, 8) else "float32")
            self.assertIs(plan(image, out), out)
            self.assertEqual(list(out.held), [v for plane in expected for row in plane for v in row])
            self.assertEqual(image.asked, 0)
        self.assertEqual(library.back, len(library.given))
        self.assertEqual(len(library.given), 18)

    def test_what_is_refused(self):
        library = Library()
        with self.assertRaisesRegex(TypeError, "^the image holds uint32; pixels are"):
            bankside.filter(library.Array([1] * 20, (4, 5), kind=(UNSIGNED, 32)), "sobel")
        with self.assertRaisesRegex(ValueError, "image has 1 axes"):
            bankside.filter(library.Array([1] * 20, (20,)), "sobel")
        self.assertEqual(library.back, len(library.given))
        device = Library(device_type=CUDA)
        with self.assertRaisesRegex(ValueError, "^the image does not lie in host memory"):
            bankside.Plan("sobel", (4, 5), "float32")(device.Array([1] * 20, (4, 5)))
        with self.assertRaisesRegex(ValueError, "in host memory"):  # as its DLPack says, which has the last word
            bankside.filter(device.Array([1] * 20, (4, 5)), "sobel")
        self.assertEqual(device.back, len(device.given))

    def test_what_goes_by_dlpack(self):
        class KeepsGradient:
            requires_grad = True

        for library, written in (
            (Library(fails=True), False), (Library(major=2), False), (Library(tensor_major=2), False),
            (Library(name=b"something else"), False), (Library(flags=1), True),
        ):
            image = library.Array([1] * 20, (4, 5))
            with self.assertRaisesRegex(TypeError, "which offers no array"):  # this one's DLPack gives nothing
                if written:
                    bankside.filter(rows(5, 4, "f"), "box", combine="sum", out=image)
                else:
                    bankside.filter(image, "sobel")
            self.assertGreater(image.asked, 0)
            self.assertEqual(library.back, len(library.given))
        library = Library()
        tracked = type("Tracked", (library.Array, KeepsGradient), {})([1] * 20, (4, 5))
        with self.assertRaisesRegex(TypeError, "which offers no array"):
            bankside.filter(tracked, "sobel")
        self.assertEqual(library.given, [])

    def test_who_offers_an_earlier_version_too(self):
        library = Library(major=2, earlier=Library())
        self.assertEqual(listed(bankside.filter(library.Array([1] * 20, (4, 5)), [[1]]))[0][0], [1] * 5)
        self.assertEqual((len(library.given), len(library.older.given)), (0, 1))


if __name__ == "__main__":
    unittest.main()
