// SPDX-License-Identifier: Apache-2.0
// Attempt: a person's verified attempt to decide a request. Every entry point creates one, and they all end in
// Hub::decide.
#pragma once

#include "core/limits.hpp"
#include "core/option.hpp"
#include "core/time.hpp"
#include "core/ulid.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign {

// How strongly the person was identified, in ascending order.
enum class Assurance { sms_code, chat, token, passkey };
[[nodiscard]] std::string_view name(Assurance assurance);
[[nodiscard]] std::optional<Assurance> assurance_named(std::string_view text);

// Where a message was shown, or where an attempt came from.
struct Place {
    std::string channel;  // the configured name of the instance
    std::string chat;
    std::string thread;
    std::string message;
    friend bool operator==(const Place&, const Place&) = default;
};
// A message that we sent. `generation` is the number of the button set that it carries.
struct MessageRef {
    Place place;
    std::uint32_t generation = 0;
    friend bool operator==(const MessageRef&, const MessageRef&) = default;
};
// The part of the generation that a button carries.
[[nodiscard]] constexpr std::uint8_t generation_digit(std::uint32_t generation) {
    return static_cast<std::uint8_t>(generation % (limits::button_index_max + 1U));
}
// channel/chat/thread/message#generation, each part percent-encoded; one printable string.
[[nodiscard]] std::string str(const MessageRef& ref);
// The inverse of str(); nullopt for any other text.
[[nodiscard]] std::optional<MessageRef> message_ref_of(std::string_view text);

struct Choose {
    std::string option_id;
    friend bool operator==(const Choose&, const Choose&) = default;
};
struct Answer {
    std::string question_id;
    std::vector<std::string> choices;  // labels, as offered
    std::string text;                  // free text, empty if none
    friend bool operator==(const Answer&, const Answer&) = default;
};
struct Submit {
    std::vector<Answer> answers;
    friend bool operator==(const Submit&, const Submit&) = default;
};
struct Cancel {
    friend bool operator==(const Cancel&, const Cancel&) = default;
};

struct Attempt {
    Ulid request_id;
    std::string principal;  // "telegram:77", "terminal:1000": an immutable platform id, verified
    std::variant<Choose, Submit, Cancel> what;
    std::string reason;  // as typed; the hub passes it to the agent and, redacted, to the log
    Place where;
    Assurance assurance = Assurance::sms_code;
    BootTime arrived;              // when the bytes were received
    std::optional<WallTime> made;  // when the person acted, if the platform says so
    bool after_gap = false;        // came in the first batch after a polling gap (I16)
    std::string delivery = {};     // the platform's own id for the incoming message, if it has one (I5)
    // The generation_digit of the button that was pressed; nullopt if no button was pressed.
    std::optional<std::uint8_t> generation = std::nullopt;
    bool and_behind = false;  // a refusal that also covers the session's requests waiting behind this one
    // The input that the agent must use instead of its own, as typed; only with an allow for once.
    std::optional<std::string> edited_input = std::nullopt;
    bool in_client = false;  // made in the agent's own client, which shows the call itself
};

}  // namespace countersign
