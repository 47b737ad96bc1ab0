// SPDX-License-Identifier: Apache-2.0
// Shapes: tokens that are known by their look, wherever they stand.
//
// Each shape has keywords, and its pattern runs only on text that has one of them. The patterns are RE2's: time linear
// in the text, memory bounded. They are written for masking and not for alerting: a length is a floor that survives a
// careless cut, and no border is asked for where the prefix is telling enough.
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

// A second look at what the pattern found, where a pattern cannot say it.
enum class ShapeCheck {
    none,
    mixed,        // letters and digits, as words do not mix them
    basic,        // base64 of user:password
    userinfo,     // of a URL: has a password, or is long
    not_a_name,   // no reference such as $TOKEN, no constant
    number_like,  // has a digit
};

struct Shape {
    std::string_view rule;
    std::string_view keywords;  // lower case, separated by commas; one of them is in every text that fits
    std::string_view pattern;   // its first group is the secret, or all of it if it has none
    ShapeCheck check = ShapeCheck::none;
    bool alone = true;  // the token is telling by itself, with nothing around it
};

// The tables: makers' tokens, and what is known by the command, the sentence or the line around it.
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
    // Only those that are telling by themselves.
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
