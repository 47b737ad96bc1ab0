// SPDX-License-Identifier: Apache-2.0
// Public text: what looks as random as a secret and is meant to be seen.
//
// An approver must see which key goes into authorized_keys, and gains nothing from a masked picture. So public keys,
// certificates and images are known by how they begin.
#pragma once

#include <cstddef>
#include <string_view>

namespace countersign::security {

// Asked about the long runs of a text in their order, because public text goes on from one line to the next.
class PublicText {
public:
    explicit PublicText(std::string_view text) : text_{text} {}
    [[nodiscard]] bool has(std::size_t begin, std::size_t end);

private:
    std::string_view text_;
    std::size_t until_ = 0;  // where public text ends that may go on in the next line; 0 if none does
};

// Whether text[begin, end) is an address or a recipient that is written to be handed around: age1…, a Nix store path.
[[nodiscard]] bool public_address(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace countersign::security
