// SPDX-License-Identifier: Apache-2.0
// Attempt: somebody's verified try to decide. Every way in makes one, and they all end in Hub::decide.
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

// How sure we are who it was, in order.
enum class Assurance { sms_code, chat, token, passkey };
[[nodiscard]] std::string_view name(Assurance assurance);
[[nodiscard]] std::optional<Assurance> assurance_named(std::string_view text);

// Where something is shown, or came from.
struct Place {
    std::string channel;  // the configured name of the instance
    std::string chat;
    std::string thread;
    std::string message;
    friend bool operator==(const Place&, const Place&) = default;
};
// A message of ours. `generation` counts the sets of buttons it has carried.
struct MessageRef {
    Place place;
    std::uint32_t generation = 0;
    friend bool operator==(const MessageRef&, const MessageRef&) = default;
};
// What a button tells of its generation.
[[nodiscard]] constexpr std::uint8_t generation_digit(std::uint32_t generation) {
    return static_cast<std::uint8_t>(generation % (limits::button_index_max + 1U));
}
// channel/chat/thread/message#generation, each part percent-encoded; one printable string.
[[nodiscard]] std::string str(const MessageRef& ref);
// Its inverse; nothing for what str() did not print.
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
    BootTime arrived;              // when the bytes came in
    std::optional<WallTime> made;  // when the person acted, where the platform says so
    bool after_gap = false;        // came in the first batch after a polling gap (I16)
    std::string delivery = {};     // the platform's own name for what came in, where it has one (I5)
    // Which set of buttons it was made with, as far as the button tells: its generation_digit. Nothing where no button
    // was pressed.
    std::optional<std::uint8_t> generation = std::nullopt;
    bool and_behind = false;  // a refusal, meant also for those of the session that wait behind this one
    // The input that the agent is to use in place of its own, as typed; only with an allow, once.
    std::optional<std::string> edited_input = std::nullopt;
    bool in_client = false;  // made in the agent's own client, which shows the call itself
};

}  // namespace countersign
