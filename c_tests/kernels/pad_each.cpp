// Members of different sizes copied to one size and back, run on the host: the padding is zeros or the identity, rows
// with increments of either sign become contiguous, and nothing but a member's own elements is written.
#include "cuda_on_host.h"

#include "auxiliary/pad_each.cuh"

#include <string>

TEPHRA_PAD_EACH(pad_each, d, 4, 32)

namespace {

using tephra::PadEachArgs;

int failures = 0;

void report(const std::string &what, bool right) {
    if (right) return;
    printf("FAILED: %s\n", what.c_str());
    ++failures;
}

constexpr int count = 7;

// What a member has outside its own elements, and a copy before it is written.
constexpr double untouched = 77;

// Rows 40 x 9 and less, or their lower (1, 3) or upper (2, 4) triangle, without the diagonal from 3 on; with `row`, one
// row whose increments are the leading dimensions; invalid and empty members.
void copies(bool row, bool identity, bool two_bounds, int triangle) {
    const int most_rows = row ? 1 : 40, most_columns = row ? 23 : 9, ld = row ? 1 : 44;
    const std::string what = std::string(row ? "a row" : "matrices") + (identity ? ", identity" : "") +
                             (two_bounds ? ", two bounds" : "") + (triangle ? ", triangle" : "");
    const bool unit = triangle > 2;
    int rows[count], bounds[count], columns[count], leading[count], checked[count];
    std::vector<std::vector<double>> members;
    std::vector<void *> array;
    for (int i = 0; i < count; ++i) {
        rows[i] = row ? 1 : 1 + (i * 17 + 38) % most_rows, columns[i] = 1 + (i * 5 + most_columns - 1) % most_columns;
        bounds[i] = two_bounds && i % 2 ? rows[i] / 2 : rows[i];
        leading[i] = row ? (i % 2 ? -3 : 2) : rows[i] + i % 3;
        checked[i] = i == 3 ? -1 : rows[i];
        if (i == 4) columns[i] = 0;
        if (i == 5) leading[i] = row ? 0 : leading[i]; // an increment of 0 is invalid
        members.emplace_back(3 * most_rows * (most_columns + 3), untouched);
        // An invalid member may have no memory.
        array.push_back(i == 3 ? nullptr : members[i].data());
    }
    const auto own = [&](int i, int r, int c) {
        const bool valid = checked[i] >= 0 && leading[i] != 0;
        const bool stored = !triangle || (triangle % 2 ? r > c : r < c) || (r == c && !unit);
        return valid && stored && r < (bounds[i] < rows[i] ? bounds[i] : rows[i]) && c < columns[i];
    };
    const auto place = [&](int i, int r, int c) {
        const int step = leading[i];
        return r + (step < 0 ? (c - columns[i] + 1) * step : c * step);
    };
    const auto value = [](int i, int r, int c) { return 1000.0 * i + 50 * c + r + 0.5; };
    for (int i = 0; i < count; ++i)
        for (int c = 0; c < most_columns; ++c)
            for (int r = 0; r < most_rows; ++r)
                if (own(i, r, c)) members[i][place(i, r, c)] = value(i, r, c);
    const auto before = members;
    const long long stride = static_cast<long long>(ld) * most_columns;
    std::vector<double> padded(stride * count, untouched);
    PadEachArgs args = {};
    args.each = {array.data(), 0, 1, 0}, args.padded = {padded.data(), stride, 0, 0};
    args.checked = checked, args.rows = row ? nullptr : rows, args.columns = columns, args.leading = leading;
    args.rows_too = two_bounds ? bounds : nullptr;
    args.most_rows = most_rows, args.most_columns = most_columns, args.ld = ld, args.batch = count;
    args.row_tiles = (most_rows + 31) / 32, args.column_tiles = (most_columns + 3) / 4, args.identity = identity;
    args.triangle = triangle ? 2 - triangle % 2 : 0, args.unit = unit, args.nonzero = row ? leading : nullptr;
    host::launch(5, 32, [&] { pad_each(args); });
    bool right = members == before;
    for (int i = 0; i < count; ++i)
        for (int c = 0; c < most_columns; ++c)
            for (int r = 0; r < ld; ++r) {
                double &x = padded[i * stride + c * ld + r];
                const double expected = r >= most_rows ? untouched : own(i, r, c) ? value(i, r, c) : identity && r == c;
                right &= x == expected;
                x = -x; // what is copied back
            }
    report(what + ": copies", right);
    if (triangle) return; // which are never written
    args.back = 1;
    host::launch(5, 32, [&] { pad_each(args); });
    right = true;
    for (int i = 0; i < count; ++i) {
        auto expected = before[i];
        for (int c = 0; c < most_columns; ++c)
            for (int r = 0; r < most_rows; ++r)
                if (own(i, r, c)) expected[place(i, r, c)] *= -1;
        right &= members[i] == expected;
    }
    report(what + ": copies back", right);
}

} // namespace

int main() {
    for (int k = 0; k < 8; ++k) copies(k & 1, k & 2, k & 4, 0);
    for (int triangle = 1; triangle < 5; ++triangle) copies(false, true, false, triangle);
    printf("pad_each: %s\n", failures ? "FAILED" : "ok");
    return failures != 0;
}
