// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace countersign {

// TextGuard: what stands between text that somebody typed and a record or a screen. Security implements it; the hub
// only knows that it must ask.
class TextGuard {
public:
    virtual ~TextGuard() = default;
    // Redacted and with every invisible character made visible.
    [[nodiscard]] virtual std::string clean(std::string_view text) const = 0;
    // The displayHash of a text: 64 lower-case hex digits.
    [[nodiscard]] virtual std::string digest(std::string_view text) const = 0;
};

}  // namespace countersign
