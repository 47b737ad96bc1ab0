// SPDX-License-Identifier: Apache-2.0
// Names that say that their value is a secret: of members, flags, variables, headers, query parameters.
//
// A name is taken apart into its words (dbPassword, DB_PASSWORD and --db-password are the same two), so that --token is
// meant and --tokenizer-path is not. What a name is about stands at its end: a password_file is a file.
#pragma once

#include <string_view>

namespace countersign::security {

enum class Suspicion {
    none,
    possible,  // only if the value looks like a secret by itself: auth, signature
    likely,    // unless code and prose use it so: token
    certain,   // whatever the value is: password
};

struct NameVerdict {
    Suspicion suspicion = Suspicion::none;
    std::string_view rule;  // a literal: "password", "token" …
    bool header = false;    // its value has several words: Authorization, Cookie
    bool phrase = false;    // its value may be a line of words: a mnemonic
};

// A quick no: whether any of the functions below may say something about the name.
[[nodiscard]] bool may_matter(std::string_view name);

[[nodiscard]] NameVerdict judge_name(std::string_view name);
// In the query of a URL also `key`, `sig` and `code` mean something.
[[nodiscard]] NameVerdict judge_query_name(std::string_view name);

// Whether the name is just `name` or `key`, or just `value`: the two halves of {"name": "DB_PASSWORD", "value": …}.
[[nodiscard]] bool names_a_name(std::string_view name);
[[nodiscard]] bool names_a_value(std::string_view name);

// Whether an object of this name has a command in each member: the "scripts" of a package.json.
[[nodiscard]] bool holds_commands(std::string_view name);

}  // namespace countersign::security
