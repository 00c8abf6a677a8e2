// Kernels for members with their own sizes, run on the host: they must produce the same bits as the kernel for uniform
// batches does for each member alone, and write nothing else.
#include "cuda_on_host.h"

#include "gemm/gemm.cuh"
#include "lu_case.h"
#include "potrf/generic.cuh"
#include "potrf/rows.cuh"
#include "potrf/small.cuh"
#include "potrf/team.cuh"
#include "triangle/trmm.cuh"
#include "triangle/trmm_each.cuh"
#include "trsm/trsm.cuh"

// A kernel in both forms.
#define TEPHRA_BOTH(MACRO, NAME, ...)                                                                                  \
    MACRO(NAME, __VA_ARGS__)                                                                                           \
    MACRO##_EACH(NAME##_each, __VA_ARGS__)
TEPHRA_BOTH(TEPHRA_GEMM_VECTOR, gemm_s, s, 32, 16, 16, 2, 4, 4, 1)
TEPHRA_BOTH(TEPHRA_GEMM_VECTOR, gemm_c, c, 16, 16, 16, 2, 2, 4, 1)
TEPHRA_BOTH(TEPHRA_GEMM_TENSOR, gemm_d, d, 32, 32, 16, 2, 16, 32, 8, 1)
TEPHRA_BOTH(TEPHRA_GEMM_TENSOR, gemm_z, z, 16, 16, 8, 3, 16, 16, 4, 1)
TEPHRA_BOTH(TEPHRA_TRSM, trsm_s, s, 1, 2, 32, 4, 1)
TEPHRA_BOTH(TEPHRA_TRSM, trsm_d, d, 4, 1, 32, 1, 1)
TEPHRA_BOTH(TEPHRA_TRSM, trsm_c, c, 1, 2, 8, 4, 1)
TEPHRA_BOTH(TEPHRA_TRSM, trsm_z, z, 2, 1, 8, 1, 1)
TEPHRA_BOTH(TEPHRA_TRMM, trmm_s, s, 16, 64)
TEPHRA_BOTH(TEPHRA_TRMM, trmm_z, z, 8, 16)
TEPHRA_BOTH(TEPHRA_POTRF_SMALL, small_s, s, 4, 8, 2, 2, 1)
TEPHRA_BOTH(TEPHRA_POTRF_SMALL, small_z, z, 2, 4, 1, 2, 1)
TEPHRA_BOTH(TEPHRA_POTRF_TEAM, team_d, d, 128, 2, 1)
TEPHRA_BOTH(TEPHRA_POTRF_TEAM, team_c, c, 64, 2, 1)
TEPHRA_BOTH(TEPHRA_POTRF_ROWS, rows_s, s, 64, 1, 8, 1)
TEPHRA_BOTH(TEPHRA_POTRF_ROWS, rows_z, z, 48, 2, 4, 1)
TEPHRA_BOTH(TEPHRA_POTRF_GENERIC, generic_d, d, 64)
TEPHRA_BOTH(TEPHRA_POTRF_GENERIC, generic_c, c, 32)

namespace {

int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

// Matrices of arbitrary sizes, each with its own leading dimension, and with numbers in all gaps.
template <typename T>
struct Matrices {
    std::vector<int> ld;
    std::vector<T> data;
    std::vector<long long> start;

    void add(int rows, int columns, int extra = 0) {
        ld.push_back((rows > 1 ? rows : 1) + extra);
        start.push_back(static_cast<long long>(data.size()) + 3);
        const size_t end = data.size() + static_cast<size_t>(ld.back()) * columns + 6;
        while (data.size() < end) data.push_back(random_number<T>());
    }
    T *member(int i) { return data.data() + start[i]; }
    bool operator==(const Matrices &other) const {
        return memcmp(data.data(), other.data.data(), data.size() * sizeof(T)) == 0;
    }
};

// Pointers to the members, for a launch.
template <typename T>
struct Pointers {
    std::vector<T *> p;
    explicit Pointers(Matrices<T> &of) {
        for (int i = 0; i < static_cast<int>(of.ld.size()); ++i) p.push_back(of.member(i));
    }
    Operand operand() { return {p.data(), 0, 1, 0}; }
};
template <typename T>
Operand alone(T *member) {
    return {member, 0, 0, 0};
}
Extent extent(const std::vector<int> &sizes, int most) { return {sizes.data(), most}; }

constexpr int count = 9;
// Sizes up to `most`: the largest, zero, one, two invalid ones, and others.
std::vector<int> sizes(int most) {
    std::vector<int> all = {most, 0, 1, -1, most + 1};
    while (static_cast<int>(all.size()) < count) all.push_back(1 + below(most));
    std::shuffle(all.begin(), all.end(), engine);
    return all;
}
bool valid(int size, int most) { return size >= 0 && size <= most; }
int room(int size, int most) { return valid(size, most) ? size : most; }

template <typename T, typename One, typename Each>
void products(const std::string &name, One one, Each each, int bm, int bn, int threads) {
    for (int form = 0; form < 16; ++form)
        for (int most : {7, 40, 70}) {
            const bool ta = form & 1, tb = form & 2;
            const int most_m = most, most_n = most / 2 + 1, most_k = most / 3 + 2;
            const auto m = sizes(most_m), n = sizes(most_n), k = sizes(most_k);
            Matrices<T> a, b, c;
            for (int i = 0; i < count; ++i) {
                const int rm = room(m[i], most_m), rn = room(n[i], most_n), rk = room(k[i], most_k);
                ta ? a.add(rk, rm, i % 3) : a.add(rm, rk, i % 3);
                tb ? b.add(rn, rk, i % 2) : b.add(rk, rn, i % 2);
                c.add(rm, rn, i % 4);
            }
            const int wrong = below(count); // whose leading dimension may be too small
            (form & 4 ? a : form & 8 ? b : c).ld[wrong] -= 1;
            auto expected = c;
            GemmArgs args = {};
            args.factors = {nullptr, nullptr, -1.5, 0.5, form % 5 ? 0.75 : 0, 0};
            args.conj_a = form & 4, args.conj_b = form & 8;
            const auto tiles = [&](int rows, int columns) { return (rows + bm - 1) / bm * ((columns + bn - 1) / bn); };
            for (int i = 0; i < count; ++i) {
                if (!valid(m[i], most_m) || !valid(n[i], most_n) || !valid(k[i], most_k)) continue;
                const int am = ta ? k[i] : m[i], bk = tb ? n[i] : k[i];
                if (!leads(a.ld[i], am) || !leads(b.ld[i], bk) || !leads(c.ld[i], m[i])) continue;
                GemmArgs own = args;
                own.a = alone(a.member(i)), own.b = alone(b.member(i)), own.c = alone(expected.member(i));
                own.ars = ta ? a.ld[i] : 1, own.acs = ta ? 1 : a.ld[i];
                own.brs = tb ? b.ld[i] : 1, own.bcs = tb ? 1 : b.ld[i];
                own.ldc = c.ld[i], own.batch = 1, own.m = m[i], own.n = n[i], own.k = k[i];
                if (m[i] > 0 && n[i] > 0) host::launch(tiles(m[i], n[i]), threads, [&] { one(own); });
            }
            GemmEachArgs all = {};
            static_cast<GemmArgs &>(all) = args;
            Pointers<T> pa(a), pb(b), pc(c);
            all.a = pa.operand(), all.b = pb.operand(), all.c = pc.operand();
            all.ars = !ta, all.acs = ta, all.brs = !tb, all.bcs = tb;
            all.batch = count, all.m = most_m, all.n = most_n, all.k = most_k;
            all.rows = extent(m, most_m), all.columns = extent(n, most_n), all.terms = extent(k, most_k);
            all.a_leading = a.ld.data(), all.b_leading = b.ld.data(), all.c_leading = c.ld.data();
            // As many blocks as there are tiles, or fewer.
            const int blocks = tiles(most_m, most_n) * count;
            host::launch(form % 2 ? blocks : (blocks + 2) / 3, threads, [&] { each(all); });
            report(name + " form " + std::to_string(form) + " most " + std::to_string(most), c == expected);
        }
}

template <typename T, typename One, typename Each>
void solves(const std::string &name, One one, Each each, int nt, int teams, int threads) {
    for (int form = 0; form < 16; ++form)
        for (int most : {6, 40, 90}) {
            const bool along_rows = form & 1, left = form & 2, reversed = form & 4, zero = form == 15;
            const int most_n = most / 2 + 1;
            const auto n = sizes(most), sides = sizes(most_n);
            Matrices<T> a, b;
            for (int i = 0; i < count; ++i) {
                const int rn = room(n[i], most), rs = room(sides[i], most_n);
                a.add(rn, rn, i % 3);
                left ? b.add(rn, rs, i % 2) : b.add(rs, rn, i % 2);
                for (int j = 0; j < rn; ++j)
                    for (int r = 0; r < rn; ++r) {
                        T &x = a.member(i)[r + j * a.ld[i]];
                        x = r == j ? add(make<T>(2), x) : make<T>(re(x) / 16, im(x) / 16);
                    }
            }
            (form & 8 ? a : b).ld[below(count)] -= 1; // may then be too small
            auto expected = b;
            TrsmArgs args = {};
            args.alpha_re = zero ? 0 : -0.5, args.alpha_im = zero ? 0 : 0.25, args.conj = form & 8,
            args.unit = form % 3 == 0;
            const auto blocks = [&](int jobs) { return (jobs + teams - 1) / teams; };
            for (int i = 0; i < count; ++i) {
                if (!valid(n[i], most) || !valid(sides[i], most_n) || n[i] == 0 || sides[i] == 0) continue;
                if (!leads(a.ld[i], n[i]) || !leads(b.ld[i], left ? n[i] : sides[i])) continue;
                TrsmArgs own = args;
                own.a = alone(a.member(i)), own.b = alone(expected.member(i)), own.batch = 1;
                own.order = n[i], own.nrhs = sides[i], own.tiles = (sides[i] + nt - 1) / nt;
                own.ars = along_rows ? 1 : a.ld[i], own.acs = along_rows ? a.ld[i] : 1;
                own.brs = left ? 1 : b.ld[i], own.bcs = left ? b.ld[i] : 1;
                if (reversed) {
                    own.a0 = (n[i] - 1) * (own.ars + own.acs), own.b0 = (n[i] - 1) * own.brs;
                    own.ars = -own.ars, own.acs = -own.acs, own.brs = -own.brs;
                }
                host::launch(blocks(static_cast<int>(own.tiles)), threads, [&] { one(own); });
            }
            TrsmEachArgs all = {};
            static_cast<TrsmArgs &>(all) = args;
            Pointers<T> pa(a), pb(b);
            all.a = pa.operand(), all.b = pb.operand(), all.batch = count;
            all.order = most, all.nrhs = most_n, all.tiles = (most_n + nt - 1) / nt;
            all.ars = along_rows, all.acs = !along_rows, all.brs = left, all.bcs = !left, all.reversed = reversed;
            all.orders = extent(n, most), all.sides = extent(sides, most_n);
            all.a_leading = a.ld.data(), all.b_leading = b.ld.data();
            const int full = blocks(static_cast<int>(all.tiles) * count);
            host::launch(form % 2 ? full : (full + 2) / 3, threads, [&] { each(all); });
            report(name + " form " + std::to_string(form) + " most " + std::to_string(most), b == expected);
        }
}

// Positive definite matrices, except for one.
template <typename T>
Matrices<T> definite(const std::vector<int> &n, int most) {
    Matrices<T> a;
    for (int i = 0; i < count; ++i) {
        const int order = room(n[i], most);
        a.add(order, order, i % 4);
        for (int j = 0; j < order; ++j) {
            T &x = a.member(i)[j * (a.ld[i] + 1)];
            x = make<T>(i == 5 && j == order / 2 ? -1 : 2 * order);
        }
    }
    return a;
}

// For orders in a range: factors whole matrices, and the parts from row and column `at` on of those that have them.
template <typename T, typename One, typename Each>
void factors(const std::string &name, One one, Each each, int per_block, int threads, std::initializer_list<int> orders,
             int at = 0, int over = 0, int upto = 1000) {
    for (int order : orders)
        for (int upper : {0, 1}) {
            const int most = order + at;
            const auto n = sizes(most);
            auto a = definite<T>(n, most);
            a.ld[below(count)] -= 1; // may then be too small
            auto expected = a;
            std::vector<int> info(count, at ? 0 : -7), codes(count, at ? 0 : -7);
            CholeskyArgs args = {};
            args.upper = upper, args.at = at, args.tiles = 1;
            for (int i = 0; i < count; ++i) {
                const int code = !valid(n[i], most) ? -2 : !leads(a.ld[i], n[i]) ? -4 : 0;
                if ((code || n[i] == 0) && at == 0) codes[i] = code;
                const int part = code || n[i] <= over || n[i] > upto ? 0 : n[i] - at < order ? n[i] - at : order;
                if (part <= 0) continue;
                CholeskyArgs own = args;
                own.a = alone(expected.member(i)), own.info = &codes[i], own.lda = a.ld[i], own.batch = 1, own.n = part;
                host::launch(1, threads, [&] { one(own); });
            }
            CholeskyEachArgs all = {};
            static_cast<CholeskyArgs &>(all) = args;
            Pointers<T> pa(a);
            all.a = pa.operand(), all.info = info.data(), all.batch = count, all.n = order;
            all.order = extent(n, most), all.leading = a.ld.data(), all.over = over, all.upto = upto;
            host::launch((count + per_block - 1) / per_block, threads, [&] { each(all); });
            const auto what =
                name + (upper ? " upper " : " lower ") + std::to_string(order) + " at " + std::to_string(at);
            report(what, a == expected);
            report(what + " info", info == codes);
        }
}

// The steps of a blocked factorisation after a block of `width` columns: the solve below it, and the update of the
// rest's triangle.
template <typename T, typename Solve, typename SolveEach, typename Product, typename ProductEach>
void blocks(const std::string &name, Solve solve, SolveEach solve_each, int nt, int solve_threads, Product product,
            ProductEach product_each, int tile, int product_threads) {
    for (int upper : {0, 1})
        for (int at : {0, 16}) {
            const int width = 16, most = 80, end = at + width;
            const auto n = sizes(most);
            auto a = definite<T>(n, most);
            a.ld[below(count)] -= 1;
            auto expected = a;
            const auto tiles = [&](int m) {
                const int down = (m + tile - 1) / tile;
                return down * (down + 1) / 2;
            };
            TrsmArgs t = {};
            t.alpha_re = 1, t.conj = 1;
            GemmArgs g = {};
            g.factors = {nullptr, nullptr, -1, 0, 1, 0}, g.triangle = upper ? GemmArgs::UPPER : GemmArgs::LOWER;
            g.k = width, g.real_diagonal = 1, g.conj_a = upper, g.conj_b = !upper;
            for (int i = 0; i < count; ++i) {
                const int below = n[i] - end, ld = a.ld[i];
                if (!valid(n[i], most) || !leads(ld, n[i]) || below <= 0) continue;
                const long long first = upper ? at + end * ld : end + at * ld;
                TrsmArgs own = t;
                own.a = own.b = alone(expected.member(i)), own.batch = 1, own.order = width, own.nrhs = below;
                own.tiles = (below + nt - 1) / nt, own.a0 = at * (ld + 1), own.b0 = first;
                own.ars = upper ? ld : 1, own.acs = upper ? 1 : ld, own.brs = upper ? 1 : ld, own.bcs = upper ? ld : 1;
                host::launch(static_cast<int>(own.tiles), solve_threads, [&] { solve(own); });
                GemmArgs p = g;
                p.a = p.b = p.c = alone(expected.member(i)), p.batch = 1, p.m = p.n = below;
                p.a0 = p.b0 = first, p.c0 = end * (ld + 1), p.ldc = ld;
                p.ars = p.bcs = upper ? ld : 1, p.acs = p.brs = upper ? 1 : ld;
                host::launch(tiles(below), product_threads, [&] { product(p); });
            }
            Pointers<T> pa(a);
            TrsmEachArgs all = {};
            static_cast<TrsmArgs &>(all) = t;
            all.a = all.b = pa.operand(), all.batch = count, all.order = width, all.nrhs = most - end;
            all.tiles = (most - end + nt - 1) / nt, all.a0 = at, all.b0 = upper ? at : end;
            all.a_columns = at, all.b_columns = upper ? end : at;
            all.ars = !upper, all.acs = upper, all.brs = upper, all.bcs = !upper;
            all.orders = all.sides = extent(n, most), all.a_leading = all.b_leading = a.ld.data();
            all.order_before = at, all.sides_before = end;
            host::launch(static_cast<int>(all.tiles) * count, solve_threads, [&] { solve_each(all); });
            GemmEachArgs p = {};
            static_cast<GemmArgs &>(p) = g;
            p.a = p.b = p.c = pa.operand(), p.batch = count, p.m = p.n = most - end;
            p.a0 = p.b0 = upper ? at : end, p.c0 = end, p.a_columns = p.b_columns = upper ? end : at, p.c_columns = end;
            p.ars = p.bcs = !upper, p.acs = p.brs = upper;
            p.rows = p.columns = extent(n, most), p.a_leading = p.b_leading = p.c_leading = a.ld.data();
            p.rows_before = p.columns_before = end;
            host::launch(tiles(most - end) * count, product_threads, [&] { product_each(p); });
            report(name + (upper ? " upper" : " lower") + " at " + std::to_string(at), a == expected);
        }
}

} // namespace

int main() {
    host::shared_memory.resize(227 * 1024);
    using C = Complex<float>;
    using Z = Complex<double>;
    products<float>("gemm_s", gemm_s, gemm_s_each, 32, 16, 32);
    products<C>("gemm_c", gemm_c, gemm_c_each, 16, 16, 32);
    products<double>("gemm_d", gemm_d, gemm_d_each, 32, 32, 64);
    products<Z>("gemm_z", gemm_z, gemm_z_each, 16, 16, 32);
    solves<float>("trsm_s", trsm_s, trsm_s_each, 32, 4, 128);
    solves<double>("trsm_d", trsm_d, trsm_d_each, 32, 1, 128);
    solves<C>("trsm_c", trsm_c, trsm_c_each, 8, 4, 128);
    solves<Z>("trsm_z", trsm_z, trsm_z_each, 8, 1, 64);
    solves<float>("trmm_s", trmm_s, trmm_s_each, 16, 1, 64);
    solves<Z>("trmm_z", trmm_z, trmm_z_each, 8, 1, 16);
    factors<float>("small_s", small_s, small_s_each, 4, 64, {32, 9, 3});
    factors<Z>("small_z", small_z, small_z_each, 16, 64, {8, 5});
    factors<Z>("small_z", small_z, small_z_each, 16, 64, {8, 5}, 6);
    factors<Z>("small_z", small_z, small_z_each, 16, 64, {8}, 0, 2, 5);
    factors<float>("small_s", small_s, small_s_each, 4, 64, {32}, 20, 0, 32);
    factors<double>("team_d", team_d, team_d_each, 1, 64, {33, 80});
    factors<double>("team_d", team_d, team_d_each, 1, 64, {33, 48}, 48);
    factors<C>("team_c", team_c, team_c_each, 1, 64, {40, 64}, 16);
    factors<float>("rows_s", rows_s, rows_s_each, 1, 32, {33, 64});
    factors<Z>("rows_z", rows_z, rows_z_each, 1, 64, {37, 48}, 16);
    factors<double>("generic_d", generic_d, generic_d_each, 2, 64, {20, 70}, 5);
    factors<C>("generic_c", generic_c, generic_c_each, 2, 32, {2, 40});
    blocks<double>("blocks d", trsm_d, trsm_d_each, 32, 128, gemm_d, gemm_d_each, 32, 64);
    blocks<Z>("blocks z", trsm_z, trsm_z_each, 8, 64, gemm_z, gemm_z_each, 16, 32);
    printf(failures ? "%d checks failed\n" : "kernels for members with sizes of their own on the host: ok\n", failures);
    return failures != 0;
}
