// The kernels of MAGMA's panels, run on the host, compared with plain loops: the elements must be the same.
#include "cuda_on_host.h"

#include "auxiliary/panel.cuh"
#include "lu_case.h"

TEPHRA_EXCHANGE_COLUMNS(columns_d, d, 64)
TEPHRA_EXCHANGE_COLUMNS(columns_c, c, 128)
TEPHRA_PERMUTE_ROWS(rows_s, s, 64, 4, 64)
TEPHRA_PERMUTE_ROWS(rows_z, z, 64, 2, 64)
TEPHRA_SHIFT_POINTERS(shift, s, 64)
TEPHRA_MERGE_CODES(merge, s, 64)

namespace {

template <typename T>
bool same(const Batch<T> &a, const Batch<T> &b) {
    return memcmp(a.data.data(), b.data.data(), a.data.size() * sizeof(T)) == 0;
}

template <typename T, typename Kernel>
void columns(const char *name, Kernel kernel, int threads) {
    for (int rows : {1, 64, 65, 200})
        for (int backwards : {0, 1}) {
            const int n = 20, count = 3, first = backwards ? 17 : 2, steps = 16;
            auto got = Batch<T>(rows, n, count), expected = got;
            std::vector<int> ipiv(count * n);
            for (int &p : ipiv) p = 1 + static_cast<int>(engine() % n);
            ExchangeColumnsArgs args = {};
            args.a = got.operand(), args.ipiv = {ipiv.data(), n, 0, 0};
            args.lda = got.ld, args.batch = count, args.rows = rows;
            args.first = first, args.count = steps, args.backwards = backwards;
            host::launch(4, threads, [&] { kernel(args); });
            for (int i = 0; i < count; ++i)
                for (int s = 0; s < steps; ++s) {
                    const int j = backwards ? first - s : first + s, p = ipiv[i * n + j] - 1;
                    for (int r = 0; r < rows; ++r) std::swap(expected.at(i, r, j), expected.at(i, r, p));
                }
            report(std::string(name) + " " + std::to_string(rows), same(got, expected));
        }
}

// order: any permutation.
template <typename T, typename Kernel>
void rows(const char *name, Kernel kernel, int each) {
    for (int height : {1, 3, 31, 64})
        for (bool in_place : {true, false}) {
            const int m = 100, n = 21, count = 3, i0 = 2, j0 = 1;
            auto a = Batch<T>(m, n, count), b = Batch<T>(m, n, count), got_a = a, got_b = b;
            std::vector<int> order(count * m);
            for (int i = 0; i < count; ++i) {
                int *const p = &order[i * m];
                for (int r = 0; r < m - i0; ++r) p[r] = r + 1;
                for (int r = 0; r < m - i0; ++r) std::swap(p[r], p[r + engine() % (m - i0 - r)]);
            }
            PermuteRowsArgs args = {};
            args.from = got_a.operand(), args.to = in_place ? args.from : got_b.operand();
            args.order = {order.data(), m, 0, 0};
            args.ld_from = args.ld_to = got_a.ld, args.from0 = args.to0 = i0 + j0 * got_a.ld;
            args.batch = count, args.n = n - j0, args.rows = height;
            args.columns = std::min(64 * each / height, n - j0);
            host::launch(5, 64, [&] { kernel(args); });
            const auto before = a;
            auto &to = in_place ? a : b;
            for (int i = 0; i < count; ++i)
                for (int j = j0; j < n; ++j)
                    for (int r = 0; r < height; ++r) {
                        const int source = order[i * m + r] - 1;
                        const auto old = [&](int row) { return const_cast<Batch<T> &>(before).at(i, i0 + row, j); };
                        to.at(i, i0 + r, j) = old(source);
                        if (source >= height) a.at(i, i0 + source, j) = old(order[i * m + source] - 1);
                    }
            report(std::string(name) + " " + std::to_string(height), same(got_a, a) && same(got_b, b));
        }
}

void pointers_and_codes() {
    char place[8];
    std::vector<char *> array(150), out(150);
    for (int i = 0; i < 150; ++i) array[i] = place + i % 7;
    const ShiftPointersArgs shifts = {out.data(), array.data(), 1, 149};
    host::launch(2, 64, [&] { shift(shifts); });
    bool right = out[149] == nullptr;
    for (int i = 0; i < 149; ++i) right = right && out[i] == array[i] + 1;
    report("shift_pointers", right);

    std::vector<int> codes = {0, 0, 5, 5}, own = {0, 3, 0, 2};
    const MergeCodesArgs merges = {codes.data(), own.data(), 4, 32, 0};
    host::launch(1, 64, [&] { merge(merges); });
    report("merge_codes", codes == std::vector<int>({0, 35, 5, 5}));
}

} // namespace

int main() {
    columns<double>("exchange_columns_d", columns_d, 64);
    columns<Complex<float>>("exchange_columns_c", columns_c, 128);
    rows<float>("permute_rows_s", rows_s, 4);
    rows<Complex<double>>("permute_rows_z", rows_z, 2);
    pointers_and_codes();
    printf(failures ? "%d checks failed\n" : "panels' kernels on the host: ok\n", failures);
    return failures != 0;
}
