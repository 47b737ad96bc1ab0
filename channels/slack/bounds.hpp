// SPDX-License-Identifier: Apache-2.0
// The bounds of the Slack channel.
#pragma once

#include <chrono>
#include <cstddef>

namespace countersign::limits {

using namespace std::chrono_literals;

// The platform's own. Characters are counted as UTF-16 units, which is never less than Slack counts.
inline constexpr std::size_t slack_header_units_max = 150;         // of a header block
inline constexpr std::size_t slack_section_units_max = 3'000;      // of the text of a section
inline constexpr std::size_t slack_context_elements_max = 10;      // of a context block
inline constexpr std::size_t slack_context_units_max = 2'000;      // of one text in it
inline constexpr std::size_t slack_blocks_max = 50;                // of a message
inline constexpr std::size_t slack_view_blocks_max = 100;          // of a modal
inline constexpr std::size_t slack_actions_max = 25;               // elements of an actions block
inline constexpr std::size_t slack_button_units_max = 75;          // of a button's text
inline constexpr std::size_t slack_value_units_max = 2'000;        // of a button's value
inline constexpr std::size_t slack_action_id_units_max = 255;      // also of a block_id
inline constexpr std::size_t slack_confirm_title_units_max = 100;  // of a confirm dialog
inline constexpr std::size_t slack_confirm_text_units_max = 300;
inline constexpr std::size_t slack_confirm_button_units_max = 30;
inline constexpr std::size_t slack_choice_units_max = 75;  // text of an option in a list
inline constexpr std::size_t slack_choices_max = 100;      // options of a list; checkboxes and radio buttons: 10
inline constexpr std::size_t slack_boxes_max = 10;
inline constexpr std::size_t slack_view_title_units_max = 24;   // also of its buttons
inline constexpr std::size_t slack_input_units_max = 3'000;     // what may be typed into an input
inline constexpr std::size_t slack_label_units_max = 2'000;     // of an input
inline constexpr std::size_t slack_metadata_bytes_max = 3'000;  // private_metadata of a modal
inline constexpr std::size_t slack_text_units_max = 40'000;     // `text` of a message

// Ours. Slack names no bound for the rich text of a message; its own composer takes 12,000 characters.
inline constexpr std::size_t slack_card_units_max = 9'000;
inline constexpr std::size_t slack_label_units = 40;          // of a button; the lines above it have the whole
inline constexpr std::size_t slack_notice_units_max = 280;    // of the text that a notification shows
inline constexpr std::size_t slack_page_units_max = 2'900;    // of one block of a modal with the whole text
inline constexpr std::size_t slack_view_units_max = 60'000;   // of the whole text in a modal; the file has the rest
inline constexpr std::size_t slack_direct_chats_max = 1'000;  // of people whose direct message's id is remembered
inline constexpr std::chrono::milliseconds slack_reply_max = 1'500ms;    // the platform waits 3 s
inline constexpr std::chrono::milliseconds slack_trigger_max = 2'500ms;  // to open a modal: its trigger lives 3 s
inline constexpr std::chrono::milliseconds slack_answer_max = 8s;        // a click hears something by then
inline constexpr std::chrono::milliseconds slack_stop_max = 3s;          // for the last edits at the end
inline constexpr std::chrono::milliseconds slack_replays_kept =
    1h;  // the last repetition of an event comes after 6 min

inline constexpr std::size_t slack_channel_checks_max = 50;  // channels that are looked at when the hub starts

// How fast it may send.
inline constexpr std::size_t slack_channel_burst = 5;  // of one conversation, which takes 1 message a second
inline constexpr std::chrono::milliseconds slack_channel_interval = 1s;
inline constexpr std::size_t slack_channel_reserve = 2;  // of the burst: notices leave it to cards
inline constexpr std::size_t slack_bot_burst = 20;       // over all of them
inline constexpr std::chrono::milliseconds slack_bot_interval = 100ms;

// Socket Mode.
inline constexpr std::size_t slack_sockets = 2;         // one can go away without a gap; the platform takes ten
inline constexpr std::size_t slack_envelopes_max = 64;  // in hand at once
inline constexpr std::chrono::milliseconds slack_hello_max = 10s;
inline constexpr std::chrono::milliseconds slack_silence_max = 60s;  // the platform pings more often than that
inline constexpr std::chrono::milliseconds slack_drain_max = 10s;    // an old connection while the new one is there

}  // namespace countersign::limits
