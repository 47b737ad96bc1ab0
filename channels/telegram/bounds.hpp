// SPDX-License-Identifier: Apache-2.0
// The bounds of the Telegram channel.
#pragma once

#include <chrono>
#include <cstddef>

namespace countersign::limits {

using namespace std::chrono_literals;

// The first three are the platform's own.
inline constexpr std::size_t telegram_text_units_max = 4096;     // UTF-16 units of a message
inline constexpr std::size_t telegram_caption_units_max = 1024;  // of a document's caption
inline constexpr std::size_t telegram_alert_units_max = 200;     // of the answer to a click
inline constexpr std::chrono::seconds telegram_poll_wait = 50s;  // a longer wish is cut to it
inline constexpr std::chrono::milliseconds telegram_poll_deadline = 65s;
inline constexpr std::size_t telegram_updates_max = 10;       // of a batch: all of them fit http_answer_body_bytes_max
inline constexpr unsigned telegram_passed_over_max = 16;      // ids in a row, then all but the last update
inline constexpr std::size_t telegram_button_units_max = 40;  // of a label; the list above it has the whole
inline constexpr std::size_t telegram_buttons_max = 64;       // more choices are answered by number
inline constexpr std::chrono::milliseconds telegram_handle_max = 15s;   // how long a batch is waited for
inline constexpr std::chrono::milliseconds telegram_answer_max = 8s;    // a click is answered by then
inline constexpr std::chrono::milliseconds telegram_stop_max = 3s;      // for the last edits at the end
inline constexpr std::chrono::milliseconds telegram_update_kept = 25h;  // Telegram repeats one for a day

// How fast it may send.
inline constexpr std::size_t telegram_bot_burst = 25;                     // the platform takes 30 a second
inline constexpr std::chrono::milliseconds telegram_bot_interval = 40ms;  // on average, over all chats
inline constexpr std::size_t telegram_chat_burst = 5;                     // of one person's chat
inline constexpr std::chrono::milliseconds telegram_chat_interval = 1s;   // on average, as the platform asks
inline constexpr std::size_t telegram_group_burst = 10;                   // of a group, which takes 20 a minute
inline constexpr std::chrono::milliseconds telegram_group_interval = 3s;

}  // namespace countersign::limits
