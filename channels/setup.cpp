// SPDX-License-Identifier: Apache-2.0
#include "channels/setup.hpp"

namespace countersign::channels {

std::string pairing_code() {
    constexpr std::string_view letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const auto random = security::Secret::random(8);
    std::string code;
    for (const auto byte : random.bytes()) code += letters[byte % letters.size()];
    return code;
}

}  // namespace countersign::channels
