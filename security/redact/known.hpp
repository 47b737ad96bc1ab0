// SPDX-License-Identifier: Apache-2.0
// KnownSecrets: finds the daemon's own secrets anywhere in a text and in several encodings.
//
// It searches for the value itself, with JSON escapes, in hexadecimal, and in base64 of either alphabet, also inside a
// longer base64 text. Percent encoding needs no form of its own, because a view decodes it. This object keeps copies of
// the values.
#pragma once

#include "security/redact/finding.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace countersign::security {

struct KnownSecret {
    std::string value;
};

class KnownSecrets {
public:
    // Leaves out values shorter than limits::known_secret_bytes_min: they would mask ordinary words.
    explicit KnownSecrets(const std::vector<KnownSecret>& secrets);
    ~KnownSecrets();
    KnownSecrets(const KnownSecrets&) = delete;
    KnownSecrets& operator=(const KnownSecrets&) = delete;

    [[nodiscard]] bool empty() const { return forms_.empty(); }
    [[nodiscard]] Findings find(std::string_view text) const;

private:
    void add(std::string form);
    // The length of the longest form at the start of the text, whose first bytes are `head`; 0 for none.
    [[nodiscard]] std::size_t longest_at(std::string_view text, std::uint64_t head) const;

    std::vector<std::string> forms_;
    std::unordered_multimap<std::uint64_t, std::size_t> by_head_;
    std::vector<bool> starts_;  // by first two bytes: a fast negative test for nearly every place in a text
};

}  // namespace countersign::security
