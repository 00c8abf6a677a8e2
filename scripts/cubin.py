#!/usr/bin/env python3
"""Extracts a cubin from the build's cache, for cuobjdump and nvdisasm.

    scripts/cubin.py target/kernels/KEY.sm_90.instructions.zst OUT.cubin

The file has the layout of src/gpu/driver/instructions.rs and is compressed; `zstd` must be installed.
"""
import struct
import subprocess
import sys

INSTRUCTION_BYTES, ORDERED, REGISTERS, MODIFIERS = 16, (0, 1, 13, 14, 15), (2, 3, 4, 8), (5, 6, 7, 9, 10, 11, 12)


def restore(laid):
    """Restores the original code from its layout."""
    count, = struct.unpack_from("<I", laid)
    parts = [struct.unpack_from("<II", laid, 4 + 8 * i) for i in range(count)]
    body = laid[4 + 8 * count:]
    instructions = sum(size for _, size in parts) // INSTRUCTION_BYTES
    edge = len(body) - instructions * INSTRUCTION_BYTES
    outside, ordered, by_opcode = body[:edge], body[edge:], body[edge + len(ORDERED) * instructions:]
    opcodes = [ordered[5 * i] | (ordered[5 * i + 1] & 15) << 8 for i in range(instructions)]
    gathered = bytearray(INSTRUCTION_BYTES * instructions)
    for i, byte in enumerate(ORDERED):
        gathered[byte::INSTRUCTION_BYTES] = ordered[i:len(ORDERED) * instructions:len(ORDERED)]
    modifiers = len(REGISTERS) * instructions
    for place, number in enumerate(sorted(range(instructions), key=opcodes.__getitem__)):
        start = INSTRUCTION_BYTES * number
        for i, byte in enumerate(REGISTERS):
            gathered[start + byte] = by_opcode[i * instructions + place]
        for i, byte in enumerate(MODIFIERS):
            gathered[start + byte] = by_opcode[modifiers + len(MODIFIERS) * place + i]
    code, inside, taken = bytearray(), 0, 0
    for first, size in parts:
        code += outside[taken:first - inside]
        taken = first - inside
        code += gathered[inside:inside + size]
        inside += size
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
