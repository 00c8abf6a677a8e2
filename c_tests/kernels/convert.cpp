// Conversions between 16-bit elements and FP32, run on the host: strided and by pointers, with every alignment, for
// triangles, and for columns longer than a block's iteration. Each element must be correctly rounded, and nothing else
// written.
#include "cuda_on_host.h"

#include "auxiliary/convert.cuh"

#include <string>

TEPHRA_WIDEN(widen_all, s, 64)
TEPHRA_NARROW(narrow_all, s, 64)

namespace {

using tephra::Bits;

int failures = 0;

void report(const std::string &what, bool right) {
    if (right) return;
    printf("FAILED: %s\n", what.c_str());
    ++failures;
}

float value(Bits h, bool bfloat) {
    if (bfloat) {
        const unsigned bits = static_cast<unsigned>(h) << 16;
        float x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                        : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return static_cast<float>(h >> 15 ? -size : size);
}

// Whether h is the nearest number to x: neither neighbour is nearer, and ties have an even last bit.
bool nearest(float x, Bits h, bool bfloat) {
    const double y = value(h, bfloat), most = bfloat ? ldexp(255, 120) : 65504, step = bfloat ? ldexp(1, 120) : 32;
    if (x != x) return y != y;
    if (std::signbit(x) != static_cast<bool>(h >> 15)) return false;
    if (fabs(x) > most) return fabs(y) == (fabs(x) < most + step / 2 ? most : INFINITY);
    if (fabs(y) > most) return false;
    const double off = fabs(y - x);
    for (const int d : {-1, 1}) {
        if (((h & 0x7fff) == 0 && d < 0) || fabs(static_cast<double>(value(h + d, bfloat))) > most) continue;
        const double other = fabs(static_cast<double>(value(h + d, bfloat)) - x);
        if (other < off || (other == off && (h & 1))) return false;
    }
    return true;
}

unsigned random_bits() {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned>(state >> 32);
}

struct Case {
    int rows, columns, count, padding, offset; // padding: rows between columns; offset: elements before the first
    bool pointers;
    int part;
};

void converts(const Case &c, bool bfloat) {
    const long long ld = c.rows + c.padding, stride = ld * c.columns + c.padding;
    std::vector<Bits> half(c.offset + stride * c.count + 9);
    std::vector<float> single(c.offset + stride * c.count + 9);
    for (Bits &h : half) h = static_cast<Bits>(random_bits());
    for (size_t at = 0; at < single.size(); ++at) {
        // Numbers of all sizes; every second one is in the middle between two 16-bit numbers, or close to it.
        const unsigned bits = random_bits();
        single[at] = at % 2 ? value(static_cast<Bits>(bits), bfloat) * (1 + static_cast<float>(bits % 5) / 4096)
                            : __uint_as_float(bits);
    }
    std::vector<void *> halves, singles;
    for (int i = 0; i < c.count; ++i) {
        halves.push_back(&half[c.offset + stride * i]);
        singles.push_back(&single[c.offset + stride * i]);
    }
    tephra::ConvertArgs args = {};
    args.half = {c.pointers ? static_cast<void *>(halves.data()) : halves[0], stride, c.pointers, 0};
    args.single = {c.pointers ? static_cast<void *>(singles.data()) : singles[0], stride, c.pointers, 0};
    args.ld_half = args.ld_single = ld, args.batch = c.count, args.rows = c.rows, args.columns = c.columns;
    args.part = c.part, args.bfloat = bfloat;
    const auto within = [&](size_t at) {
        const long long from = static_cast<long long>(at) - c.offset, in = from % stride, i = in % ld, j = in / ld;
        return from >= 0 && from < stride * c.count && i < c.rows && j < c.columns &&
               (c.part == 0 || (c.part == 1 ? i <= j : i >= j));
    };
    const std::string what = std::to_string(c.rows) + " x " + std::to_string(c.columns) + ", offset " +
                             std::to_string(c.offset) + ", part " + std::to_string(c.part) +
                             (bfloat ? " bf16" : " fp16");
    auto rounded = half;
    const auto same = [](float a, float b) { return a == b || (a != a && b != b); };
    {
        auto target = half;
        for (int i = 0; i < c.count; ++i) halves[i] = &target[c.offset + stride * i];
        if (!c.pointers) args.half.p = halves[0];
        host::launch(3, 64, [&] { narrow_all(args); });
        rounded = target;
    }
    bool right = true;
    for (size_t at = 0; at < half.size(); ++at)
        right = right && (within(at) ? nearest(single[at], rounded[at], bfloat) : rounded[at] == half[at]);
    report("narrow " + what, right);
    {
        auto target = single;
        for (int i = 0; i < c.count; ++i) {
            halves[i] = &half[c.offset + stride * i];
            singles[i] = &target[c.offset + stride * i];
        }
        if (!c.pointers) args.half.p = halves[0], args.single.p = singles[0];
        host::launch(3, 64, [&] { widen_all(args); });
        right = true;
        for (size_t at = 0; at < half.size(); ++at)
            right = right && same(target[at], within(at) ? value(half[at], bfloat) : single[at]);
    }
    report("widen " + what, right);
}

} // namespace

int main() {
    const Case cases[] = {
        {8, 8, 3, 0, 0, false, 0},   {8, 8, 3, 0, 8, true, 0},     {7, 5, 4, 0, 0, false, 0},
        {7, 5, 4, 3, 1, true, 0},    {33, 9, 2, 7, 3, false, 0},   {5000, 1, 1, 0, 8, false, 0},
        {2100, 3, 2, 4, 0, true, 0}, {1, 1, 5, 0, 1, false, 0},    {40, 40, 2, 0, 0, false, 1},
        {40, 40, 2, 0, 0, true, 2},  {37, 37, 2, 3, 1, false, 1},  {37, 37, 2, 3, 0, false, 2},
        {3, 3, 3, 0, 0, true, 1},    {16, 300, 1, 0, 0, false, 2}, {1, 700, 2, 1, 0, false, 0},
    };
    for (const Case &c : cases)
        for (const bool bfloat : {false, true}) converts(c, bfloat);
    printf("convert: %s\n", failures ? "FAILED" : "ok");
    return failures != 0;
}
