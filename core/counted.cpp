// SPDX-License-Identifier: Apache-2.0
#include "core/counted.hpp"

namespace countersign {

std::string grouped(std::uint64_t number) {
    auto digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), ",");
    }
    return digits;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    auto text = grouped(count) + " ";
    if (count == 1) return text.append(one);
    return many.empty() ? text.append(one).append("s") : text.append(many);
}

}  // namespace countersign
