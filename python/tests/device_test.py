"""Images on a CUDA device: what is refused where there is none, and with one what PyTorch's and CuPy's users see."""

import contextlib
import ctypes
import enum
import importlib.util
import os
import random
import unittest
from array import array

import bankside

REQUIRED = os.environ.get("BANKSIDE_REQUIRE_GPU") == "1"


def without_gpu():
    """Why the tests of the second kind cannot run here; empty if they can."""
    for module in ("torch", "cupy", "numpy"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed"
    import torch

    if not torch.cuda.is_available():
        return "PyTorch finds no CUDA device"
    try:
        bankside.Plan("sobel", (8, 8), "uint8", device="cuda:0")
    except NotImplementedError as error:
        return str(error)
    return ""


class DLPack:
    """Says where it lies, and gives nothing."""

    def __init__(self, kind, index):
        self.place = kind, index

    def __dlpack_device__(self):
        return self.place

    def __dlpack__(self, **kwargs):
        raise BufferError("Can't export this.")


class Interface:
    """An address on a device, by __cuda_array_interface__; whose it is, this keeps."""

    def __init__(self, address, shape, typestr="<f4", strides=None, stream=None, read_only=False, owner=None):
        self.owner = owner
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (address, read_only), "version": 3, "strides": strides,
            "stream": stream,
        }


class Place(enum.IntEnum):
    """DLPack's numbers."""

    HOST = 1
    CUDA = 2
    MANAGED = 13


class Buffers(array):
    """Of a class that has the buffer protocol, as CuPy's has; what it holds are no pixels."""

    def __new__(cls, *args):
        return super().__new__(cls, "i")


class DLPackAndBuffers(DLPack, Buffers):
    pass


class InterfaceAndBuffers(Interface, Buffers):
    pass


class LikeCuPy(Interface, DLPack, Buffers):
    """With the buffer protocol, DLPack and __cuda_array_interface__."""

    def __init__(self, kind):
        Interface.__init__(self, 4096, (8, 8))
        DLPack.__init__(self, kind, 0)


class PixelBuffers(array):
    """Whose buffers are pixels, as CuPy's are in unified memory."""

    __cuda_array_interface__ = Interface(4096, (8, 8)).__cuda_array_interface__


class WithoutMemory(DLPack):
    def __dlpack_device__(self):
        raise BufferError("There is none.")


class WithoutADevice(unittest.TestCase):
    def refused(self, error, sentence, *args, **kwargs):
        with self.assertRaisesRegex(error, sentence):
            bankside.filter(*args, **kwargs)

    def test_where_an_image_has_to_lie(self):
        image = memoryview(array("f", range(64))).cast("B").cast("f", (8, 8))
        self.refused(TypeError, "offers no array on a device", image, "sobel", device="cuda:0")
        self.refused(ValueError, 'no device "gpu"; there are cpu, cuda:0', image, "sobel", device="gpu")
        self.refused(TypeError, "device is a text", image, "sobel", device=0)
        self.refused(ValueError, "a stream is given, which goes with an image on a device", image, "sobel", stream=1)
        self.refused(ValueError, "lies on cuda:1, where cuda:0 is expected", DLPack(2, 1), "sobel", device="cuda:0")
        self.refused(ValueError, "lies on cuda:0, where cpu is expected", DLPack(2, 0), "sobel", device="cpu")
        if importlib.util.find_spec("numpy") is not None:
            import numpy

            host = numpy.zeros((8, 8), "u1")
            self.refused(ValueError, "in host memory, where cuda:0 is expected", host, "sobel", device="cuda:0")
        self.refused(ValueError, "the image gives no DLPack: Can't export this$", DLPack(2, 0), "sobel")
        with self.assertRaisesRegex(ValueError, "the image does not lie in host memory; copy it there first"):
            bankside.Plan("sobel", (8, 8), "float32")(DLPack(2, 0))
        with self.assertRaisesRegex(ValueError, "out does not lie in host memory"):
            bankside.Plan("sobel", (8, 8), "float32")(image, DLPack(2, 0))

    def test_what_lies_on_a_device(self):
        for kind in (2, 13, Place.CUDA, Place.MANAGED):
            for image in (DLPack(kind, 0), DLPackAndBuffers(kind, 0), LikeCuPy(kind)):
                with self.subTest(kind=kind, image=type(image).__name__):
                    self.refused(ValueError, "the image gives no DLPack: Can't export this$", image, "sobel")
                    self.refused(ValueError, "the image lies on cuda:0, where cpu is", image, "sobel", device="cpu")
        for image in (Interface(4096, (8, 8), "<i2"), InterfaceAndBuffers(4096, (8, 8), "<i2")):
            self.refused(TypeError, 'the image holds "<i2"; on a device pixels are', image, "sobel")
        with self.assertRaisesRegex(ValueError, "the image does not lie in host memory; copy it there first"):
            bankside.Plan("sobel", (8, 8), "uint8")(PixelBuffers("B", bytes(64)))
        for kind in (1, Place.HOST):  # DLPack says where an array lies
            self.refused(TypeError, "the image holds int32; pixels are", LikeCuPy(kind), "sobel")
        self.refused(TypeError, "offers no array by the buffer protocol or DLPack", WithoutMemory(2, 0), "sobel")

    def test_plans_that_are_kept(self):
        from bankside import _device

        def prepare(shape, dtype, bank, *options):
            made.append(bank)
            return object(), bank is known or bank == "sobel"

        known = bankside.Bank("sobel")
        made = []
        _device._plans.clear()  # what tests before it kept, where there is a GPU
        self.addCleanup(_device._plans.clear)
        for bank, often in ((known, 1), ("sobel", 1), ("./taps.json", 2), ([[1, 2]], 2)):
            made.clear()
            for _ in range(2):
                _device._plan(7, prepare, (8, 8), "uint8", bank, "fp32")
            self.assertEqual(made, [bank] * often)
        self.assertEqual(len(_device._plans), 6)  # those that will not do again too: to go they would wait
        _device._plan(8, prepare, (8, 8), "uint8", known, "fp32")
        self.assertEqual(len(_device._plans), 7)

    def test_what_it_has_to_hold(self):
        for typestr in ("<f8", ">f4", "<i2"):
            image = Interface(4096, (8, 8), typestr)
            self.refused(TypeError, f'the image holds "{typestr}"; on a device pixels are', image, "sobel")

    def test_protocols_that_say_nothing(self):
        for place in (("a", 0), 7, (2,), None):
            image = DLPack(2, 0)
            image.place = place
            for call in (lambda: bankside.filter(image, "sobel"), lambda: bankside.filter(image, "sobel", device="cuda:0")):
                with self.assertRaisesRegex(TypeError, "^the image says with __dlpack_device__ no pair of numbers$"):
                    call()
        whole = Interface(4096, (8, 8)).__cuda_array_interface__
        for said in ({}, 5, {**whole, "shape": ("8", 8)}, {**whole, "shape": (-8, 8)}, {**whole, "data": (-1, False)},
                     {**whole, "data": 4096}, {**whole, "strides": (2.5, 4)}, {**whole, "stream": "legacy"},
                     {**whole, "data": (2**64, False)}):
            image = Interface(4096, (8, 8))
            image.__cuda_array_interface__ = said
            self.refused(TypeError, "^the image has a __cuda_array_interface__ that says no data, shape, strides or typestr$",
                         image, "sobel")

    def test_what_a_stream_is(self):
        image = Interface(4096, (8, 8))
        for stream in (object(), -1, True, "legacy", 2**64, Protocol(None), Protocol(2**64)):
            self.refused(TypeError, "stream is a", image, "sobel", stream=stream)
        host = memoryview(bytes(64)).cast("B", (8, 8))
        with self.assertRaisesRegex(ValueError, "a stream belongs to a plan for a device"):
            bankside.Plan("sobel", (8, 8), "uint8")(host, None, 7)

    def test_what_a_device_is(self):
        for name in ("gpu", "cuda", "cuda:x"):
            with self.assertRaisesRegex(ValueError, f'there is no device "{name}"; there are cpu, cuda:0, cuda:1 and so on'):
                bankside.Plan("sobel", (8, 8), "uint8", device=name)
        with self.assertRaisesRegex(TypeError, "device is a int"):
            bankside.Plan("sobel", (8, 8), "uint8", device=0)
        self.assertEqual(bankside.Plan("sobel", (8, 8), "uint8").device, "cpu")

    @unittest.skipUnless(without_gpu(), "there is a device")
    def test_a_device_that_is_not_there(self):
        with self.assertRaisesRegex(NotImplementedError, "no plan can be made for cuda:0: "):
            bankside.Plan("sobel", (8, 8), "uint8", device="cuda:0")
        for image in (Interface(4096, (8, 8)), InterfaceAndBuffers(4096, (8, 8)), PixelBuffers("B", bytes(64))):
            self.refused(NotImplementedError, "no plan can be made for cuda:0: ", image, "sobel")


@unittest.skipIf(without_gpu() and not REQUIRED, without_gpu())
class OnADevice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if without_gpu():
            raise AssertionError(without_gpu())
        import cupy
        import numpy
        import torch

        cls.torch, cls.cupy, cls.numpy = torch, cupy, numpy

    def image(self, *shape, dtype="uint8", seed=1):
        values = self.numpy.random.default_rng(seed).integers(0, 16, shape)
        return values.astype(dtype)

    def same(self, got, expected):
        """Whatever library's array, bit for bit."""
        if isinstance(got, self.torch.Tensor):
            got = got.cpu().numpy()
        elif isinstance(got, self.cupy.ndarray):
            got = got.get()
        self.assertEqual(got.dtype, expected.dtype)
        self.numpy.testing.assert_array_equal(got, expected)

    BANK = bankside.Bank([[[1, 2, -1], [0, 3, 1], [2, -2, 1]], [[0, 1, 0], [1, -4, 1], [0, 1, 0]]])

    def test_results_are_of_the_image_s_library(self):
        for dtype in ("uint8", "uint16", "float16", "float32"):
            for shape in ((64, 96), (3, 41, 77)):
                for combine in ("none", "max", "argmax"):
                    options = {"combine": combine, "precision": "exact", "border": "reflect"}
                    host = self.image(*shape, dtype=dtype)
                    expected = bankside.filter(host, self.BANK, **options)
                    tensor = self.torch.from_numpy(host).cuda()
                    array = self.cupy.asarray(host)
                    for image, kind in ((tensor, self.torch.Tensor), (array, self.cupy.ndarray)):
                        got = bankside.filter(image, self.BANK, **options)
                        pairs = zip(got, expected) if combine == "argmax" else ((got, expected),)
                        for one, other in pairs:
                            self.assertIsInstance(one, kind)
                            self.same(one, other)
                    self.assertEqual(bankside.filter(tensor, self.BANK).device, tensor.device)

    def test_any_strides(self):
        host = self.image(60, 90, 3)
        expected = bankside.filter(host, self.BANK, channel_axis=-1, precision="exact")
        for image in (self.torch.from_numpy(host).cuda(), self.cupy.asarray(host)):
            self.same(bankside.filter(image, self.BANK, channel_axis=-1, precision="exact"), expected)
        array = self.cupy.asarray(host)[::-2, ::-1, 1]
        self.same(bankside.filter(array, self.BANK, precision="exact"),
                  bankside.filter(host[::-2, ::-1, 1], self.BANK, precision="exact"))
        out = self.cupy.zeros((90, 60, 2, 2), "float32")[..., 0].transpose(2, 1, 0)
        image = self.cupy.asarray(host)[..., 0]
        self.assertIs(bankside.filter(image, self.BANK, out=out, precision="exact"), out)
        self.same(out, bankside.filter(host[..., 0], self.BANK, precision="exact"))

    def test_the_current_stream(self):
        host = self.image(512, 512)
        expected = bankside.filter(host, self.BANK, precision="exact")
        stream = self.torch.cuda.Stream()
        with self.torch.cuda.stream(stream):
            image = self.torch.from_numpy(host).cuda()
            got = bankside.filter(image, self.BANK, precision="exact")
            self.assertFalse(self.torch.cuda.is_current_stream_capturing())
        stream.synchronize()
        self.same(got, expected)
        with self.cupy.cuda.Stream(non_blocking=True) as stream:
            got = bankside.filter(self.cupy.asarray(host), self.BANK, precision="exact")
            stream.synchronize()
        self.same(got, expected)

    def test_a_stream_that_is_given_comes_behind_the_image(self):
        host = self.image(1024, 1024, dtype="float32")
        expected = bankside.filter(host, self.BANK, precision="exact")
        for i in range(20):
            stream = self.torch.cuda.Stream()
            image = self.torch.from_numpy(host).cuda()
            busy = self.torch.randn(2048, 2048, device="cuda")
            for _ in range(10):
                busy = busy @ busy
            image.mul_(2).mul_(0.5)  # behind what takes long, on the current stream
            given = (stream, stream.cuda_stream, Protocol(stream.cuda_stream))[i % 3]
            got = bankside.filter(image, self.BANK, precision="exact", stream=given)
            del image
            stream.synchronize()
            self.same(got, expected)

    def test_an_array_interface_brings_its_stream(self):
        host = self.image(128, 192, dtype="float32")
        expected = bankside.filter(host, self.BANK, precision="exact")
        producer = self.torch.cuda.Stream()
        with self.torch.cuda.stream(producer):
            tensor = self.torch.from_numpy(host).cuda()
        out = self.torch.zeros(2, 128, 192, device="cuda")
        self.torch.cuda.current_stream().synchronize()
        image = Interface(tensor.data_ptr(), (128, 192), stream=producer.cuda_stream, owner=tensor)
        consumer = self.torch.cuda.Stream()
        result = Interface(out.data_ptr(), (2, 128, 192), owner=out)
        self.assertIs(bankside.filter(image, self.BANK, precision="exact", out=result, stream=consumer), result)
        consumer.synchronize()
        self.same(out, expected)
        with self.assertRaisesRegex(TypeError, "results beside a Interface need memory that is yours: give out="):
            bankside.filter(image, self.BANK)
        read_only = Interface(out.data_ptr(), (2, 128, 192), read_only=True, owner=out)
        with self.assertRaisesRegex(TypeError, "out is read-only"):
            bankside.filter(image, self.BANK, out=read_only)

    def test_a_graph_of_torch(self):
        host = self.image(256, 256)
        image = self.torch.from_numpy(host).cuda()
        plan = bankside.Plan(self.BANK, (256, 256), "uint8", device="cuda:0", precision="exact")
        out = self.torch.empty(plan.shape, device="cuda")
        self.torch.cuda.synchronize()
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            plan(image, out)
            made = plan(image)
        for seed in (2, 3):
            host = self.image(256, 256, seed=seed)
            image.copy_(self.torch.from_numpy(host))
            graph.replay()
            expected = bankside.filter(host, self.BANK, precision="exact")
            self.same(out, expected)
            self.same(made, expected)

    def test_plans_on_streams_side_by_side(self):
        rng = random.Random(1)
        banks = [bankside.Bank([[[rng.randint(-3, 3) for _ in range(5)] for _ in range(5)]]) for _ in range(3)]
        host = self.image(300, 300)
        image = self.torch.from_numpy(host).cuda()
        self.torch.cuda.synchronize()
        streams = [self.torch.cuda.Stream() for _ in banks]
        plans = [bankside.Plan(bank, (300, 300), "uint8", device="cuda:0", precision="exact") for bank in banks]
        outs = [self.torch.empty(1, 300, 300, device="cuda") for _ in banks]
        for _ in range(50):
            for plan, out, stream in zip(plans, outs, streams):
                plan(image, out, stream)
        self.torch.cuda.synchronize()
        for bank, out in zip(banks, outs):
            self.same(out, bankside.filter(host, bank, precision="exact"))

    def test_what_is_refused(self):
        torch = self.torch
        image = torch.zeros(32, 32, device="cuda")
        plan = bankside.Plan("sobel", (32, 32), "float32", device="cuda:0")
        cases = [
            (ValueError, "the image lies in host memory, where cuda:0 is expected", torch.zeros(32, 32), None),
            (ValueError, "out lies in host memory, where cuda:0 is expected", image, torch.zeros(2, 32, 32)),
            (ValueError, "where the plan expects", torch.zeros(31, 32, device="cuda"), None),
            (TypeError, "holds uint8, where the plan", torch.zeros(32, 32, device="cuda", dtype=torch.uint8), None),
            (TypeError, "out holds uint8, where the plan", image, torch.zeros(2, 32, 32, device="cuda", dtype=torch.uint8)),
            (ValueError, r"no array of shape \[2,32,32\]", image, torch.zeros(1, 32, 32, device="cuda")),
            (TypeError, "the image holds float64", image.double(), None),
            (TypeError, "the image holds int32", image.int(), None),
            (ValueError, "the image gives no DLPack: ", image.clone().requires_grad_(), None),
            (NotImplementedError, "any strides", image.t(), None),
            (ValueError, "overlap in memory", image, torch.zeros(2, 32, 32, device="cuda")),
        ]
        shared = cases[-1][3]
        cases[-1] = (ValueError, "overlap in memory", shared[1], shared)
        for error, sentence, given, out in cases:
            with self.subTest(sentence), self.assertRaisesRegex(error, sentence):
                plan(given, out)
        freed = torch.cuda.caching_allocator_alloc(32 * 32 * 4)
        torch.cuda.caching_allocator_delete(freed)
        torch.cuda.empty_cache()
        with contextlib.suppress(ValueError):  # whoever has the memory by now
            plan(Interface(freed, (32, 32)), torch.zeros(2, 32, 32, device="cuda"))
        host = (ctypes.c_float * 1024)()
        with self.assertRaisesRegex(ValueError, "the pixels of the image lie in"):
            plan(Interface(ctypes.addressof(host), (32, 32)), torch.zeros(2, 32, 32, device="cuda"))
        self.same(plan(image), self.numpy.zeros((2, 32, 32), "float32"))


class Protocol:
    """A stream of nobody's, by the protocol of cuda.core."""

    def __init__(self, handle):
        self.handle = handle

    def __cuda_stream__(self):
        return 0, self.handle


if __name__ == "__main__":
    unittest.main()
