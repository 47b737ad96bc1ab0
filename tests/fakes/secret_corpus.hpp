// SPDX-License-Identifier: Apache-2.0
// A corpus of generated secrets, and of innocent text that looks like them: the test and the benchmark measure the
// redactor's recall and its false positives on it.
//
// Every token is made at run time from a seed, in the format that its vendor documents. So the repository contains no
// string that a scanner would mistake for a leak, and no token was ever valid.
#pragma once

#include "security/redact/redactor.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::fakes {

// The same sequence for the same seed, on every machine.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_{seed * 2 + 1} {}
    std::size_t below(std::size_t bound) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>(state_ >> 33U) % bound;
    }

private:
    std::uint64_t state_;
};

// Fills a format. {A24} is 24 letters and digits; the other letters: a lower case and digits, U upper case and digits,
// h hexadecimal, H hexadecimal in upper case, d digits, b base64url, B base64, w lower-case letters, W letters,
// 2 base32 in upper case, p a password's characters, s the same without those that a shell reads, u a UUID.
std::string filled(std::string_view format, Dice& dice);

struct TokenFormat {
    std::string_view name;  // of the variable that usually contains it
    std::string_view format;
    bool bare = true;  // false: it looks like a digest or an id, and only its name or the words around it tell
};
std::vector<TokenFormat> token_formats();

struct Sample {
    std::string context;
    std::string what;  // the format, or which kind of innocent text
    std::string text;
    std::string secret;  // empty: nothing in it may be masked
    security::TextKind kind = security::TextKind::any;
};
std::vector<Sample> secret_samples(std::uint64_t seed);
std::vector<Sample> innocent_samples(std::uint64_t seed);

// The redactor's results for a context.
struct Count {
    std::size_t samples = 0;
    std::size_t right = 0;  // hidden if it is a secret, unchanged if it is innocent
};
struct Measured {
    std::string context;
    Count secrets;
    Count innocents;
};
// Secrets that look like a digest or an identifier, in contexts that don't identify them. Not part of the corpus: no
// rule can detect them, and most text of this form isn't secret.
Count measure_nameless(const security::Redactor& redactor, std::uint64_t seed);
// By context, in the order of the corpus, with the sum at the end. `wrong` gets every sample that failed.
std::vector<Measured> measure(const security::Redactor& redactor, std::uint64_t seed, std::vector<Sample>* wrong);

}  // namespace countersign::fakes
