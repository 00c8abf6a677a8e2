"""Tests tephra.jax on several devices; test_jax.py runs this in a process with four."""
import re
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import tephra.jax as tj

jax.config.update("jax_enable_x64", True)


def random(*shape, seed=1):
    return jnp.asarray(np.random.default_rng(seed).uniform(-1, 1, shape))


A = random(8, 4, 4) / 4 + 2 * jnp.eye(4)
B = random(8, 4, 2, seed=2)
D = A @ A.mT
TALL = random(8, 6, 4)

# Name: the function and its operands, all with a leading batch dimension.
CALLS = {
    "qr": (tj.qr, (TALL,)), "raw": (lambda a: tj.qr(a, "raw"), (TALL,)), "r": (lambda a: tj.qr(a, "r"), (TALL,)),
    "lu": (tj.lu, (TALL,)), "lu_factor": (tj.lu_factor, (TALL,)), "solve": (tj.solve, (A, B)),
    "lu_solve": (lambda a, b: tj.lu_solve(tj.lu_factor(a), b), (A, B)), "inv": (tj.inv, (A,)), "det": (tj.det, (A,)),
    "slogdet": (tj.slogdet, (A,)), "cholesky": (tj.cholesky, (D,)),
    "cho_solve": (lambda a, b: tj.cho_solve(tj.cho_factor(a), b), (D, B)),
    "solve_triangular": (tj.solve_triangular, (A, B)), "lstsq": (tj.lstsq, (TALL, random(8, 6, 2))),
    "pivoting": (lambda a: tj.qr(a, pivoting=True), (TALL,)), "pinv": (tj.pinv, (TALL,)), "matrix_rank": (tj.matrix_rank, (TALL,)),
    "gelsy": (lambda a, b: tj.lstsq(a, b, driver="gelsy"), (TALL, random(8, 6, 2))),
    "gradient of pinv": (jax.grad(lambda a: (tj.pinv(a) ** 2).sum()), (TALL,)),
    "gradient of lu": (jax.grad(lambda a: sum((x ** 2).sum() for x in tj.lu(a)[1:])), (TALL,)),
    "gradient of wide lu": (jax.grad(lambda a: sum((x ** 2).sum() for x in tj.lu(a)[1:])), (TALL.mT,)),
    "gradient of lu_factor": (jax.grad(lambda a: (tj.lu_factor(a)[0] ** 2).sum()), (A,)),
    "gradient of lu_solve": (jax.grad(lambda a, b: (tj.lu_solve(tj.lu_factor(a), b) ** 2).sum(), (0, 1)), (A, B)),
    "gradient": (jax.grad(lambda a, b: (tj.solve(a, b) ** 2).sum() + tj.slogdet(a)[1].sum(), (0, 1)), (A, B)),
}


class Sharded(unittest.TestCase):
    def setUp(self):
        self.assertEqual(jax.device_count(), 4)

    def near(self, got, wanted):
        for x, y in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
            self.assertEqual((x.shape, x.dtype), (y.shape, y.dtype))
            np.testing.assert_allclose(x, y, 1e-12, 1e-12)

    def test_shard_map(self):
        mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
        for name, (call, operands) in CALLS.items():
            for check in (True, False):
                with self.subTest(name, check_vma=check):
                    mapped = jax.shard_map(call, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=check)
                    self.near(jax.jit(mapped)(*operands), call(*operands))

    def test_a_matrix_that_all_devices_have(self):
        mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))

        def loss(a, b):
            return jax.lax.psum((tj.solve(a, b) ** 2).sum() + (tj.solve_triangular(a, b) ** 2).sum(), "x")

        mapped = jax.shard_map(jax.grad(loss), mesh=mesh, in_specs=(P(), P("x")), out_specs=P())
        wanted = jax.grad(lambda a: (jnp.linalg.solve(a, B) ** 2 + jnp.linalg.solve(jnp.triu(a), B) ** 2).sum())(A[0])
        self.near(jax.jit(mapped)(A[0], B), wanted)

    def test_batches_are_divided_where_they_lie(self):
        """Each device computes its own part, and gets no data from another."""
        for kind in (AxisType.Auto, AxisType.Explicit):
            mesh = jax.make_mesh((4,), ("x",), axis_types=(kind,))
            for name, (call, operands) in CALLS.items():
                with self.subTest(name, kind=kind):
                    spread = [jax.device_put(x, NamedSharding(mesh, P("x"))) for x in operands]
                    compiled = jax.jit(call).lower(*spread).compile()
                    text = compiled.as_text()
                    self.assertNotRegex(text, r"all-(gather|reduce|to-all)|collective")
                    for shape in re.findall(r"tephra_\w+\.?\d* = \(?[a-z]\d+\[(\d+)", text):
                        self.assertEqual(shape, "2")
                    self.near(compiled(*spread), call(*operands))

    def test_results_without_elements_lie_where_operands_do(self):
        mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Explicit,))
        without = [jax.device_put(jnp.zeros((8, m, n)), NamedSharding(mesh, P("x"))) for m, n in ((4, 0), (0, 4), (0, 0))]
        for name, call in {
            "qr": tj.qr, "complete": lambda a: tj.qr(a, "complete"), "pivoting": lambda a: tj.qr(a, pivoting=True), "lu": tj.lu,
            "lu_factor": tj.lu_factor, "pinv": tj.pinv, "rank": tj.matrix_rank, "lstsq": lambda a: tj.lstsq(a, a),
            "inv": lambda a: tj.inv(a @ a.mT), "det": lambda a: tj.det(a.mT @ a),
        }.items():
            for a in without:
                with self.subTest(name, shape=a.shape), jax.set_mesh(mesh):
                    for x in jax.tree.leaves(jax.jit(call)(a)):
                        self.assertEqual(jax.typeof(x).sharding.spec[0], "x")

    def test_two_axes_and_parts_of_unequal_size(self):
        mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
        a, b = A.reshape(2, 4, 4, 4), B.reshape(2, 4, 4, 2)
        for spec in (P("x", "y"), P(None, ("x", "y")), P("y"), P(None, None, "x", "y")):
            spread = [jax.device_put(x, NamedSharding(mesh, spec)) for x in (a, b)]
            self.near(jax.jit(tj.solve)(*spread), tj.solve(a, b))
            self.near(jax.jit(jax.vmap(tj.qr))(spread[0]), tj.qr(a))
        uneven = jax.jit(tj.qr, in_shardings=None)

        def some(a):
            return uneven(jax.lax.with_sharding_constraint(a, NamedSharding(mesh, P("x")))[:3])

        self.near(jax.jit(some)(TALL), tj.qr(TALL[:3]))


if __name__ == "__main__":
    unittest.main()
