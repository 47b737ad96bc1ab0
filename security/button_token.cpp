// SPDX-License-Identifier: Apache-2.0
#include "security/button_token.hpp"

#include "core/limits.hpp"
#include "security/crockford.hpp"
#include "security/encoding.hpp"
#include "security/hmac.hpp"

#include <algorithm>
#include <span>

namespace countersign::security {
namespace {

constexpr std::string_view verbs = "dqsmr";  // in the order of ButtonVerb
constexpr std::size_t mac_bytes = 12;
constexpr std::size_t fields_bytes = 2 + limits::approval_id_chars + 3;
static_assert(fields_bytes + mac_bytes / 3 * 4 == button_token_bytes);

// Prefixes the text with four bytes, most significant first, so that different pairs of channel and chat never look the
// same.
std::string with_length(std::string_view text) {
    std::string framed;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) framed += static_cast<char>(text.size() >> shift & 0xFFU);
    return framed.append(text);
}

std::string mac_of(const Secret& key, std::string_view fields, const ButtonPlace& place) {
    const auto mac = hmac_sha256(key, {"button/v1", fields, with_length(place.channel), with_length(place.chat)});
    return base64url(std::span{mac}.first<mac_bytes>());
}

std::string fields_of(const Button& button) {
    std::string fields{'1', verbs[static_cast<std::size_t>(button.verb)]};
    fields += button.request_id.str();
    for (const auto index : {button.option, button.question, button.generation}) fields += crockford_digits[index];
    return fields;
}

// Precondition: fields_bytes characters.
Result<Button> parse_fields(std::string_view fields) {
    const Error malformed{Errc::malformed, "this is not a button of this program"};
    if (fields[0] != '1') return malformed;
    const auto verb = verbs.find(fields[1]);
    if (verb == std::string_view::npos) return malformed;
    const auto request_id = Ulid::parse(fields.substr(2, limits::approval_id_chars));
    const auto indexes = fields.substr(2 + limits::approval_id_chars);
    const auto option = crockford_value(indexes[0]);
    const auto question = crockford_value(indexes[1]);
    const auto generation = crockford_value(indexes[2]);
    if (!request_id || !option || !question || !generation) return malformed;
    return Button{static_cast<ButtonVerb>(verb), *request_id, *option, *question, *generation};
}

}  // namespace

std::optional<Ulid> request_named_by(std::string_view token) {
    if (token.size() != button_token_bytes) return std::nullopt;
    const auto button = parse_fields(token.substr(0, fields_bytes));
    return button ? std::optional{button->request_id} : std::nullopt;
}

Result<std::string> ButtonTokens::mint(const Button& button, const ButtonPlace& place) const {
    if (std::max({button.option, button.question, button.generation}) > limits::button_index_max) {
        return Error{Errc::too_large, "a button's option, question and generation are at most " +
                                          std::to_string(limits::button_index_max)};
    }
    auto fields = fields_of(button);
    return fields + mac_of(key_, fields, place);
}

Result<Button> ButtonTokens::verify(std::string_view token, const ButtonPlace& place) const {
    if (token.size() != button_token_bytes) return Error{Errc::malformed, "a button carries 47 bytes"};
    const auto fields = token.substr(0, fields_bytes);
    const auto mac = token.substr(fields_bytes);
    auto button = parse_fields(fields);
    if (!button) return button.error();
    if (equal_in_constant_time(mac_of(key_, fields, place), mac)) return button;
    if (previous_key_ && equal_in_constant_time(mac_of(*previous_key_, fields, place), mac)) {
        return Error{Errc::stale, "this button has expired"};
    }
    return Error{Errc::bad_signature, "this button was not made for this chat"};
}

}  // namespace countersign::security
