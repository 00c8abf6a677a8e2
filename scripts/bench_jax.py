#!/usr/bin/env python3
"""Times tephra.jax against jax.numpy.linalg and jax.scipy.linalg in the same run, on whatever devices JAX finds.

    PYTHONPATH=python/src TEPHRA_LIBRARY=... scripts/bench_jax.py OUT.csv [--ops solve,qr] [--seconds 0.5] [--most-bytes 2e8]

In the source tree, run scripts/wheel.sh --native first to build what the package needs besides the library. Both are
compiled by jax.jit. The wall-clock time of one call, until its results are ready, is the shortest median of three
rounds, in each of which the two alternate, after two warm-up calls. The errors of both are measured alike, in units of
the type's rounding error.
"""
import argparse
import csv
import os
import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np

import tephra
import tephra.jax as tj

jax.config.update("jax_enable_x64", True)

TYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
# (m, n, batch)
SQUARE = [(4, 4, 100000), (8, 8, 10000), (16, 16, 10000), (32, 32, 1000), (64, 64, 1000), (128, 128, 200), (256, 256, 50),
          (512, 512, 8), (1024, 1024, 1)]
TALL = [(32, 8, 10000), (128, 16, 1000), (256, 16, 1000), (512, 64, 100), (2000, 32, 10)]


def adjoint(a):
    return jnp.conj(jnp.swapaxes(a, -1, -2))


def definite(a):
    return jnp.matmul(a, adjoint(a), precision="highest") / a.shape[-1] + jnp.eye(a.shape[-1], dtype=a.dtype)


def gradient(solve):
    return jax.grad(lambda a, b: jnp.real(solve(a, b) ** 2).sum(), (0, 1))


# Name: shapes, (Tephra's function, JAX's function), operands from (a, b), and the check of a result, which returns
# (got, wanted).
OPERATIONS = {
    "qr": (SQUARE + TALL, (tj.qr, jnp.linalg.qr), lambda a, b: (a,), lambda x, a: (x[0] @ x[1], a)),
    "qr_r": (SQUARE + TALL, (lambda a: tj.qr(a, "r"), lambda a: jnp.linalg.qr(a, "r")), lambda a, b: (a,),
             lambda x, a: (adjoint(x) @ x, adjoint(a) @ a)),
    "qr_pivoting": (SQUARE + TALL, (lambda a: tj.qr(a, pivoting=True),
                                    jax.vmap(lambda a: jax.scipy.linalg.qr(a, mode="economic", pivoting=True))), lambda a, b: (a,),
                    lambda x, a: (x[0] @ x[1], jnp.take_along_axis(a, x[2].real.astype(int)[:, None, :], -1))),
    "lu_factor": (SQUARE, (lambda a: tj.lu_factor(a), lambda a: jax.scipy.linalg.lu_factor(a)), lambda a, b: (a,), None),
    "lu": (SQUARE, (tj.lu, jax.vmap(jax.scipy.linalg.lu)), lambda a, b: (a,), lambda x, a: (x[0] @ x[1] @ x[2], a)),
    "solve": (SQUARE, (tj.solve, jnp.linalg.solve), lambda a, b: (a, b), lambda x, a, b: (a @ x, b)),
    "solve_grad": (SQUARE, (gradient(tj.solve), gradient(jnp.linalg.solve)), lambda a, b: (a, b), None),
    "inv": (SQUARE, (tj.inv, jnp.linalg.inv), lambda a, b: (a,),
            lambda x, a: (a @ x, jnp.broadcast_to(jnp.eye(a.shape[-1]), a.shape))),
    "cholesky": (SQUARE, (tj.cholesky, jnp.linalg.cholesky), lambda a, b: (definite(a),), lambda x, a: (x @ adjoint(x), a)),
    "triangular_solve": (SQUARE, (lambda a, b: tj.triangular_solve(a, b, left_side=True, lower=True),
                                  lambda a, b: jax.lax.linalg.triangular_solve(a, b, left_side=True, lower=True)),
                         lambda a, b: (a, b), lambda x, a, b: (jnp.tril(a) @ x, b)),
    "lstsq": (TALL, (lambda a, b: tj.lstsq(a, b).solution, jax.vmap(lambda a, b: jnp.linalg.lstsq(a, b)[0])), lambda a, b: (a, b),
              lambda x, a, b: (adjoint(a) @ (a @ x), adjoint(a) @ b)),
    "pinv": (SQUARE + TALL, (tj.pinv, jnp.linalg.pinv), lambda a, b: (a,), lambda x, a: (a @ x @ a, a)),
}


def operands(kind, m, n, batch):
    """Diagonally dominant matrices, and a right-hand side."""
    g = np.random.default_rng(1)

    def random(*shape):
        x = g.uniform(-1, 1, shape)
        return (x + 1j * g.uniform(-1, 1, shape) if "complex" in kind else x).astype(kind)

    return jnp.asarray(random(batch, m, n) / n + 2 * np.eye(m, n, dtype=kind)), jnp.asarray(random(batch, m, 1))


def times(functions, given, seconds):
    """Seconds per call of each function."""
    for f in functions:
        for _ in range(2):
            start = time.perf_counter()
            jax.block_until_ready(f(*given))
            last = time.perf_counter() - start
    best = [float("inf")] * len(functions)
    for _ in range(3):
        taken, until = [[] for _ in functions], time.perf_counter() + max(seconds / 3, 2 * last)
        while time.perf_counter() < until or not taken[0]:
            for f, times_of in zip(functions, taken):
                start = time.perf_counter()
                jax.block_until_ready(f(*given))
                times_of.append(time.perf_counter() - start)
        best = [min(b, statistics.median(t)) for b, t in zip(best, taken)]
    return best


def error(check, result, given):
    """The largest difference, relative to the largest wanted element and the type's rounding error; "" without a
    check."""
    if check is None:
        return ""
    wide = "complex128" if jnp.iscomplexobj(given[0]) else "float64"
    got, wanted = check(jax.tree.map(lambda x: jnp.asarray(np.asarray(x), wide), result), *(x.astype(wide) for x in given))
    eps = jnp.finfo(given[0].dtype).eps
    return f"{float(jnp.abs(got - wanted).max() / jnp.abs(wanted).max() / eps):.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--ops", default=",".join(OPERATIONS))
    parser.add_argument("--types", default="sd")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each of the two, for each shape")
    parser.add_argument("--most-bytes", type=float, default=4e8, help="leave out shapes with larger operands")
    given = parser.parse_args()
    device = jax.devices()[0]
    where = device.device_kind if device.platform != "cpu" else f"cpu, {len(os.sched_getaffinity(0))} threads"
    with open(given.out, "w", newline="") as file:
        print(f"# jax {jax.__version__}, tephra {tephra.version()}; wall-clock, jitted", file=file)
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["op", "precision", "m", "n", "batch", "tephra_ms", "jax_ms", "speedup", "tephra_error", "jax_error",
                      "device"])
        for op in given.ops.split(","):
            shapes, functions, choose, check = OPERATIONS[op]
            compiled = [jax.jit(f) for f in functions]
            for letter, (m, n, batch) in ((letter, shape) for letter in given.types for shape in shapes):
                if m * n * batch * np.dtype(TYPES[letter]).itemsize > given.most_bytes:
                    continue
                chosen = choose(*operands(TYPES[letter], m, n, batch))
                ours, theirs = times(compiled, chosen, given.seconds)
                errors = [error(check, f(*chosen), chosen) for f in compiled]
                out.writerow([op, letter, m, n, batch, f"{1e3 * ours:.5f}", f"{1e3 * theirs:.5f}", f"{theirs / ours:.2f}", *errors,
                              where])
                file.flush()
                print(f"{op} {letter} {m} x {n} x {batch}: tephra {1e3 * ours:.4f} ms, jax {1e3 * theirs:.4f} ms: "
                      f"{theirs / ours:.2f}x (errors {errors[0]}, {errors[1]})", flush=True)


if __name__ == "__main__":
    main()
