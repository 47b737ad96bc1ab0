// SPDX-License-Identifier: Apache-2.0
// Names that suggest that their value is a secret: of members, options, variables, headers, query parameters.
//
// A name is split into words (dbPassword, DB_PASSWORD and --db-password have the same two), so that --token matches and
// --tokenizer-path doesn't. The last word says what the name means: a password_file is a file.
#pragma once

#include <string_view>

namespace countersign::security {

enum class Suspicion {
    none,
    possible,  // only if the value itself looks like a secret: auth, signature
    likely,    // unless code and prose use it that way: token
    certain,   // for any value: password
};

struct NameVerdict {
    Suspicion suspicion = Suspicion::none;
    std::string_view rule;  // a string literal: "password", "token" …
    bool header = false;    // its value has several words: Authorization, Cookie
    bool phrase = false;    // its value may be a line of words: a mnemonic
};

// A fast negative test: whether any of the functions below may recognise the name.
[[nodiscard]] bool may_matter(std::string_view name);

[[nodiscard]] NameVerdict judge_name(std::string_view name);
// In a URL's query, `key`, `sig` and `code` are suspicious too.
[[nodiscard]] NameVerdict judge_query_name(std::string_view name);

// True if the name is just `name` or `key`, or just `value`: the two halves of {"name": "DB_PASSWORD", "value": …}.
[[nodiscard]] bool names_a_name(std::string_view name);
[[nodiscard]] bool names_a_value(std::string_view name);

// True if every member of an object with this name is a command: the "scripts" of a package.json.
[[nodiscard]] bool holds_commands(std::string_view name);

}  // namespace countersign::security
