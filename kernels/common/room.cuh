// Shared memory that depends on the sizes of a launch, in the form in which plans receive it (src/gpu/plan/by_size.rs):
// a sum of products.
#pragma once

namespace tephra {

// A size (rows, warps, ...) as memory depends on it, through the count ceil((size - beyond) / step). The count is at
// least 0 and at most `most` (if that is not 0).
struct Count {
    int step = 1, beyond = 0, most = 0;
};

// Bytes for each count of a size, and for each product of two counts.
struct Room {
    static constexpr int SIZES = 4, PRODUCTS = SIZES * (SIZES + 1) / 2;

    Count sizes[SIZES] = {};
    int each[SIZES] = {}, products[PRODUCTS] = {}; // products in the order 0 0, 0 1, .., 1 1, ..

    // `bytes` is the function of the counts by which the kernel lays out its memory. The coefficients are found by
    // differences from `none`, its value for counts of zero. A function of another form does not compile.
    template <typename Bytes>
    constexpr Room(Bytes bytes, int none, int count, const Count (&of)[SIZES]) {
        int n[SIZES] = {};
        for (int i = 0; i < SIZES; ++i) sizes[i] = of[i];
        for (int i = 0; i < count; ++i) {
            n[i] = 1;
            each[i] = bytes(n) - none;
            n[i] = 0;
        }
        for (int i = 0, p = 0; i < SIZES; ++i)
            for (int j = i; j < SIZES; ++j, ++p) {
                if (j >= count || (i == j && sizes[i].most == 1)) continue; // a count of 0 or 1 equals its square
                ++n[i], ++n[j];
                products[p] = (bytes(n) - none - each[i] - each[j]) / (i == j ? 2 : 1);
                n[i] = n[j] = 0;
            }
        for (int i = 0, p = 0; i < SIZES; p += SIZES - i++) each[i] -= products[p];
        while (true) {
            if (none + sum(n) != bytes(n)) throw "shared memory is no sum of products of two counts";
            int i = 0;
            for (; i < count && n[i] == (sizes[i].most == 1 ? 1 : 3); ++i) n[i] = 0;
            if (i == count) break;
            ++n[i];
        }
    }
    constexpr Room() = default;

  private:
    constexpr int sum(const int (&n)[SIZES]) const {
        int bytes = 0;
        for (int i = 0, p = 0; i < SIZES; ++i) {
            bytes += each[i] * n[i];
            for (int j = i; j < SIZES; ++j, ++p) bytes += products[p] * n[i] * n[j];
        }
        return bytes;
    }
};

} // namespace tephra
