#!/usr/bin/env python3
"""Extracts a cubin from the build's cache, for cuobjdump and nvdisasm.

    scripts/cubin.py target/kernels/KEY.sm_90.columns.zst OUT.cubin

The file has the layout of src/gpu/driver/columns.rs and is compressed; `zstd` must be installed.
"""
import struct
import subprocess
import sys

LONG, APART, TOGETHER = 16, (2, 3, 4, 8), (0, 1, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15)


def join(laid):
    """Restores the original code from its column layout."""
    count, = struct.unpack_from("<I", laid)
    parts = [struct.unpack_from("<II", laid, 4 + 8 * i) for i in range(count)]
    body = laid[4 + 8 * count:]
    instructions = sum(size for _, size in parts) // LONG
    edge = len(body) - instructions * LONG
    outside, gathered = body[:edge], body[edge:]
    apart, together = gathered[:len(APART) * instructions], gathered[len(APART) * instructions:]
    code, number, taken = bytearray(), 0, 0
    for first, size in parts:
        code += outside[taken:taken + first - len(code)]
        taken = first - number * LONG
        for _ in range(size // LONG):
            instruction = bytearray(LONG)
            for i, byte in enumerate(TOGETHER):
                instruction[byte] = together[number * len(TOGETHER) + i]
            for i, byte in enumerate(APART):
                instruction[byte] = apart[i * instructions + number]
            code += instruction
            number += 1
    return bytes(code + outside[taken:])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    packed, out = sys.argv[1:]
    laid = subprocess.run(["zstd", "-dc", packed], check=True, stdout=subprocess.PIPE).stdout
    with open(out, "wb") as file:
        file.write(join(laid))


if __name__ == "__main__":
    main()
