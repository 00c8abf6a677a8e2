// Members sorted by size, run on the host: the new order is the stable one by falling bins within each group of blocks,
// every array follows it, nothing else is written, and status codes return to the members' places.
#include "cuda_on_host.h"

#include "auxiliary/sort_each.cuh"

#include <algorithm>
#include <numeric>
#include <string>

constexpr int threads = 1024, blocks = 8, group = threads * blocks;

TEPHRA_SORT_EACH(sort_each, s, threads, blocks)
TEPHRA_RETURN_INFO(return_info, s, 256)

namespace {

using tephra::ReturnInfoArgs;
using tephra::SortEachArgs;

int failures = 0;

void report(const std::string &what, bool right) {
    if (right) return;
    printf("FAILED: %s\n", what.c_str());
    ++failures;
}

unsigned next(unsigned &seed) { return (seed = seed * 1664525u + 1013904223u) >> 8; }

// `squares`: without an array of columns; `strided`: operands at a fixed distance, of which there is one.
void sorts(int batch, int most, bool squares, bool strided, unsigned seed) {
    const std::string what = std::to_string(batch) + " members up to " + std::to_string(most) +
                             (squares ? ", squares" : "") + (strided ? ", strided" : "");
    const int beyond = 3, untouched = -77; // elements after each array, and what they hold
    std::vector<int> rows(batch), columns(batch), leading(batch);
    for (int i = 0; i < batch; ++i) {
        rows[i] = 1 + next(seed) % most, columns[i] = squares ? rows[i] : 1 + next(seed) % most;
        leading[i] = rows[i] + i % 5;
        if (i % 97 == 5) rows[i] = 0;
        if (i % 89 == 7) (squares ? rows : columns)[i] = -3;
        if (i % 83 == 9) rows[i] = most + 1 + i % 2 * 1000000000;
    }
    std::vector<char> memory(batch);
    std::vector<void *> arrays[2];
    for (int i = 0; i < batch; ++i) arrays[0].push_back(&memory[batch - 1 - i]), arrays[1].push_back(&memory[i]);

    int shift = 0;
    while (SortEachArgs::BINS << shift < most) ++shift;
    SortEachArgs args = {};
    std::vector<void *> to[2];
    for (int k = 0; k < 2; ++k) {
        to[k].assign(batch + beyond, nullptr);
        args.from[k] = strided ? tephra::Operand{memory.data(), 5, 0, 0} : tephra::Operand{arrays[k].data(), 0, 1, 0};
        args.to[k] = strided && k == 1 ? nullptr : to[k].data();
        args.bytes[k] = 8;
    }
    std::vector<int> sorted[3], order(batch + beyond, untouched);
    for (auto &array : sorted) array.assign(batch + beyond, untouched);
    args.rows = rows.data(), args.columns = squares ? nullptr : columns.data(), args.leading = leading.data();
    for (int k = 0; k < 3; ++k) args.sorted[k] = sorted[k].data();
    args.order = order.data(), args.batch = batch, args.most = most, args.shift = shift;
    host::launch((batch + threads - 1) / threads, threads, [&] { sort_each(args); });

    std::vector<int> expected(batch);
    std::iota(expected.begin(), expected.end(), 0);
    const auto bin = [&](int i) {
        const int m = rows[i], n = squares ? m : columns[i];
        return m < 1 || n < 1 || m > most || n > most ? 0 : (std::max(m, n) - 1) / (1 << shift) + 1;
    };
    for (int first = 0; first < batch; first += group)
        std::stable_sort(expected.begin() + first, expected.begin() + std::min(batch, first + group),
                         [&](int i, int j) { return bin(i) > bin(j); });
    bool right = true;
    for (int place = 0; place < batch; ++place) {
        const int i = expected[place];
        right &= order[place] == i && sorted[0][place] == rows[i] && sorted[2][place] == leading[i];
        right &= sorted[1][place] == (squares ? untouched : columns[i]);
        for (int k = 0; k < 2; ++k) {
            void *const stays = strided ? memory.data() + i * 40ll : arrays[k][i];
            right &= to[k][place] == (strided && k == 1 ? nullptr : stays);
        }
    }
    for (int k = batch; k < batch + beyond; ++k) {
        right &= order[k] == untouched && to[0][k] == nullptr && to[1][k] == nullptr;
        for (const auto &array : sorted) right &= array[k] == untouched;
    }
    report(what, right);

    std::vector<int> codes(batch), info(batch + beyond, untouched);
    for (int place = 0; place < batch; ++place) codes[place] = 1000 + expected[place];
    const ReturnInfoArgs back = {codes.data(), order.data(), info.data(), batch};
    host::launch((batch + 255) / 256, 256, [&] { return_info(back); });
    right = true;
    for (int i = 0; i < batch + beyond; ++i) right &= info[i] == (i < batch ? 1000 + i : untouched);
    report(what + ": status codes", right);
}

} // namespace

int main() {
    const int batches[] = {1, 31, 1000, 1024, 1025, 5000, group, group + 1, 2 * group + 3333};
    const int bounds[] = {1, 5, 16, 17, 64, 100, 512};
    unsigned seed = 1;
    for (int k = 0; k < 9; ++k) sorts(batches[k], bounds[k % 7], k & 1, k & 2, ++seed);
    for (int most : bounds) sorts(3000, most, most & 1, most & 4, ++seed);
    printf("sort_each: %s\n", failures ? "FAILED" : "ok");
    return failures != 0;
}
