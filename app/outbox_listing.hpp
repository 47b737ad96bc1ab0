// SPDX-License-Identifier: Apache-2.0
// The listing of `countersign outbox`: messages that wait, and dead letters, which were given up. The hub makes it and
// the command prints it. It has chats and reasons, but never the text of a message. Pure, apart from reading the
// outboxes.
#pragma once

#include "channels/outbox.hpp"
#include "core/hub/dead_letters.hpp"
#include "core/json/value.hpp"
#include "core/result.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {

struct Screen;

// A channel's outbox. Channels that show everything immediately, e.g. a terminal, have none.
struct NamedOutbox {
    std::string channel;
    std::function<channels::OutboxReport(std::size_t chats_max)> report;
};

// "approval", "conclusion", "other"
[[nodiscard]] std::string_view name(channels::Urgency urgency);

// Lists at most limits::outbox_listed_max chats of all channels together, and at most as many dead letters. It also has
// the number of those that are left out.
[[nodiscard]] json::Object outbox_listing(const std::vector<NamedOutbox>& outboxes, const DeadLetters& dead);

// Prints the listing for people. Errc::malformed names the invalid member.
[[nodiscard]] Result<std::string> printed_outbox(const json::Value& listing, const Screen& screen);

}  // namespace countersign::app
