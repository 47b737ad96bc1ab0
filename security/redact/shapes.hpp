// SPDX-License-Identifier: Apache-2.0
// Shapes: tokens that are recognised by their look, anywhere in a text.
//
// Each shape has keywords, and its pattern runs only on text that contains one of them. The patterns are RE2's, with
// linear time and bounded memory. They are written for masking, not for alerting: a length is a minimum that also
// matches a truncated token, and a word boundary is required only if the prefix isn't characteristic enough.
#pragma once

#include "security/redact/finding.hpp"
#include "security/redact/keywords.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace countersign::security {

// A second check of a match, for rules that a pattern can't express.
enum class ShapeCheck {
    none,
    mixed,        // letters and digits, mixed unlike in words
    basic,        // base64 of user:password
    userinfo,     // of a URL: has a password or is long
    not_a_name,   // not a reference such as $TOKEN, and not a constant
    number_like,  // has a digit
};

struct Shape {
    std::string_view rule;
    std::string_view keywords;  // lower case, separated by commas; every matching text contains one of them
    std::string_view pattern;   // its first group is the secret, or the whole match if it has none
    ShapeCheck check = ShapeCheck::none;
    bool alone = true;  // the token is recognisable by itself, without any text around it
};

// The tables: vendor tokens, and secrets recognised by the command, the sentence or the line around them.
[[nodiscard]] std::span<const Shape> token_shapes();
[[nodiscard]] std::span<const Shape> context_shapes();
[[nodiscard]] std::span<const Shape> prose_shapes();

class Shapes {
public:
    Shapes();
    ~Shapes();
    Shapes(const Shapes&) = delete;
    Shapes& operator=(const Shapes&) = delete;

    [[nodiscard]] Findings find(std::string_view text) const;
    // Finds only the shapes that are recognisable by themselves.
    [[nodiscard]] Findings find_alone(std::string_view text) const;
    [[nodiscard]] std::vector<std::string_view> rules() const;

private:
    struct Compiled;
    void find_with(const Compiled& compiled, std::string_view text, Keywords::Lines lines, Findings& findings) const;
    [[nodiscard]] Findings find_if(std::string_view text, bool alone) const;

    std::vector<Compiled> compiled_;
    std::unique_ptr<Keywords> keywords_;
};

}  // namespace countersign::security
