"""Tests bmm() against NumPy and PyTorch: values, operands that are read in place, derivatives, operators."""
import itertools
import unittest
from unittest import mock

import numpy as np

import tephra
from tephra import _calls, _products

try:
    import torch
except ImportError:
    torch = None

TYPES = ("float32", "float64", "complex64", "complex128")
SHAPES = [((1, 1), (1, 1)), ((3, 4), (4, 5)), ((7, 3, 4), (7, 4, 5)), ((2, 7, 33, 20), (2, 7, 20, 17)),
          ((3, 1, 6), (3, 6, 1)), ((3, 4, 1), (3, 1, 5)), ((4, 5), (7, 5, 3)), ((7, 4, 5), (5, 3)), ((7, 1, 4, 5), (6, 5, 3)),
          ((1, 6, 4, 5), (7, 1, 5, 3)), ((2, 3, 4, 5), (3, 5, 6)), ((1, 4, 5), (5, 6))]
EMPTY = [((3, 4, 0), (3, 0, 5)), ((4, 0), (2, 0, 5)), ((3, 0, 4), (3, 4, 5)), ((3, 4, 5), (3, 5, 0)),
         ((0, 4, 5), (0, 5, 6)), ((0, 4, 5), (1, 5, 6)), ((2, 0, 4, 5), (5, 6)), ((0, 0), (0, 0))]


def random(kind, *shape, seed=1):
    g = np.random.default_rng(seed)
    x = g.standard_normal(shape)
    return (x + 1j * g.standard_normal(shape) if "complex" in kind else x).astype(kind)


def pairs(kind):
    for left, right in SHAPES:
        yield random(kind, *left), random(kind, *right, seed=2)


def views(x):
    """(name, array, whether it can be read in place) of the same matrices in all memory layouts."""
    yield "rows", x, True
    yield "columns", np.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2), True
    *outer, m, n = x.shape
    part = np.full((*outer, m + 1, n + 3), np.nan, x.dtype)[..., 1:, 2:-1]
    part[...] = x
    yield "part of rows", part, True
    every_other = np.full((*outer, m, 2 * n), np.nan, x.dtype)[..., ::2]
    every_other[...] = x
    yield "every other", every_other, False
    yield "reversed", np.flip(np.ascontiguousarray(np.flip(x, -2)), -2), False
    raw = np.zeros(x.nbytes + 1, "u1")[1:].view(x.dtype).reshape(x.shape)
    raw[...] = x
    yield "misaligned", raw, False


def copies():
    """Counts the operands that are copied."""
    return mock.patch.object(_products, "_copied", side_effect=_calls._copied)


class Arrays(unittest.TestCase):
    def same(self, got, a, b):
        high = "complex128" if np.iscomplexobj(a) else "float64"
        wanted = a.astype(high) @ b.astype(high)
        size = np.abs(a).astype("float64") @ np.abs(b).astype("float64")
        self.assertEqual((got.shape, got.dtype), (wanted.shape, a.dtype))
        self.assertTrue(got.flags.c_contiguous and got.flags.writeable)
        self.assertTrue((np.abs(got - wanted) <= 4 * (a.shape[-1] + 2) * np.finfo(a.dtype).eps * size).all())

    def test_products_are_numpys(self):
        for kind in TYPES:
            for a, b in pairs(kind):
                with self.subTest(kind=kind, a=a.shape, b=b.shape):
                    self.same(tephra.bmm(a, b), a, b)

    def test_empty_sizes(self):
        for kind in TYPES:
            for left, right in EMPTY:
                with self.subTest(kind=kind, a=left, b=right):
                    a, b = random(kind, *left), random(kind, *right)
                    np.testing.assert_array_equal(tephra.bmm(a, b), a @ b)

    def test_every_view_is_taken_and_copied_only_where_it_must_be(self):
        for kind in TYPES:
            a, b = random(kind, 6, 4, 5), random(kind, 6, 5, 3, seed=2)
            for (name, x, a_stays), (other, y, b_stays) in itertools.product(views(a), views(b)):
                with self.subTest(a=name, b=other, kind=kind), copies() as copied:
                    self.same(tephra.bmm(x, y), a, b)
                    self.assertEqual(copied.call_count, (not a_stays) + (not b_stays))

    def test_what_stands_for_a_batch_is_not_repeated(self):
        a, b = random("float64", 6, 4, 5), random("float64", 5, 3, seed=2)
        with copies() as copied:
            self.same(tephra.bmm(a, b), a, b)
            self.same(tephra.bmm(a, np.broadcast_to(b, (6, 5, 3))), a, b)
            self.assertEqual(copied.call_count, 0)
            self.same(tephra.bmm(a, b[::-1]), a, b[::-1])
            (_, _, outer, *_), _ = copied.call_args
            self.assertEqual(outer, ())
        # Neither of these has one stride over the whole batch.
        x, y = random("float64", 6, 1, 4, 5), random("float64", 7, 5, 3, seed=2)
        with copies() as copied:
            self.same(tephra.bmm(x, y), x, y)
            self.assertEqual(copied.call_count, 2)

    def test_members_do_not_touch_their_neighbours(self):
        a, b = random("float64", 5, 4, 3), random("float64", 5, 3, 2, seed=2)
        good = tephra.bmm(a, b)
        a[2, 1, 1], b[3] = np.nan, np.inf
        np.testing.assert_array_equal(tephra.bmm(a, b)[[0, 1, 4]], good[[0, 1, 4]])

    def test_what_is_wrong_is_said(self):
        a = np.ones((2, 3, 4))
        for error, text, call in (
            (ValueError, "b has 3 rows, but must have 4, as many as a has columns", lambda: tephra.bmm(a, a)),
            (ValueError, r"a has shape \(4,\), but needs at least 2 dimensions", lambda: tephra.bmm(a[0, 0], a)),
            (ValueError, r"b has shape \(4,\), but needs at least 2 dimensions", lambda: tephra.bmm(a, a[0, 0])),
            (ValueError, r"b has batch dimensions \(3,\), which do not broadcast with \(2,\) of a",
             lambda: tephra.bmm(a, np.ones((3, 4, 2)))),
            (TypeError, "b is float32, but a is float64", lambda: tephra.bmm(a, np.ones((4, 2), "f4"))),
            (TypeError, "a is int64, but must be float16, float32, float64", lambda: tephra.bmm(a.astype("i8"), a)),
            (TypeError, "b is a Python list, but a is a numpy ndarray", lambda: tephra.bmm(a, [[1.0]])),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()

    def test_jax(self):
        try:
            import jax
        except ImportError:
            self.skipTest("JAX is not installed")
        a, b = random("float32", 3, 4, 5), random("float32", 5, 2)
        c = tephra.bmm(jax.numpy.asarray(a), jax.numpy.asarray(b))
        self.assertIsInstance(c, jax.Array)
        np.testing.assert_allclose(np.asarray(c), a @ b, rtol=1e-4, atol=1e-5)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Tensors(unittest.TestCase):
    def setUp(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"

    def tensors(self, *arrays):
        return tuple(torch.from_numpy(x).to(self.device) for x in arrays)

    def operands(self, kind, left=(2, 3, 4), right=(2, 4, 5)):
        return self.tensors(random(kind, *left), random(kind, *right, seed=2))

    def test_products_are_pytorchs(self):
        for kind in TYPES:
            close = dict(rtol=1e-4, atol=1e-4) if kind in ("float32", "complex64") else dict(rtol=1e-12, atol=1e-12)
            for a, b in itertools.chain(pairs(kind), ((random(kind, *x), random(kind, *y)) for x, y in EMPTY)):
                a, b = self.tensors(a, b)
                got, wanted = tephra.bmm(a, b), torch.matmul(a, b)
                torch.testing.assert_close(got, wanted, **close)
                self.assertTrue(got.is_contiguous())

    def test_views(self):
        for kind in ("float64", "complex128"):
            a, b = self.operands(kind)
            forms = [lambda x: x, lambda x: x.mT.contiguous().mT, lambda x: x.mH.clone().mH, lambda x: x.conj(),
                     lambda x: x.mT.contiguous().mH.conj_physical(), lambda x: x.mH.resolve_conj().contiguous().mH,
                     lambda x: x.mH.resolve_conj().contiguous().mH.conj(), lambda x: torch.cat((x, x), -1)[..., :x.shape[-1]]]
            for f, g in itertools.product(forms, forms):
                x, y = f(a), g(b)
                for wanted in (False, True):
                    torch.testing.assert_close(tephra.bmm(x.detach().requires_grad_(wanted), y), torch.matmul(x, y))

    def test_a_conjugate_transpose_is_read_where_it_is(self):
        for kind in TYPES:
            a, b = self.operands(kind, (2, 4, 3), (2, 5, 4))
            with copies() as copied:
                torch.testing.assert_close(tephra.bmm(a.mH, b.mH), a.mH @ b.mH, rtol=1e-4, atol=1e-5)
                self.assertEqual(copied.call_count, 0)

    def test_derivatives(self):
        for kind in ("float64", "complex128"):
            for left, right in [((3, 2), (2, 2)), ((2, 3, 2), (2, 2, 2)), ((2, 1, 2, 2), (2, 2, 1)), ((2, 3), (2, 3, 2)),
                                ((2, 2, 0), (2, 0, 3)), ((0, 2, 3), (3, 2))]:
                # Cloned, because NumPy gives empty arrays zero strides, which gradcheck() rejects.
                a, b = (x.clone(memory_format=torch.contiguous_format).requires_grad_()
                        for x in self.operands(kind, left, right))
                self.assertTrue(torch.autograd.gradcheck(tephra.bmm, (a, b), check_forward_ad=True, check_batched_grad=True))
                self.assertTrue(torch.autograd.gradcheck(lambda a, b: tephra.bmm(b.mH, a.mH), (a, b), check_forward_ad=True))
                self.assertTrue(torch.autograd.gradgradcheck(tephra.bmm, (a, b)))
            for adjoint_a, adjoint_b in itertools.product((False, True), repeat=2):
                a, b = (x.requires_grad_() for x in self.operands(kind, (3, 2) if adjoint_a else (2, 3),
                                                                 (2, 3) if adjoint_b else (3, 2)))

                def product(a, b, options=(adjoint_a, adjoint_b)):
                    return torch.ops.tephra.bmm(a, b, *options)

                torch.testing.assert_close(product(a, b), (a.mH if adjoint_a else a) @ (b.mH if adjoint_b else b))
                self.assertTrue(torch.autograd.gradcheck(product, (a, b), check_forward_ad=True))
                self.assertTrue(torch.autograd.gradgradcheck(product, (a, b)))

    def test_only_what_is_wanted_is_differentiated(self):
        a, b = self.operands("float64")
        a.requires_grad_()
        (2 * tephra.bmm(a, b)).sum().backward()
        torch.testing.assert_close(a.grad, 2 * b.sum(-1)[:, None, :].expand_as(a))
        self.assertIsNone(b.grad)
        tangent, = self.tensors(random("float64", 2, 4, 5, seed=3))
        for position in (0, 1):
            def product(x):
                return tephra.bmm(*((a.detach(), x) if position else (x, b)))
            x, dx = (b, tangent) if position else (a.detach(), tangent[:, :3, :4])
            torch.testing.assert_close(torch.func.jvp(product, (x,), (dx,))[1], product(dx))

    def test_opcheck(self):
        for kind in ("float64", "complex128"):
            for left, right in [((2, 3, 4), (2, 4, 5)), ((3, 1, 3, 4), (4, 5)), ((2, 3, 0), (2, 0, 5))]:
                a, b = self.operands(kind, left, right)
                for wanted in (False, True):
                    given = [x.detach().clone().requires_grad_(wanted) for x in (a, b)]
                    torch.library.opcheck(torch.ops.tephra.bmm.default, (*given, False, False))
                    torch.library.opcheck(torch.ops.tephra.bmm.default, (given[0], given[1].mH.detach().clone(), False, True))

    def test_vmap(self):
        for kind in ("float64", "complex128"):
            a, b = self.operands(kind, (6, 2, 3, 4), (6, 2, 4, 5))
            wanted = torch.matmul(a, b)
            torch.testing.assert_close(torch.vmap(tephra.bmm)(a, b), wanted)
            torch.testing.assert_close(torch.vmap(torch.vmap(tephra.bmm))(a, b), wanted)
            torch.testing.assert_close(torch.vmap(tephra.bmm, (2, None))(a.movedim(0, 2), b[0, 0]), a @ b[0, 0])
            torch.testing.assert_close(torch.vmap(tephra.bmm, (None, 0))(a[0, 0], b[:, 0]), a[0, 0] @ b[:, 0])
            torch.testing.assert_close(torch.vmap(tephra.bmm, (0, 0))(a[:, 0], b), a[:, :1] @ b)
            torch.testing.assert_close(torch.vmap(lambda x, y: tephra.bmm(y.mH, x.mH))(a, b), wanted.mH)

    def test_compilers(self):
        def model(a, b):
            return tephra.bmm(a, b), tephra.bmm(b.mH, a.mH)

        for kind in ("float64", "complex128"):
            a, b = self.operands(kind)
            wanted = model(a, b)
            for dynamic in (False, True):
                torch._dynamo.reset()
                compiled = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=dynamic)
                torch.testing.assert_close(compiled(a, b), wanted)
                leaves = [x.detach().clone().requires_grad_() for x in (a, b)]
                ours, theirs = (torch.autograd.grad(sum(x.abs().sum() for x in f(*leaves)), leaves) for f in (compiled, model))
                torch.testing.assert_close(ours, theirs)

    def test_what_is_wrong_is_said(self):
        a = torch.ones(2, 3, 4, device=self.device)
        for wanted in (False, True):
            for error, text, call in (
                (ValueError, "b has 3 rows, but must have 4, as many as a has columns", lambda a: tephra.bmm(a, a)),
                (ValueError, r"b has shape \(4,\), but needs at least 2", lambda a: tephra.bmm(a, a[0, 0])),
                (TypeError, "b is torch.float64, but a is torch.float32", lambda a: tephra.bmm(a, a.mT.double())),
                (TypeError, "b is a ndarray, but a is a torch.Tensor", lambda a: tephra.bmm(a, a.detach().cpu().numpy())),
                (TypeError, "b is torch.float32, but a is torch.float16", lambda a: tephra.bmm(a.half(), a.mT)),
            ):
                with self.subTest(text, grad=wanted), self.assertRaisesRegex(error, text):
                    call(a.clone().requires_grad_(wanted))


if __name__ == "__main__":
    unittest.main()
