// SPDX-License-Identifier: Apache-2.0
// Public text: it looks as random as a secret but is meant to be seen.
//
// An approver must see which key goes into authorized_keys and gains nothing from a masked image. So public keys,
// certificates and images are recognised by their first characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace countersign::security {

// Call it for the long runs of a text in order, because public text continues on the next line.
class PublicText {
public:
    explicit PublicText(std::string_view text) : text_{text} {}
    [[nodiscard]] bool has(std::size_t begin, std::size_t end);

private:
    std::string_view text_;
    std::size_t until_ = 0;  // the end of public text that may continue on the next line; 0 if there is none
};

// True if text[begin, end) is an address or a recipient that is meant to be shared: age1…, a Nix store path.
[[nodiscard]] bool public_address(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace countersign::security
