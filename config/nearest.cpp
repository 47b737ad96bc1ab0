// SPDX-License-Identifier: Apache-2.0
#include "config/nearest.hpp"

#include <algorithm>
#include <cstddef>

namespace countersign::config {

namespace {

constexpr std::size_t changes_max = 3;
constexpr std::size_t listed_max = 12;
constexpr std::size_t word_bytes_max = 64;  // longer words are rarely mistyped by only a letter or two

// Fills only a band around the diagonal: outside it the distance exceeds `most` anyway, and there may be thousands of
// people to compare with. Returns `most` + 1 for any larger distance.
std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
    const auto beyond = most + 1;
    if (a.size() > b.size()) std::swap(a, b);
    if (b.size() - a.size() > most) return beyond;
    std::vector<std::size_t> before_last(b.size() + 1, beyond);
    std::vector<std::size_t> last(b.size() + 1, beyond);
    std::vector<std::size_t> row(b.size() + 1, beyond);
    for (std::size_t j = 0; j <= std::min(b.size(), most); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::ranges::fill(row, beyond);
        if (i <= most) row[0] = i;
        const auto first = i > most ? i - most : 1;
        for (std::size_t j = first; j <= std::min(b.size(), i + most); ++j) {
            const auto replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            auto best = std::min({replaced, last[j] + 1, row[j - 1] + 1, beyond});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = std::min(best, before_last[j - 2] + 1);
            row[j] = best;
        }
        before_last.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
    if (word.empty() || word.size() > word_bytes_max) return std::nullopt;
    auto most = std::clamp<std::size_t>(word.size() / 3, 1, changes_max);
    std::optional<std::string_view> best;
    for (const auto candidate : candidates) {
        const auto changes = distance(word, candidate, most);
        if (changes > most) continue;
        best = candidate;
        if (changes == 0) break;
        most = changes - 1;  // only a closer candidate may replace it
    }
    return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates,
                         std::string otherwise) {
    const auto found = nearest(word, candidates);
    if (!found) return otherwise;
    return "did you mean `" + std::string{*found} + "`?";
}

std::string joined(const std::vector<std::string_view>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size() && i < listed_max; ++i) {
        if (i > 0) out += ", ";
        out += words[i];
    }
    return words.size() > listed_max ? out + " …" : out;
}

}  // namespace countersign::config
