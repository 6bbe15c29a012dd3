"""bankside.torch against PyTorch's own convolution and PyTorch's own judges of operators."""

import doctest
import importlib.util
import sys
import unittest

if importlib.util.find_spec("torch") is None:
    print("skipped: PyTorch is not installed")
    sys.exit(0)

import torch

import bankside.torch

BORDERS = {"reflect101": "reflect", "constant": "constant", "replicate": "replicate", "wrap": "circular"}


def padded(image, high, wide, border):
    pad = (wide // 2, (wide - 1) // 2, high // 2, (high - 1) // 2)
    if border == "reflect":  # PyTorch has none
        image = torch.cat([image[:, : pad[2]].flip(1), image, image[:, image.shape[1] - pad[3] :].flip(1)], 1)
        return torch.cat([image[:, :, : pad[0]].flip(2), image, image[:, :, image.shape[2] - pad[1] :].flip(2)], 2)
    return torch.nn.functional.pad(image, pad, BORDERS[border])


def theirs(image, taps, border):
    return torch.nn.functional.conv2d(padded(image, *taps.shape[1:], border)[:, None], taps[:, None])


class Torch(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def tensors(self, count, high, wide, filters, rows, columns):
        image = torch.randn(count, high, wide, requires_grad=True)
        return image, torch.randn(filters, rows, columns, requires_grad=True)

    def test_doctests_hold(self):
        self.assertEqual(doctest.testmod(bankside.torch).failed, 0)

    def test_results_and_gradients_are_pytorchs(self):
        for border in (*BORDERS, "reflect"):
            for shape in ((1, 5, 6, 1, 3, 3), (2, 7, 9, 3, 5, 3), (3, 8, 8, 2, 1, 4), (6, 5, 4, 2, 3, 3), (1, 40, 50, 4, 7, 7)):
                image, taps = self.tensors(*shape)
                out = bankside.torch.filter(image, taps, border)
                weights = torch.randn_like(out)
                ours = torch.autograd.grad((out * weights).sum(), (image, taps))
                expected = theirs(image.double(), taps.double(), border)
                theirs_too = torch.autograd.grad((expected * weights).sum(), (image, taps))
                for got, wanted in zip((out, *ours), (expected, *theirs_too)):
                    torch.testing.assert_close(got, wanted.float(), rtol=1e-4, atol=1e-4, msg=f"{border}, {shape}")

    def test_gradients_are_those_of_differences(self):
        """An operator that is linear in each of its tensors has no error of the step's."""
        for border in (*BORDERS, "reflect"):
            image, taps = self.tensors(2, 4, 5, 2, 3, 3)
            linear = lambda *tensors: bankside.torch.filter(*tensors, border)
            self.assertTrue(torch.autograd.gradcheck(linear, (image, taps), eps=0.5, atol=1e-4, rtol=1e-4))

    def test_opcheck_is_clean(self):
        image, taps = self.tensors(2, 6, 7, 3, 3, 3)
        for tensors in ((image, taps), (image.detach(), taps), (image.detach(), taps.detach())):
            torch.library.opcheck(torch.ops.bankside.filter, (*tensors, "reflect101"))

    def test_strided_and_empty(self):
        image, taps = self.tensors(3, 6, 7, 2, 3, 3)
        turned = image.detach().transpose(1, 2)
        torch.testing.assert_close(
            bankside.torch.filter(turned, taps.detach()), bankside.torch.filter(turned.contiguous(), taps.detach())
        )
        for kind, part, call in [
            (TypeError, "torch.float64", lambda: bankside.torch.filter(image.double(), taps)),
            (TypeError, "is list", lambda: bankside.torch.filter([[1.0]], taps)),
            (ValueError, "three axes", lambda: bankside.torch.filter(image[0], taps)),
            (ValueError, "none of length 0", lambda: bankside.torch.filter(image[:0], taps)),
            (ValueError, "no border", lambda: bankside.torch.filter(image, taps, "mirror")),
            (ValueError, "lies on meta", lambda: bankside.torch.filter(image.to("meta"), taps)),
        ]:
            with self.assertRaisesRegex(kind, part):
                call()


if __name__ == "__main__":
    unittest.main()
