"""Tests tephra.distributed with two processes of torch.distributed, which communicate by gloo, or by NCCL if there are
two GPUs."""
import functools
import os
import tempfile
import time
import unittest
from datetime import timedelta
from unittest import mock

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    import torch.distributed as dist
    import torch.multiprocessing as processes

    import tephra
    import tephra.distributed

SIZE = 2


def whole(dtype, m, n, seed):
    return torch.randn(m, n, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def check_factors(rank, device):
    for dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128):
        for rows, n in (((60, 40), 9), ((0, 30), 9), ((4, 30), 9), ((30, 0), 1)):
            a = whole(dtype, sum(rows), n, 1)
            mine = torch.split(a, rows)[rank].to(device)
            kept = mine.clone()
            q, r = tephra.distributed.qr(mine)
            assert torch.equal(mine, kept), "a was written"
            assert q.shape == mine.shape and r.shape == (n, n)
            torch.testing.assert_close(q @ r, mine)
            torch.testing.assert_close(r.cpu(), tephra.qr(a).R)
            assert tephra.distributed.qr(mine, mode="r").Q.numel() == 0
            b = whole(dtype, sum(rows), 3, 2)
            right = torch.split(b, rows)[rank].to(device)
            expected = torch.linalg.lstsq(a, b).solution
            found = tephra.distributed.lstsq(mine, right)
            assert int(found.info) == 0
            torch.testing.assert_close(found.solution.cpu(), expected, rtol=1e-3, atol=1e-4)
            torch.testing.assert_close(tephra.distributed.lstsq(mine, right[:, 0]).solution.cpu(), expected[:, 0], rtol=1e-3,
                                       atol=1e-4)


def check_sharded(rank, device):
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor, init_device_mesh
    mesh = init_device_mesh(device.type, (SIZE,))
    a = whole(torch.float64, 51, 6, 3)
    sharded = distribute_tensor(a.to(device), mesh, [Shard(0)])
    q, r = tephra.distributed.qr(sharded)
    assert q.placements == (Shard(0),) and r.placements == (Replicate(),), (q.placements, r.placements)
    assert q.shape == a.shape and r.shape == (6, 6)
    torch.testing.assert_close(q.full_tensor().cpu() @ r.full_tensor().cpu(), a)
    b = distribute_tensor(a[:, :2].to(device), mesh, [Shard(0)])
    x = tephra.distributed.lstsq(sharded, b).solution.full_tensor().cpu()
    torch.testing.assert_close(x, torch.eye(6, dtype=torch.float64)[:, :2])
    try:
        tephra.distributed.qr(distribute_tensor(a.to(device), mesh, [Shard(1)]))
        raise AssertionError("columns were taken")
    except ValueError as error:
        assert "Shard(0)" in str(error)


def check_failures(rank, device):
    a = torch.ones(20, 5 + rank, dtype=torch.float64, device=device)
    for wrong, text in ((a, "rank 1 has 6 columns, and rank 0 has 5"), (a[:2, :5], "adds up to 4 over all ranks, but there are 5 columns")):
        try:
            tephra.distributed.qr(wrong)
            raise AssertionError("it was done")
        except tephra.TephraError as error:
            assert text in str(error), error
    # What one process refuses by itself fails in the others as well, without a wait for the group's timeout.
    right, start = torch.randn(20, 5, dtype=torch.float64, device=device), time.monotonic()
    lstsq = functools.partial(tephra.distributed.lstsq, right)
    for function, wrong, kind in ((tephra.distributed.qr, right.long(), TypeError), (tephra.distributed.qr, right[0], ValueError),
                                  (tephra.distributed.qr, [1.0], TypeError), (lstsq, right[1:], ValueError),
                                  (tephra.distributed.qr, right.cpu().numpy(), TypeError), (lstsq, right.cpu().numpy(), TypeError)):
        try:
            function(wrong if rank == 0 else right)
            raise AssertionError("it was done")
        except kind if rank == 0 else tephra.TephraError:
            pass
    assert time.monotonic() - start < 30
    assert torch.isfinite(tephra.distributed.qr(right).R).all()


def check_interrupts(device):
    """What a collective raises is the cause of an error, but an interrupt of the program stays one."""
    right = torch.randn(20, 5, dtype=torch.float64, device=device)
    for raised, expected in ((KeyboardInterrupt, KeyboardInterrupt), (RuntimeError, tephra.TephraError)):
        with mock.patch.object(dist, "all_gather", side_effect=raised):
            try:
                tephra.distributed.qr(right)
                raise AssertionError("it was done")
            except expected:
                pass
    assert torch.isfinite(tephra.distributed.qr(right).R).all()


def check_exit(device):
    """A communicator may outlive its module's names when the process ends."""
    communicator = next(iter(tephra.distributed._communicators[dist.group.WORLD].values()))
    handle, communicator.handle = communicator.handle, None
    with mock.patch.object(tephra.distributed, "_destroy", None):
        communicator.__del__()  # raises an error if it looks the name up
    communicator.handle = handle


def process(rank, place, kind):
    device = torch.device(kind, rank) if kind == "cuda" else torch.device("cpu")
    if kind == "cuda":
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if kind == "cuda" else "gloo", init_method=f"file://{place}", rank=rank, world_size=SIZE,
                            timeout=timedelta(seconds=60))
    torch.set_num_threads(1)
    check_factors(rank, device)
    check_sharded(rank, device)
    check_failures(rank, device)
    if kind == "cpu":
        check_interrupts(device)
    check_exit(device)
    dist.destroy_process_group()


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Distributed(unittest.TestCase):
    def start(self, kind):
        with tempfile.TemporaryDirectory() as folder:
            processes.spawn(process, (os.path.join(folder, "store"), kind), SIZE)

    def test_without_processes(self):
        for call in (lambda: tephra.distributed.qr(torch.eye(3)), lambda: tephra.distributed.lstsq(torch.eye(3), torch.ones(3))):
            with self.assertRaisesRegex(ValueError, "init_process_group"):
                call()

    def test_two_processes_by_gloo(self):
        self.start("cpu")

    def test_two_devices_by_nccl(self):
        if torch.cuda.device_count() < SIZE:
            self.skipTest("there are no two devices")
        self.start("cuda")


if __name__ == "__main__":
    unittest.main()
