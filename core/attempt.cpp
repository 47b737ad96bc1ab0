// SPDX-License-Identifier: Apache-2.0
#include "core/attempt.hpp"

namespace countersign {
namespace {

bool is_plain(char symbol) {
    return (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z') || (symbol >= '0' && symbol <= '9') ||
           symbol == '-' || symbol == '.' || symbol == '_' || symbol == '~';
}

// Everything but RFC 3986's unreserved characters is encoded, so that '/' and '#' always separate and the whole is
// printable ASCII, whatever a platform puts into its ids.
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
    return "sms-code";  // a value outside the list is worth the least
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

}  // namespace countersign
