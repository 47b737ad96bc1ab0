// SPDX-License-Identifier: Apache-2.0
// The text behind a button: 47 bytes that are valid for one request, in one chat of one channel (I10).
//
//   1 | verb | ULID, 26 | option | question | generation | 16 characters of base64url = 96 bits of HMAC-SHA256
//
// The MAC covers "button/v1", the 31 bytes before it, and the channel and the chat, each prefixed with its length. A
// forwarded, invented or altered button is refused here. The request ensures that it works only once; the gate checks
// who pressed it.
#pragma once

#include "core/result.hpp"
#include "core/ulid.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace countersign::security {

inline constexpr std::size_t button_token_bytes = 47;

enum class ButtonVerb { decide, answer, submit, more, reason };

// The indexes refer to the frozen options and questions and are at most button_index_max; 0 if the verb needs none.
struct Button {
    ButtonVerb verb = ButtonVerb::decide;
    Ulid request_id;
    std::uint8_t option = 0;
    std::uint8_t question = 0;
    std::uint8_t generation = 0;
    friend bool operator==(const Button&, const Button&) = default;
};

// Where a button is shown or was pressed.
struct ButtonPlace {
    std::string_view channel;  // the configured name
    std::string_view chat;
};

// The request that a text names, if it has the shape of a button. Anyone can write such a text: use it only in records.
[[nodiscard]] std::optional<Ulid> request_named_by(std::string_view token);

class ButtonTokens {
public:
    explicit ButtonTokens(Secret key, std::optional<Secret> previous_key = std::nullopt)
        : key_{std::move(key)}, previous_key_{std::move(previous_key)} {}

    // Errc::too_large for an index over button_index_max.
    [[nodiscard]] Result<std::string> mint(const Button& button, const ButtonPlace& place) const;

    // Errc::malformed if it doesn't have the shape of our buttons, Errc::bad_signature if the MAC isn't valid in this
    // place, Errc::stale if it is valid with the previous key: tell the person that the button is outdated, and do
    // nothing else.
    [[nodiscard]] Result<Button> verify(std::string_view token, const ButtonPlace& place) const;

private:
    Secret key_;
    std::optional<Secret> previous_key_;
};

}  // namespace countersign::security
