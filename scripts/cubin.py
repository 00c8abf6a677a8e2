#!/usr/bin/env python3
"""Extracts a cubin from the build's cache, for cuobjdump and nvdisasm.

    scripts/cubin.py target/kernels/KEY.sm_90.columns.zst OUT.cubin

The file has the layout of src/gpu/driver/columns.rs and is compressed; `zstd` must be installed.
"""
import struct
import subprocess
import sys

INSTRUCTION_BYTES, SEPARATED, REST = 16, (2, 3, 4, 8), (0, 1, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15)


def restore(laid):
    """Restores the original code from its column layout."""
    count, = struct.unpack_from("<I", laid)
    parts = [struct.unpack_from("<II", laid, 4 + 8 * i) for i in range(count)]
    body = laid[4 + 8 * count:]
    instructions = sum(size for _, size in parts) // INSTRUCTION_BYTES
    edge = len(body) - instructions * INSTRUCTION_BYTES
    outside, gathered = body[:edge], body[edge:]
    separated, rest = gathered[:len(SEPARATED) * instructions], gathered[len(SEPARATED) * instructions:]
    code, number, taken = bytearray(), 0, 0
    for first, size in parts:
        code += outside[taken:taken + first - len(code)]
        taken = first - number * INSTRUCTION_BYTES
        for _ in range(size // INSTRUCTION_BYTES):
            instruction = bytearray(INSTRUCTION_BYTES)
            for i, byte in enumerate(REST):
                instruction[byte] = rest[number * len(REST) + i]
            for i, byte in enumerate(SEPARATED):
                instruction[byte] = separated[i * instructions + number]
            code += instruction
            number += 1
    return bytes(code + outside[taken:])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    packed, out = sys.argv[1:]
    laid = subprocess.run(["zstd", "-dc", packed], check=True, stdout=subprocess.PIPE).stdout
    with open(out, "wb") as file:
        file.write(restore(laid))


if __name__ == "__main__":
    main()
