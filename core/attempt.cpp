// SPDX-License-Identifier: Apache-2.0
#include "core/attempt.hpp"

#include <charconv>

namespace countersign {
namespace {

bool is_plain(char symbol) {
    return (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z') || (symbol >= '0' && symbol <= '9') ||
           symbol == '-' || symbol == '.' || symbol == '_' || symbol == '~';
}

// Encodes everything except RFC 3986's unreserved characters. Then '/' and '#' are always separators and the result is
// printable ASCII, even if a platform uses other characters in its ids.
std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    encoded.reserve(text.size());
    for (const char symbol : text) {
        if (is_plain(symbol)) {
            encoded += symbol;
            continue;
        }
        const auto byte = static_cast<unsigned char>(symbol);
        encoded += '%';
        encoded += digits[byte >> 4U];
        encoded += digits[byte & 15U];
    }
    return encoded;
}

std::optional<unsigned char> hex_digit(char symbol) {
    if (symbol >= '0' && symbol <= '9') return static_cast<unsigned char>(symbol - '0');
    if (symbol >= 'A' && symbol <= 'F') return static_cast<unsigned char>(symbol - 'A' + 10);
    return std::nullopt;
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            if (!is_plain(text[i])) return std::nullopt;
            decoded += text[i];
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const auto high = hex_digit(text[i + 1]);
        const auto low = hex_digit(text[i + 2]);
        if (!high || !low) return std::nullopt;
        decoded += static_cast<char>(*high << 4U | *low);
        i += 2;
    }
    return decoded;
}

}  // namespace

std::string_view name(Assurance assurance) {
    switch (assurance) {
    case Assurance::sms_code:
        return "sms-code";
    case Assurance::chat:
        return "chat";
    case Assurance::token:
        return "token";
    case Assurance::passkey:
        return "passkey";
    }
    return "sms-code";  // a value outside the list gets the weakest
}

std::optional<Assurance> assurance_named(std::string_view text) {
    for (const auto assurance : {Assurance::sms_code, Assurance::chat, Assurance::token, Assurance::passkey}) {
        if (text == name(assurance)) return assurance;
    }
    return std::nullopt;
}

std::string str(const MessageRef& ref) {
    const auto& place = ref.place;
    return percent_encoded(place.channel) + '/' + percent_encoded(place.chat) + '/' + percent_encoded(place.thread) +
           '/' + percent_encoded(place.message) + '#' + std::to_string(ref.generation);
}

std::optional<MessageRef> message_ref_of(std::string_view text) {
    const auto hash = text.rfind('#');
    if (hash == std::string_view::npos) return std::nullopt;
    MessageRef ref;
    const auto digits = text.substr(hash + 1);
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), ref.generation);
    if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    auto rest = text.substr(0, hash);
    for (auto* part : {&ref.place.channel, &ref.place.chat, &ref.place.thread, &ref.place.message}) {
        const auto slash = rest.find('/');
        const bool last = part == &ref.place.message;
        if (last != (slash == std::string_view::npos)) return std::nullopt;
        auto decoded = percent_decoded(rest.substr(0, slash));
        if (!decoded) return std::nullopt;
        *part = std::move(*decoded);
        rest = last ? std::string_view{} : rest.substr(slash + 1);
    }
    return ref;
}

}  // namespace countersign
