// SPDX-License-Identifier: Apache-2.0
// Waiting messages and dead letters, for `countersign outbox`: the hub makes the listing, the command prints it. Pure,
// apart from reading the outboxes. Contains chats and reasons, never the text of a message.
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

// A channel's outbox. Channels that show everything at once, e.g. a terminal, have none.
struct NamedOutbox {
    std::string channel;
    std::function<channels::OutboxReport(std::size_t chats_max)> report;
};

// "approval", "conclusion", "other"
[[nodiscard]] std::string_view name(channels::Urgency urgency);

// At most outbox_listed_max chats over all channels, and as many dead letters; says how many are left out.
[[nodiscard]] json::Object outbox_listing(const std::vector<NamedOutbox>& outboxes, const DeadLetters& dead);

// Prints the listing for people. Errc::malformed names the invalid member.
[[nodiscard]] Result<std::string> printed_outbox(const json::Value& listing, const Screen& screen);

}  // namespace countersign::app
