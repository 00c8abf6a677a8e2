"""Tests the package's integration with PyTorch: derivatives, operators, compilers and transformations."""
import importlib.util
import itertools
import json
import os
import shutil
import tempfile
import unittest
import warnings
from unittest import mock

import tephra

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    from torch.autograd import forward_ad, gradcheck, gradgradcheck
    from torch.func import functionalize, grad, jacfwd, jacrev, jvp, vmap

    # Derivatives and compilers are slow, so on a machine with a GPU they are tested only there.
    DEVICES = ["cuda" if torch.cuda.is_available() else "cpu"]
    TYPES = (torch.float64, torch.complex128)


def places():
    return itertools.product(DEVICES, TYPES)


def random(device, dtype, *shape, seed=1):
    g = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=g, dtype=dtype).to(device)


def leaf(x):
    return x.detach().clone().requires_grad_()


def triangles(device, dtype, *shape):
    return random(device, dtype, *shape) / shape[-1] + 2 * torch.eye(shape[-1], device=device, dtype=dtype)


def reflectors(device, dtype, *shape):
    """factors, of which only the first min(m, n) columns, and tau, from a factorisation."""
    factors, tau = tephra.geqrf(random(device, dtype, *shape))
    return factors[..., :tau.shape[-1]].contiguous(), tau


def cases(device, dtype):
    """(name, function of tensors, tensors) of every operation, in the cases where it is differentiable."""
    def matrix(*shape, seed=1):
        return random(device, dtype, *shape, seed=seed)

    for shape in ((4, 4), (6, 3), (3, 5), (2, 5, 3), (2, 2, 3, 4), (1, 1), (0, 3, 2)):
        yield f"qr {shape}", lambda a: tuple(tephra.qr(a)), (matrix(*shape),)
        yield f"geqrf {shape}", tephra.geqrf, (matrix(*shape),)
    for shape in ((4, 4), (2, 3, 5)):
        yield f"qr complete {shape}", lambda a: tuple(tephra.qr(a, "complete")), (matrix(*shape),)
    for shape in ((5, 3), (4, 4), (2, 3, 5, 2)):
        factors, tau = reflectors(device, dtype, *shape)
        yield f"householder_product {shape}", tephra.householder_product, (factors, tau)
        # One reflector fewer than columns.
        yield f"householder_product k < n {shape}", tephra.householder_product, (factors, tau[..., :-1])
        for left, transpose in itertools.product((True, False), (True, False)):
            other = matrix(*shape[:-2], *((shape[-2], 3) if left else (3, shape[-2])), seed=2)
            yield (f"ormqr {shape} {left} {transpose}",
                   lambda f, t, c, left=left, transpose=transpose: tephra.ormqr(f, t, c, left, transpose),
                   (factors, tau, other))
    for shape in ((4, 4), (6, 3), (3, 5), (2, 5, 3), (2, 3, 4)):
        rhs = matrix(*shape[:-1], 2, seed=3)
        yield f"lstsq {shape}", lambda a, b: tephra.lstsq(a, b).solution, (matrix(*shape), rhs)
        yield f"lstsq vector {shape}", lambda a, b: tephra.lstsq(a, b).solution, (matrix(*shape), rhs[..., 0])
        yield (f"lstsq by iteration {shape}", lambda a, b: tephra.lstsq(a, b, method="iterative").solution,
               (matrix(*shape), rhs))
    yield "lstsq broadcast", lambda a, b: tephra.lstsq(a, b).solution, (matrix(3, 1, 4, 2), matrix(2, 4, 1, seed=3))
    for upper, left, unit in itertools.product((True, False), repeat=3):
        b = matrix(2, *((3, 2) if left else (2, 3)), seed=4)
        yield (f"solve_triangular {upper} {left} {unit}",
               lambda a, b, upper=upper, left=left, unit=unit:
                   tephra.solve_triangular(a, b, upper=upper, left=left, unitriangular=unit),
               (triangles(device, dtype, 2, 3, 3), b))
    yield ("solve_triangular of a conjugate transpose", lambda a, b: tephra.solve_triangular(a.mH, b, upper=True),
           (triangles(device, dtype, 3, 3), matrix(3, 2)))
    yield ("solve_triangular broadcast", lambda a, b: tephra.solve_triangular(a, b, upper=False),
           (triangles(device, dtype, 3, 1, 2, 2), matrix(2, 2, 3)))
    yield from lu_cases(matrix)


def lu_cases(matrix):
    for shape in ((4, 4), (5, 3), (3, 5), (2, 4, 2), (2, 2, 3), (1, 1), (0, 3, 3)):
        yield f"lu_factor {shape}", lambda a: tephra.lu_factor(a).LU, (matrix(*shape),)
    a, b = matrix(2, 3, 3), matrix(2, 3, 2, seed=3)
    factors, pivots = tephra.lu_factor(a)
    for left, adjoint in itertools.product((True, False), repeat=2):
        # With left=False, the results are conjugate transposes, and in the complex types come from conjugated views.
        yield (f"lu_solve {left} {adjoint}" + ("" if left else " conjugate"),
               lambda f, b, left=left, adjoint=adjoint: tephra.lu_solve(f, pivots, b, left=left, adjoint=adjoint),
               (factors, b if left else b.mT.contiguous()))
    yield "lu_solve broadcast", lambda f, b: tephra.lu_solve(f, pivots, b), (factors, b[0])
    yield "solve", tephra.solve, (a, b)
    yield "solve vector", tephra.solve, (a, b[..., 0].contiguous())
    yield "solve broadcast", tephra.solve, (a[0], b)
    yield "solve broadcast both", tephra.solve, (a.unsqueeze(1), b[:1])
    for shape in ((3, 3), (2, 2, 2), (1, 1), (0, 2, 2), (0, 0)):
        yield f"inv {shape}", tephra.inv, (matrix(*shape),)
        yield f"det {shape}", tephra.det, (matrix(*shape),)
        yield f"slogdet {shape}", lambda a: tuple(tephra.slogdet(a)), (matrix(*shape),)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Case(unittest.TestCase):
    def each(self):
        for device, dtype in places():
            for name, function, tensors in cases(device, dtype):
                yield self.subTest(name, device=device, dtype=dtype), name, function, tensors

    def near(self, got, wanted, tolerance=1e-10):
        self.assertEqual(got.shape, wanted.shape)
        self.assertLessEqual(float((got - wanted).abs().max()) if got.numel() else 0, tolerance)


class Derivatives(Case):
    def test_a_gradient_is_not_dropped(self):
        for device, dtype in places():
            w = leaf(random(device, dtype, 4, 4))
            r = tephra.qr(w[None])[1]
            self.assertTrue(r.requires_grad)
            ((r.abs() ** 2).sum() + (w.abs() ** 2).sum()).backward()
            self.near(w.grad, 4 * w.detach())  # |R| is |A|

    def test_against_differences(self):
        for case, name, function, tensors in self.each():
            with case:
                leaves = tuple(leaf(x) for x in tensors)
                # Batches of tangents and cotangents use the vmap rules. PyTorch cannot batch those of conjugated views,
                # not even for a.mH @ b.
                self.assertTrue(gradcheck(function, leaves, check_forward_ad=True, check_batched_grad=True,
                                          check_batched_forward_grad="conjugate" not in name, atol=1e-6,
                                          fast_mode=leaves[0].is_cuda))

    def test_second_derivatives_against_differences(self):
        for case, name, function, tensors in self.each():
            if all(x.numel() <= 12 for x in tensors):
                with case:
                    leaves = tuple(leaf(x) for x in tensors)
                    self.assertTrue(gradgradcheck(function, leaves, atol=1e-5, rtol=1e-3, fast_mode=leaves[0].is_cuda))

    def test_like_torch(self):
        """Compares gradients with those of the same function with PyTorch's own operations."""
        for device, dtype in places():
            a, b = random(device, dtype, 3, 5, 4), random(device, dtype, 3, 5, 2, seed=2)
            weights = random(device, dtype, 3, 5, 4, seed=5)
            pairs = [
                (lambda x: (tephra.qr(x).Q * weights).sum().abs(), lambda x: (torch.linalg.qr(x).Q * weights).sum().abs()),
                (lambda x: (tephra.qr(x).R * weights[:, :4]).sum().abs(),
                 lambda x: (torch.linalg.qr(x).R * weights[:, :4]).sum().abs()),
                (lambda x: tephra.lstsq(x, b).solution.abs().sum(), lambda x: torch.linalg.lstsq(x, b).solution.abs().sum()),
                (lambda x: tephra.solve_triangular(x[:, :4] + 3 * torch.eye(4, dtype=dtype, device=device), b[:, :4], upper=True).abs().sum(),
                 lambda x: torch.linalg.solve_triangular(x[:, :4] + 3 * torch.eye(4, dtype=dtype, device=device), b[:, :4], upper=True).abs().sum()),
            ]
            factors, tau = reflectors(device, dtype, 3, 5, 4)
            pairs.append((lambda f: tephra.householder_product(f, tau).abs().sum(),
                          lambda f: torch.linalg.householder_product(f, tau).abs().sum()))
            pairs.append((lambda f: tephra.ormqr(f, tau, b, transpose=True).abs().sum(),
                          lambda f: torch.ormqr(f, tau, b, transpose=True).abs().sum()))
            for i, (ours, theirs) in enumerate(pairs):
                with self.subTest(pair=i, device=device, dtype=dtype):
                    x, y = leaf(factors if i >= 4 else a), leaf(factors if i >= 4 else a)
                    ours(x).backward()
                    theirs(y).backward()
                    self.near(x.grad, y.grad, 1e-9)

    def test_geqrf_and_its_q_are_qr(self):
        for device, dtype in places():
            x, y = leaf(random(device, dtype, 2, 6, 4)), leaf(random(device, dtype, 2, 6, 4))
            weights = random(device, dtype, 2, 6, 4, seed=7)
            (tephra.qr(x).Q * weights).sum().abs().backward()
            (tephra.householder_product(*tephra.geqrf(y)) * weights).sum().abs().backward()
            self.near(x.grad, y.grad)

    def test_without_a_derivative(self):
        a = leaf(random(DEVICES[0], torch.float64, 4, 3))
        for mode in ("r", "complete"):  # torch.linalg.qr is not differentiable either
            with self.assertRaisesRegex(RuntimeError, f"mode is '{mode}'"):
                tephra.qr(a, mode).R.sum().backward()
            with self.assertRaises(RuntimeError):
                torch.linalg.qr(a, mode).R.sum().backward()
        deficient = torch.ones(3, 3, dtype=torch.float64)
        deficient[:, 0] = 0
        for linalg in (tephra, torch.linalg):
            x = leaf(deficient)
            linalg.qr(x)[0].sum().backward()
            self.assertFalse(bool(x.grad.isfinite().all()))
        self.assertFalse(tephra.lstsq(a, leaf(a[:, :1])).info.requires_grad)

    def test_only_what_derivatives_use_is_kept(self):
        """Tensors that derivatives do not use may be overwritten before the backward pass."""
        for device, dtype in places():
            a, b = triangles(device, dtype, 2, 3, 3), random(device, dtype, 2, 3, 2, seed=2)
            factors, pivots = tephra.lu_factor(a)
            for name, function, operands, unused in (
                ("qr", lambda a: tephra.qr(a).Q, (a,), (0,)),
                ("geqrf", lambda a: tephra.geqrf(a)[0], (a,), (0,)),
                ("lu_factor", lambda a: tephra.lu_factor(a).LU, (a,), (0,)),
                ("inv", tephra.inv, (a,), (0,)),
                ("cholesky", tephra.cholesky, (a @ a.mH,), (0,)),
                ("solve", tephra.solve, (a, b), (1,)),
                ("solve_triangular", lambda a, b: tephra.solve_triangular(a, b, upper=True), (a, b), (1,)),
                ("lu_solve", lambda f, b: tephra.lu_solve(f, pivots, b), (factors, b), (1,)),
                ("lu_solve adjoint", lambda f, b: tephra.lu_solve(f, pivots, b, adjoint=True), (factors, b), (1,)),
                ("cholesky_solve", lambda f, b: tephra.cholesky_solve(b, f), (a, b), (1,)),
                ("bmm left", lambda a: tephra.bmm(a, b), (a,), (0,)),
                ("bmm right", lambda b: tephra.bmm(a, b), (b,), (0,)),
            ):
                gradients = []
                for spoil in ((), unused):
                    leaves = [leaf(x) for x in operands]
                    given = [2 * x for x in leaves]  # tensors that may be written to
                    result = function(*given)
                    with torch.no_grad():
                        for i in spoil:
                            given[i].zero_()
                    gradients.append(torch.autograd.grad((result * result.conj()).real.sum(), leaves))
                with self.subTest(name, device=device, dtype=dtype):
                    for got, wanted in zip(*gradients):
                        self.near(got, wanted, 0)

    def test_autocast_does_not_reach_derivatives(self):
        """Derivatives are computed in the operands' type, like results: here in single precision, not in bfloat16."""
        a, b = random("cpu", torch.float32, 2, 33, 65), random("cpu", torch.float32, 2, 33, 3, seed=2)
        for name, function, tensors in (
            ("qr", lambda a: tephra.qr(a).R, (a,)),
            ("geqrf", lambda a: tephra.geqrf(a)[0], (a.mT,)),
            ("householder_product", lambda a: tephra.householder_product(*tephra.geqrf(a)), (a.mT,)),
            ("lstsq", lambda a, b: tephra.lstsq(a, b).solution, (a, b)),
            ("lu_factor", lambda a: tephra.lu_factor(a).LU, (a,)),
            ("solve", tephra.solve, (a[..., :33], b)),
            ("inv", tephra.inv, (a[..., :33],)),
            ("slogdet", lambda a: tephra.slogdet(a).logabsdet, (a[..., :33],)),
        ):
            results = []
            for enabled in (False, True):
                leaves = [leaf(x) for x in tensors]
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled):
                    result = function(*leaves)
                    gradients = torch.autograd.grad(result.sum(), leaves)
                    tangent = jvp(function, tensors, tuple(torch.ones_like(x) for x in tensors))[1]
                results.append((result.detach(), *gradients, tangent))
            with self.subTest(name):
                for got, wanted in zip(results[1], results[0]):
                    self.assertIs(got.dtype, torch.float32)
                    self.near(got, wanted, 2e-4 * float(wanted.abs().max()))  # bfloat16 has three digits

    def test_forward_mode_without_leaves(self):
        a, b = random(DEVICES[0], torch.float64, 2, 4, 3), random(DEVICES[0], torch.float64, 2, 4, 3, seed=2)
        with forward_ad.dual_level():
            q, r = tephra.qr(forward_ad.make_dual(a, b))
            ours = forward_ad.unpack_dual(q @ r).tangent
        self.near(ours, b)

    def test_forward_mode_without_unknowns(self):
        for method in ("direct", "iterative"):
            for rows in (1, 3):
                a, b = random(DEVICES[0], torch.float64, 2, rows, 0), random(DEVICES[0], torch.float64, 2, rows, 1)
                with forward_ad.dual_level():
                    x = tephra.lstsq(a, forward_ad.make_dual(b, b), method=method).solution
                    self.assertEqual(forward_ad.unpack_dual(x).tangent.shape, (2, 0, 1))

    def test_parameters_and_no_grad(self):
        w = torch.nn.Parameter(random(DEVICES[0], torch.float64, 3, 3))
        self.assertTrue(tephra.qr(w).R.requires_grad)
        with torch.no_grad():
            self.assertFalse(tephra.qr(w).R.requires_grad)
        with torch.inference_mode():
            self.assertTrue(tephra.qr(w).R.is_inference())


class Operators(Case):
    def calls(self, device, dtype):
        ops = torch.ops.tephra
        a, b = random(device, dtype, 2, 4, 3), random(device, dtype, 2, 4, 2, seed=2)
        factors, tau = reflectors(device, dtype, 2, 4, 3)
        yield from ((ops.qr, (a, mode)) for mode in ("reduced", "r"))
        yield ops.qr, (a.mT.contiguous(), "complete")
        yield ops.geqrf, (a,)
        yield ops.householder_product, (factors, tau)
        yield from ((ops.ormqr, (factors, tau, b, True, transpose)) for transpose in (True, False))
        yield ops.ormqr, (factors, tau, b.mT.contiguous(), False, False)
        yield from ((op, x) for op in (ops.lstsq, ops.lstsq_iterative)
                    for x in ((a, b), (a.mT.contiguous(), b[:, :3].contiguous())))
        yield from ((ops.solve_triangular, (triangles(device, dtype, 3, 3), b[:, :3], upper, True, False, adjoint))
                    for upper in (True, False) for adjoint in (True, False))
        square = triangles(device, dtype, 2, 3, 3)
        solved, factors, pivots, _ = ops.solve(square, b[:, :3], False)
        yield from ((ops.lu_factor, (x, False)) for x in (a, a.mT.contiguous(), square))
        yield from ((ops.lu_solve, (factors, pivots, solved, adjoint)) for adjoint in (True, False))
        yield from ((ops.solve, (x, b[:, :3], check)) for x in (square, square[0]) for check in (True, False))
        yield from ((ops.inv, (square, check)) for check in (True, False))
        yield from ((op, (square,)) for op in (ops.det, ops.slogdet))

    def test_opcheck(self):
        for device, dtype in places():
            for op, arguments in self.calls(device, dtype):
                for wanted in (False, True):
                    with self.subTest(op=str(op), device=device, dtype=dtype, grad=wanted):
                        given = [leaf(x) if isinstance(x, torch.Tensor) and wanted and x.dtype is dtype else x
                                 for x in arguments]
                        # Without Q there is no gradient; then everything except the backward pass is checked.
                        utils = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")
                        if wanted and op is torch.ops.tephra.qr and arguments[1] == "r":
                            utils = utils[:-1]
                        torch.library.opcheck(op, tuple(given), test_utils=utils)

    def test_fake_tensors_tell_shape_stride_and_type(self):
        from torch._subclasses.fake_tensor import FakeTensorMode
        for device, dtype in places():
            for op, arguments in self.calls(device, dtype):
                real = op(*arguments)
                with FakeTensorMode() as mode:
                    fake = op(*(mode.from_tensor(x) if isinstance(x, torch.Tensor) else x for x in arguments))
                for got, wanted in zip(fake if isinstance(fake, tuple) else (fake,),
                                       real if isinstance(real, tuple) else (real,)):
                    self.assertEqual((got.shape, got.stride(), got.dtype, got.device),
                                     (wanted.shape, wanted.stride(), wanted.dtype, wanted.device), str(op))

    def test_meta_tensors(self):
        q, r = tephra.qr(torch.empty(5, 4, 3, device="meta"))
        self.assertEqual((q.shape, r.shape, q.device.type), ((5, 4, 3), (5, 3, 3), "meta"))

    def test_both_ways_give_the_same_bits(self):
        """Calls that bypass the operators give the same bits as those through them."""
        for device, dtype in places():
            for name, function, tensors in cases(device, dtype):
                with self.subTest(name, device=device, dtype=dtype):
                    plain, through = function(*tensors), function(*(leaf(x) for x in tensors))
                    for x, y in zip(*((r,) if isinstance(r, torch.Tensor) else r for r in (plain, through))):
                        self.assertTrue(torch.equal(x, y.detach()))
                        self.assertEqual(x.stride(), y.stride())


def model(a, b):
    """A function that uses all operations."""
    q, r = tephra.qr(a)
    factors, tau = tephra.geqrf(a)
    q = q + tephra.householder_product(factors, tau)
    x = tephra.solve_triangular(r, tephra.ormqr(factors, tau, b, transpose=True)[..., :r.shape[-1], :], upper=True)
    x = x + (tephra.lstsq(a, b).solution + tephra.lstsq(a, b, "iterative").solution) / 2
    square = a.mH @ a / 16 + torch.eye(a.shape[-1], dtype=a.dtype, device=a.device)
    sign, log = tephra.slogdet(square)
    x = tephra.lu_solve(*tephra.lu_factor(square), x) + tephra.inv(square) @ tephra.solve(square, x)
    return x * (sign * log / tephra.det(square)).unsqueeze(-1).unsqueeze(-1), q


class Compilers(Case):
    def inputs(self):
        for device, dtype in places():
            yield random(device, dtype, 2, 5, 3), random(device, dtype, 2, 5, 2, seed=2)

    def test_compile(self):
        for a, b in self.inputs():
            wanted, leaves = model(a, b), (leaf(a), leaf(b))
            x, q = model(*leaves)
            (x.abs().sum() + q.abs().sum()).backward()
            for dynamic in (False, True):
                torch._dynamo.reset()
                compiled = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=dynamic)
                for got, want in zip(compiled(a, b), wanted):
                    self.near(got, want)
                others = leaf(a), leaf(b)
                x, q = compiled(*others)
                (x.abs().sum() + q.abs().sum()).backward()
                for one, other in zip(leaves, others):
                    self.near(one.grad, other.grad)

    def test_every_function_is_traced_whole(self):
        """One graph each, for the functions of the package's table that model() lacks, by themselves."""
        a, b = triangles(DEVICES[0], torch.float64, 2, 3, 3), random(DEVICES[0], torch.float64, 2, 3, 2, seed=2)
        for name, function in {
            "lstsq gelsy": lambda a, b: tephra.lstsq(a, b, driver="gelsy").solution, "pinv": lambda a, b: tephra.pinv(a),
            "matrix_rank": lambda a, b: tephra.matrix_rank(a), "geqp3": lambda a, b: tephra.geqp3(a).factors,
            "solve_ex": lambda a, b: tephra.solve_ex(a, b).result, "inv_ex": lambda a, b: tephra.inv_ex(a).inverse,
            "lu_factor_ex": lambda a, b: tephra.lu_factor_ex(a).LU, "lu": lambda a, b: tephra.lu(a).L,
            "cholesky": lambda a, b: tephra.cholesky(a @ a.mT), "cholesky_ex": lambda a, b: tephra.cholesky_ex(a @ a.mT).L,
            "cholesky_solve": lambda a, b: tephra.cholesky_solve(b, a), "cholesky_inverse": lambda a, b: tephra.cholesky_inverse(a),
            "bmm": tephra.bmm, "matrix_power": lambda a, b: tephra.matrix_power(a, -3),
            "multi_dot": lambda a, b: tephra.multi_dot([a[0], b[0], b[0].mT, a[1]]),
            "tensorsolve": lambda a, b: tephra.tensorsolve(a[0], b[0, :, 0]), "tensorinv": lambda a, b: tephra.tensorinv(a[0], 1),
        }.items():
            with self.subTest(name):
                torch._dynamo.reset()
                compiled = torch.compile(function, fullgraph=True, backend="eager")
                self.near(compiled(a, b), function(a, b))

    def test_forward_mode_inside_compiled_functions(self):
        """By torch.func, and by dual numbers. Compiled code enters PyTorch's dual levels without telling forward_ad."""
        a, b = triangles(DEVICES[0], torch.float64, 3, 3), random(DEVICES[0], torch.float64, 3, 2, seed=2)
        for name, function in {
            "bmm": lambda a: tephra.bmm(a, a), "det": tephra.det, "solve": lambda a: tephra.solve(a, b),
            "solve_triangular": lambda a: tephra.solve_triangular(a, b, upper=True), "inv": tephra.inv,
            "lstsq": lambda a: tephra.lstsq(a, b).solution, "cholesky_solve": lambda a: tephra.cholesky_solve(b, a),
        }.items():
            def dual(a, function=function):
                with forward_ad.dual_level():
                    return forward_ad.unpack_dual(function(forward_ad.make_dual(a, a.sin()))).tangent

            for derivative in (jacfwd(function), dual):
                with self.subTest(name, dual=derivative is dual):
                    torch._dynamo.reset()
                    compiled = torch.compile(lambda a, derivative=derivative: derivative(a), fullgraph=True, backend="eager")
                    self.near(compiled(a), derivative(a))

    def test_a_batch_whose_size_is_known_only_at_run_time(self):
        a, b = triangles(DEVICES[0], torch.float64, 5, 3, 3), random(DEVICES[0], torch.float64, 5, 3, 2, seed=2)
        chosen = torch.tensor([True, False, True, True, False], device=DEVICES[0])
        for name, function in {"det": lambda a, b: tephra.det(a), "lu": lambda a, b: tephra.lu(a).U, "pinv": lambda a, b: tephra.pinv(a),
                               "solve": tephra.solve, "lstsq": lambda a, b: tephra.lstsq(a, b).solution}.items():
            with self.subTest(name), torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
                torch._dynamo.reset()
                leaves = leaf(a), leaf(a)
                compiled = torch.compile(lambda a, function=function: function(a[chosen], b[chosen]).sum(), fullgraph=True,
                                         backend="aot_eager")
                compiled(leaves[0]).backward()
                function(leaves[1][chosen], b[chosen]).sum().backward()
                self.near(leaves[0].grad, leaves[1].grad)

    @unittest.skipIf(shutil.which("gcc") is None or shutil.which("g++") is None, "no compilers for the code that it makes")
    def test_inductor(self):
        a, b = random(DEVICES[0], torch.float64, 2, 5, 3), random(DEVICES[0], torch.float64, 2, 5, 2, seed=2)
        torch._dynamo.reset()
        # Use a new cache: PyTorch caches compiled graphs by the operators' names, and would run those of another build.
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"TORCHINDUCTOR_CACHE_DIR": cache}):
            for got, want in zip(torch.compile(model, fullgraph=True)(a, b), model(a, b)):
                self.near(got, want)

    def test_compiled_autograd(self):
        """Compiled backward passes, including operations with changed options and shapes."""
        for a, b in self.inputs():
            square = a[:, :3] + 4 * torch.eye(3, dtype=a.dtype, device=a.device)
            for function in (lambda a: sum((x.abs() ** 2).sum() for x in model(a, b)),
                             *(lambda a, upper=upper: (tephra.solve_triangular(a, b[:, :3], upper=upper) ** 3).real.sum()
                               for upper in (True, False)),
                             lambda a: (tephra.bmm(a, b[0, :3]) ** 3).real.sum()):
                leaves = leaf(square), leaf(square)
                if function.__defaults__ is None:
                    leaves = leaf(a[..., :3]), leaf(a[..., :3])
                function(leaves[0]).backward()
                with torch._dynamo.config.patch(compiled_autograd=True):
                    value = function(leaves[1])
                    torch.compile(lambda value=value: value.backward(), backend="eager")()
                self.near(leaves[1].grad, leaves[0].grad)

    def test_export(self):
        class Module(torch.nn.Module):
            def forward(self, a, b):
                return model(a, b)

        for a, b in self.inputs():
            for strict in (False, True):
                batch = torch.export.Dim("batch")
                program = torch.export.export(Module(), (a, b), strict=strict, dynamic_shapes=({0: batch}, {0: batch}))
                more = torch.cat((a, a + 1, a)), torch.cat((b, b + 1, b))
                for got, want in zip(program.module()(*more), model(*more)):
                    self.near(got, want)

    def test_make_fx_and_functionalize(self):
        from torch.fx.experimental.proxy_tensor import make_fx
        for a, b in self.inputs():
            graph = make_fx(model)(a, b)
            self.assertIn("tephra", graph.code)
            for got, want, other in zip(functionalize(model)(a, b), model(a, b), graph(a, b)):
                self.near(got, want)
                self.near(other, want)

    def test_trace(self):
        a, b = next(iter(self.inputs()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            traced = torch.jit.trace(model, (a, b), check_trace=False)
        for got, want in zip(traced(a + 1, b), model(a + 1, b)):
            self.near(got, want)


class Transformations(Case):
    def test_vmap(self):
        for device, dtype in places():
            a, b = random(device, dtype, 4, 3, 5, 2), random(device, dtype, 5, 3, seed=2)
            for in_dims, shape in (((0, None), (4, 3, 5, 2)), ((1, None), (3, 4, 5, 2)), ((3, None), (3, 5, 2, 4)),
                                   ((None, 0), None), ((0, 1), (4, 3, 5, 2))):
                x = a[0] if shape is None else random(device, dtype, *shape)
                y = b if in_dims[1] is None else random(device, dtype, *((4, 5, 3) if in_dims[1] == 0 else (5, 4, 3)), seed=2)
                for got, want in zip(vmap(model, in_dims)(x, y), self.looped(x, y, in_dims)):
                    self.near(got, want)
            for got, want in zip(vmap(vmap(model, (0, None)), (0, None))(a, b), model(a, b)):
                self.near(got, want)
            r = vmap(lambda a: tephra.qr(a, "r").R)(a)
            self.near(r, tephra.qr(a, "r").R)

    @staticmethod
    def looped(x, y, in_dims):
        parts = [model(x if in_dims[0] is None else x.select(in_dims[0], i), y if in_dims[1] is None else y.select(in_dims[1], i))
                 for i in range(4)]
        return tuple(torch.stack(z) for z in zip(*parts))

    def test_func(self):
        def loss(a, b):
            x, q = model(a, b)
            return (x.abs() ** 2).sum() + (q[..., 0] ** 3).real.sum()

        for device in DEVICES:
            a, b = random(device, torch.float64, 4, 2), random(device, torch.float64, 4, 1, seed=2)
            x = leaf(a)
            loss(x, b).backward()
            self.near(grad(loss)(a, b), x.grad)
            per_sample = vmap(grad(loss), (0, None))(torch.stack((a, a + 1)), b)
            self.near(per_sample[0], x.grad, 1e-8)
            self.near(per_sample[1], grad(loss)(a + 1, b), 1e-8)
            self.near(jvp(lambda a: loss(a, b), (a,), (b.expand(4, 2),))[1], (x.grad * b).sum(), 1e-8)
            self.near(jacrev(tephra.qr)(a).R, jacfwd(tephra.qr)(a).R)

    def test_any_two_modes_give_the_second_derivative(self):
        a, b = random(DEVICES[0], torch.float64, 4, 2), random(DEVICES[0], torch.float64, 4, 1, seed=2)
        pivots = torch.tensor([2, 2], dtype=torch.int32, device=DEVICES[0])
        for name, function in {
            "qr": lambda a: (tephra.qr(a).Q ** 3).sum() + (tephra.qr(a).R ** 3).sum(),
            "geqrf": lambda a: sum((x ** 3).sum() for x in tephra.geqrf(a)),
            "householder_product": lambda a: (tephra.householder_product(a, b[:2, 0]) ** 3).sum(),
            "ormqr": lambda a: (tephra.ormqr(a, b[:2, 0], b) ** 3).sum(),
            "lstsq": lambda a: (tephra.lstsq(a, b).solution ** 3).sum(),
            "lstsq by iteration": lambda a: (tephra.lstsq(a, b, "iterative").solution ** 3).sum(),
            "lu_factor": lambda a: (tephra.lu_factor(a).LU ** 3).sum(),
            "lu_solve": lambda a: (tephra.lu_solve(a[:2], pivots, b[:2], adjoint=True) ** 3).sum(),
            "solve": lambda a: (tephra.solve(a[:2], b[:2]) ** 3).sum(),
            "inv": lambda a: (tephra.inv(a[:2]) ** 3).sum(),
            "det": lambda a: tephra.det(a[:2]) ** 3,
            "slogdet": lambda a: tephra.slogdet(a[:2]).logabsdet ** 3,
            "bmm": lambda a: (tephra.bmm(a, a.mH) ** 3).sum(),
            "solve_triangular": lambda a: (tephra.solve_triangular(a[:2] + torch.eye(2, device=DEVICES[0]), b[:2], upper=True) ** 3).sum(),
        }.items():
            x = leaf(a)
            first, = torch.autograd.grad(function(x), x, create_graph=True)
            wanted = torch.stack([torch.autograd.grad(g, x, retain_graph=True)[0] for g in first.flatten()]).view(4, 2, 4, 2)
            for outer, inner in ((jacfwd, grad), (jacrev, grad), (jacrev, jacfwd), (jacfwd, jacfwd)):
                with self.subTest(name, outer=outer.__name__, inner=inner.__name__):
                    self.near(outer(inner(function))(a), wanted, 1e-8 * float(1 + wanted.abs().max()))


class Plans(Case):
    """Calls that differ in names and options only, one after the other: each has a plan of its own."""

    def setUp(self):
        self.a, self.b = triangles("cpu", torch.float64, 3, 4, 4), random("cpu", torch.float64, 3, 4, 2, seed=2)

    def test_names_that_are_made_anew(self):
        """Equal strings at other addresses, or others at the same address, as from a file."""
        factors = tephra.lu_factor(self.a)
        wanted = {name: torch.linalg.lu_solve(*factors, self.b, **{name: True}) for name in ("left", "adjoint")}
        for i in range(20):
            for name, x in wanted.items():
                self.near(tephra.lu_solve(*factors, self.b, **json.loads(f'{{"{name}": true}}')), x)
        class Name(str):
            pass
        for options in ({"left": True}, {"adjoint": True}):
            self.near(tephra.lu_solve(*factors, self.b, **{Name(name): x for name, x in options.items()}), wanted[next(iter(options))])
        for i in range(4):
            for mode in ("reduced", "r"):
                given = json.loads(f'{{"mode": "{mode}", "A": 0}}')
                given["A"] = self.a
                q, r = tephra.qr(**given)
                self.assertEqual(q is None, mode == "r")

    def test_out_whose_name_is_made_anew(self):
        for i in range(4):
            given = {"".join(("o", "ut")): torch.zeros(3, 4, 4, dtype=torch.float64)}
            a = self.a + i
            result = tephra.inv(a, **given)
            self.assertIs(result, given["out"])
            self.near(result, torch.linalg.inv(a))
            self.near(tephra.inv(a), torch.linalg.inv(a))

    @unittest.skipIf(torch is None or importlib.util.find_spec("tephra._native") is None, "no compiled module")
    def test_a_call_inside_another_does_not_take_its_plan(self):
        from tephra._torch import front, replay
        if replay.native is None:
            self.skipTest("this PyTorch lacks what plans need")
        a, b = self.a[0, :3, :3].contiguous(), self.b[0, :3, 0].contiguous()
        for _ in range(2):
            tephra.tensorsolve(a, b)  # calls solve()
        tephra.solve(a, b)
        with mock.patch.object(front, "solve", side_effect=AssertionError("in Python")):
            self.near(tephra.solve(a, b), torch.linalg.solve(a, b))

    def test_what_no_step_says_has_no_plan(self):
        from tephra._torch.replay import Recorder
        recorder = Recorder([self.a])
        self.assertIsNotNone(recorder.plan(recorder.columns(self.a, (3,), 4, 4)))
        self.assertIsNone(recorder.plan(self.a))  # an operand, which was written to
        recorder.copy(self.a, self.a + 1)  # a tensor from elsewhere
        self.assertIsNone(recorder.plan(recorder.columns(self.a, (3,), 4, 4)))


class Arguments(Case):
    def test_what_is_wrong_is_said(self):
        a = torch.eye(3)
        for wanted in (False, True):
            for error, text, call in (
                (TypeError, "b is torch.float64, but a is torch.float32", lambda a: tephra.lstsq(a, a.detach().double())),
                (TypeError, "a is torch.float16", lambda a: tephra.inv(a.half())),
                (TypeError, "b is torch.float32, but a is torch.float16: both must have the same type", lambda a: tephra.solve(a.half(), a)),
                (TypeError, "pivots is torch.int64, but must be torch.int32", lambda a: tephra.lu_solve(a, torch.ones(3).long(), a)),
                (TypeError, "pivots is a ndarray, but LU is a", lambda a: tephra.lu_solve(a, a.detach().numpy(), a)),
                (TypeError, "b is torch.float64, but LU is torch.float32",
                 lambda a: tephra.lu_solve(a, torch.ones(3).int(), a.detach().double())),
                (ValueError, "pivots has 2 elements, but must have 3", lambda a: tephra.lu_solve(a, torch.ones(2).int(), a)),
                (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda a: tephra.solve(a[:2], a)),
                (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda a: tephra.inv(a[:2])),
                (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda a: tephra.det(a[:2])),
                (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda a: tephra.slogdet(a[:2])),
                (TypeError, "b is a ndarray, but a is a torch.Tensor", lambda a: tephra.lstsq(a, a.detach().numpy())),
                (TypeError, "a has layout torch.sparse_coo", lambda a: tephra.qr(a.detach().to_sparse())),
                (TypeError, "a is a nested tensor", lambda a: tephra.inv(torch.nested.nested_tensor([a.detach(), a.detach()]))),
                (TypeError, "a is a nested tensor", lambda a: tephra.pinv(torch.nested.nested_tensor([a.detach(), a.detach()]))),
                (ValueError, "tau has 4 elements, but may have at most 3", lambda a: tephra.householder_product(a, torch.ones(4))),
                (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda a: tephra.solve_triangular(a[:2], a, upper=True)),
                (ValueError, "b has 2 rows, but must have 3", lambda a: tephra.lstsq(a, a[:2])),
                (ValueError, "method is 'qr', but must be 'direct' or 'iterative'", lambda a: tephra.lstsq(a, a, method="qr")),
                (ValueError, "mode is 'economic'", lambda a: tephra.qr(a, "economic")),
                (ValueError, r"a has shape \(3,\)", lambda a: tephra.qr(a[0])),
            ):
                with self.subTest(text, grad=wanted), self.assertRaisesRegex(error, text):
                    call(leaf(a) if wanted else a)

    def test_operators_look_at_types_themselves(self):
        """Operators are also called without the public functions: by graphs and by derivatives."""
        from torch._subclasses.fake_tensor import FakeTensorMode
        ops, a, pivots = torch.ops.tephra, torch.eye(3), torch.ones(3, dtype=torch.int32)
        double, half = a.double(), a.half()
        for text, op, arguments in (
            ("b is torch.float64, but a is torch.float32: both must have the same type", ops.solve, (a, double, True)),
            ("b is torch.bfloat16, but a is torch.float32: both must have the same type", ops.lstsq, (a, a.bfloat16())),
            ("tau is torch.float32, but factors is torch.float64: both must have the same type", ops.householder_product, (double, a[0])),
            ("other is torch.float16, but factors is torch.float32: both must have the same type", ops.ormqr, (a, a[0], half, True, False)),
            ("b is torch.complex64, but a is torch.float32: both must have the same type", ops.bmm, (a, a.cfloat(), False, False)),
            ("a is torch.float16, but must be torch.float32", ops.inv, (half, True)),
            ("pivots is torch.int64, but must be torch.int32", ops.lu_solve, (a, pivots.long(), a, False)),
            ("b is torch.float64, but factors is torch.float32: both must have the same type", ops.lu_solve, (a, pivots, double, False)),
        ):
            with self.subTest(text):
                with self.assertRaisesRegex(TypeError, text):
                    op(*arguments)
                with FakeTensorMode() as mode, self.assertRaisesRegex(TypeError, text):
                    op(*(mode.from_tensor(x) if isinstance(x, torch.Tensor) else x for x in arguments))

    def test_misaligned_memory_is_refused(self):
        raw = bytearray(1 + 9 * 8)
        first = torch.frombuffer(raw, dtype=torch.uint8).data_ptr() % 8 == 0
        odd = torch.frombuffer(raw, dtype=torch.float64, offset=int(first), count=9).view(3, 3)
        a = torch.eye(3, dtype=torch.float64)
        for x in (odd, odd.mT, odd.requires_grad_()):
            for call in (tephra.qr, tephra.geqrf, tephra.lu_factor, lambda x: tephra.solve(a, x), lambda x: tephra.lstsq(a, x),
                         lambda x: tephra.bmm(x, a)):
                with self.assertRaisesRegex(ValueError, "is not aligned to its elements"):
                    call(x)

    def test_zeros_without_memory(self):
        """PyTorch's derivatives use such tensors for zero gradients."""
        a, zero = 2 * torch.eye(3), torch._efficientzerotensor(3, 3)
        for got in (tephra.bmm(zero, a), tephra.bmm(a, zero), tephra.solve(a, zero), tephra.lu_factor(zero).LU,
                    tephra.lstsq(a, zero).solution, tephra.solve_triangular(a, zero, upper=True), tephra.qr(zero).R):
            self.near(got, torch.zeros(3, 3), 0)

    def test_views_with_a_conjugate_or_negative_bit(self):
        a = random(DEVICES[0], torch.complex128, 2, 3, 3)
        for view in (a.conj(), a.mH, a.conj().imag):
            for got, want in zip(tephra.qr(view), tephra.qr(view.resolve_conj().resolve_neg().clone())):
                self.near(got, want)
        b = random(DEVICES[0], torch.complex128, 3, 2, seed=2)
        for upper in (True, False):
            triangle = (a.triu() if upper else a.tril()) + 3 * torch.eye(3, device=DEVICES[0])
            for view in (triangle.mH, triangle.conj(), triangle.mT):
                other = upper if view.shape == triangle.shape and torch.equal(view, triangle.conj()) else not upper
                x = tephra.solve_triangular(view, b, upper=other)
                self.near(view @ x, b.expand(2, 3, 2))


if __name__ == "__main__":
    unittest.main()