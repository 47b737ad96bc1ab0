// SPDX-License-Identifier: Apache-2.0
#include "security/redact/known.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <openssl/crypto.h>

namespace countersign::security {
namespace {

constexpr std::size_t head_bytes = limits::known_secret_bytes_min;

std::uint64_t head_of(std::string_view text) {
    std::uint64_t head = 0;
    for (std::size_t i = 0; i < head_bytes; ++i) head = (head << 8U) | static_cast<std::uint8_t>(text[i]);
    return head;
}

std::size_t start_of(std::string_view text, std::size_t at) {
    return (std::size_t{static_cast<std::uint8_t>(text[at])} << 8U) | static_cast<std::uint8_t>(text[at + 1]);
}

std::string json_escaped(std::string_view value) {
    std::string text;
    for (const char byte : value) {
        if (byte == '\n') {
            text += "\\n";
            continue;
        }
        if (byte == '"' || byte == '\\') text += '\\';
        text += byte;
    }
    return text;
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char byte) { return byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 32) : byte; });
    return text;
}

// The base64 characters that depend on the value alone if `before` other bytes precede it in its group of three.
// Characters shared with its neighbours are left out.
std::string inner(std::string encoded, std::size_t before, std::size_t bytes) {
    while (encoded.ends_with('=')) encoded.pop_back();
    if ((before + bytes) % 3 != 0 && !encoded.empty()) encoded.pop_back();
    const std::size_t shared = before == 0 ? 0 : before + 1;
    return encoded.size() > shared ? encoded.substr(shared) : std::string{};
}

}  // namespace

KnownSecrets::KnownSecrets(const std::vector<KnownSecret>& secrets) : starts_(std::size_t{1} << 16U, false) {
    for (const auto& secret : secrets) {
        const auto& value = secret.value;
        if (value.size() < limits::known_secret_bytes_min) continue;
        add(value);
        if (auto escaped = json_escaped(value); escaped != value) add(std::move(escaped));
        add(hex(value));
        add(upper(hex(value)));
        for (std::size_t before = 0; before < 3; ++before) {
            const auto shifted = std::string(before, '\0') + value;
            auto plain = inner(base64(shifted), before, value.size());
            auto url = inner(base64url(shifted), before, value.size());
            const bool same = plain == url;
            add(std::move(plain));
            if (!same) add(std::move(url));
        }
    }
}

KnownSecrets::~KnownSecrets() {
    for (auto& form : forms_) OPENSSL_cleanse(form.data(), form.size());
}

void KnownSecrets::add(std::string form) {
    if (form.size() < head_bytes) return;
    const auto head = head_of(form);
    starts_[start_of(form, 0)] = true;
    by_head_.emplace(head, forms_.size());
    forms_.push_back(std::move(form));
}

std::size_t KnownSecrets::longest_at(std::string_view text, std::uint64_t head) const {
    std::size_t longest = 0;
    const auto [first, last] = by_head_.equal_range(head);
    for (auto entry = first; entry != last; ++entry) {
        const auto& form = forms_[entry->second];
        if (text.starts_with(form)) longest = std::max(longest, form.size());
    }
    return longest;
}

Findings KnownSecrets::find(std::string_view text) const {
    Findings findings;
    if (forms_.empty()) return findings;
    for (std::size_t at = 0; at + head_bytes <= text.size();) {
        const auto length = starts_[start_of(text, at)] ? longest_at(text.substr(at), head_of(text.substr(at))) : 0;
        if (length > 0) findings.push_back({at, at + length, "known", Evidence::known});
        at += std::max<std::size_t>(length, 1);
    }
    return findings;
}

}  // namespace countersign::security
