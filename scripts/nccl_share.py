#!/usr/bin/env python3
"""Measures NCCL's share of the time of tephra.distributed.qr, one process a GPU, with PyTorch's profiler.

    nccl_share.py [--devices 2,4] [--out FILE.csv] [TYPE:ROWS:COLUMNS ...]     ROWS is of each GPU

Of each case, the milliseconds from the first kernel of a call to the end of its last, and those in NCCL's kernels, are
the smallest of several calls on rank 0. A kernel of NCCL also waits for ranks that are late.
"""
import argparse
import json
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as processes

TYPES = {"s": torch.float32, "d": torch.float64}
CALLS = 5


def write(line, results):
    print(line, flush=True)
    if results:
        with open(results, "a") as out:
            out.write(line + "\n")


def measure(rank, size, cases, results):
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29517")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=size, device_id=torch.device("cuda", rank))
    import tephra.distributed
    from torch.profiler import ProfilerActivity, profile

    for case in cases:
        letter, m, n = case.split(":")
        # Column-major, so that the package's copy is a plain one.
        rows = torch.randn(int(n), int(m), dtype=TYPES[letter], device="cuda").mT
        for mode in ("r", "reduced"):
            least = (float("inf"), 0.0)
            for call in range(CALLS + 1):
                dist.barrier()
                torch.cuda.synchronize()
                with profile(activities=[ProfilerActivity.CUDA]) as profiler:
                    tephra.distributed.qr(rows, mode=mode)
                    torch.cuda.synchronize()
                with tempfile.NamedTemporaryFile(suffix=".json") as file:
                    profiler.export_chrome_trace(file.name)
                    with open(file.name) as trace:
                        events = json.load(trace)["traceEvents"]
                kernels = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
                nccl = sum(e["dur"] for e in kernels if "nccl" in e["name"].lower())
                whole = max(e["ts"] + e["dur"] for e in kernels) - min(e["ts"] for e in kernels)
                if call > 0:  # the first one loads kernels
                    least = min(least, (whole / 1e3, nccl / 1e3))
            if rank == 0:
                what = "R" if mode == "r" else "Q and R"
                line = f"{letter},{m},{n},{what},{size},{least[0]:.3f},{least[1]:.3f},{least[1] / least[0]:.4f}"
                write(line, results)
        del rows
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", default="2,4")
    parser.add_argument("--out")
    parser.add_argument("cases", nargs="*", default="s:4194304:256 d:4194304:256 d:8388608:32".split())
    args = parser.parse_args()
    write("type,rows of a GPU,columns,what,devices,ms,ms in NCCL,share", args.out)
    for size in map(int, args.devices.split(",")):
        if size <= torch.cuda.device_count():
            processes.spawn(measure, args=(size, args.cases, args.out), nprocs=size)


if __name__ == "__main__":
    main()
