// SPDX-License-Identifier: Apache-2.0
// What waits to be sent and what was given up, as `countersign outbox` shows it: made by the hub, shown by the command.
// Pure but for the looking. It holds chats and reasons, never the text of a message.
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

// A channel's own outbox. A channel that shows everything at once, as a terminal does, has none.
struct NamedOutbox {
    std::string channel;
    std::function<channels::OutboxReport(std::size_t chats_max)> report;
};

// "approval", "conclusion", "other"
[[nodiscard]] std::string_view name(channels::Urgency urgency);

// At most outbox_listed_max chats over all channels, and as many dead letters; how many are not listed is in it.
[[nodiscard]] json::Object outbox_listing(const std::vector<NamedOutbox>& outboxes, const DeadLetters& dead);

// The same for people. Errc::malformed names the member that does not hold.
[[nodiscard]] Result<std::string> printed_outbox(const json::Value& listing, const Screen& screen);

}  // namespace countersign::app
