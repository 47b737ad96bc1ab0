// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace countersign {

// TextGuard: cleans text that a person typed before it reaches a record or a screen. Security implements it; the hub
// only knows that it must call it.
class TextGuard {
public:
    virtual ~TextGuard() = default;
    // Returns the text redacted and with every invisible character made visible.
    [[nodiscard]] virtual std::string clean(std::string_view text) const = 0;
    // The displayHash of a text: 64 lower-case hex digits.
    [[nodiscard]] virtual std::string digest(std::string_view text) const = 0;
};

}  // namespace countersign
