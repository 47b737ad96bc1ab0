// SPDX-License-Identifier: Apache-2.0
// The bounds of the Discord channel.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace countersign::limits {

using namespace std::chrono_literals;

// The platform's own. Characters are counted as UTF-16 units, which is never less than Discord counts.
inline constexpr std::size_t discord_text_units_max = 4'000;  // of all texts of a message together
inline constexpr std::size_t discord_components_max = 40;     // of a message, nested ones too
inline constexpr std::size_t discord_row_buttons_max = 5;
inline constexpr std::size_t discord_button_units_max = 80;  // of a button's label
inline constexpr std::size_t discord_custom_id_units_max = 100;
inline constexpr std::size_t discord_list_options_max = 25;
inline constexpr std::size_t discord_option_units_max = 100;       // of an option's label, value and description
inline constexpr std::size_t discord_placeholder_units_max = 150;  // of a list; of a text field 100
inline constexpr std::size_t discord_field_placeholder_units_max = 100;
inline constexpr std::size_t discord_nonce_bytes_max = 25;
inline constexpr std::size_t discord_modal_title_units_max = 45;
inline constexpr std::size_t discord_modal_fields_max = 5;
inline constexpr std::size_t discord_label_units_max = 45;  // of a field
inline constexpr std::size_t discord_label_description_units_max = 100;
inline constexpr std::size_t discord_field_units_max = 4'000;  // what may be typed into one
inline constexpr std::size_t discord_thread_name_units_max = 100;
inline constexpr std::size_t discord_servers_max = 200;                  // of a bot that are listed in one call
inline constexpr std::size_t discord_mentions_max = 100;                 // of users in allowed_mentions
inline constexpr std::chrono::minutes discord_interaction_life = 15min;  // of an interaction's token

// Ours.
inline constexpr std::size_t discord_card_units_max = 3'400;  // of a card's words; the rest is for what styles them
inline constexpr std::size_t discord_choice_units_max = 40;   // of a choice in a list, on a card with several lists
inline constexpr std::size_t discord_label_units = 40;        // of a button; the lines above it have the whole
inline constexpr std::size_t discord_choice_buttons_max = 5;  // more choices are a list
inline constexpr std::size_t discord_description_bytes_max = 256;  // of what the platform says went wrong
inline constexpr std::size_t discord_direct_chats_max = 1'000;     // of people whose direct message's id is remembered
inline constexpr std::size_t discord_buckets_max = 1'000;          // of the platform's counters that are remembered
inline constexpr std::size_t discord_channel_checks_max = 50;      // channels that are looked at when the hub starts
inline constexpr std::chrono::milliseconds discord_reply_max = 1'500ms;  // the platform waits 3 s
inline constexpr std::chrono::milliseconds discord_answer_max = 8s;      // a click hears something by then
inline constexpr std::chrono::milliseconds discord_stop_max = 3s;        // for the last edits at the end
inline constexpr std::chrono::milliseconds discord_replays_kept = 1h;

// How fast it may send. The platform takes 50 calls a second of a bot, and 5 messages in 5 s of a channel.
inline constexpr std::size_t discord_bot_burst = 25;
inline constexpr std::chrono::milliseconds discord_bot_interval = 25ms;
inline constexpr std::size_t discord_channel_burst = 5;
inline constexpr std::chrono::milliseconds discord_channel_interval = 1s;
inline constexpr std::size_t discord_channel_reserve = 2;  // of the burst: notices leave it to cards

// What comes in.
inline constexpr std::size_t discord_token_bytes_max = 1'024;   // of an interaction's token
inline constexpr std::size_t discord_interactions_max = 1'000;  // whose tokens are remembered; the oldest goes
inline constexpr std::size_t discord_in_hand_max = 64;          // interactions of the Gateway at once
inline constexpr std::chrono::milliseconds discord_webhook_max = 2'500ms;  // the last moment for the reply to a webhook
inline constexpr std::chrono::milliseconds discord_respond_max = 2s;       // of a call that answers an interaction
inline constexpr std::chrono::milliseconds discord_overtaking_max = 3s;    // Discord takes no first answer after that
inline constexpr std::chrono::milliseconds discord_overtaking_interval = 250ms;  // between two tries

// The Gateway.
inline constexpr std::size_t discord_frame_bytes_max = 1024 * 1024;  // one that arrives
inline constexpr std::size_t discord_sent_frame_bytes_max = 4'096;   // one that we send: the platform's own
inline constexpr std::size_t discord_sends_burst = 100;              // the platform takes 120 in a minute
inline constexpr std::chrono::milliseconds discord_sends_interval = 600ms;
inline constexpr std::chrono::milliseconds discord_ready_max = 20s;  // from the connection to a session
inline constexpr std::chrono::milliseconds discord_heartbeat_min = 1s;
inline constexpr std::chrono::milliseconds discord_heartbeat_max = 5min;
inline constexpr std::chrono::milliseconds discord_identify_interval = 5s;  // between two sessions: the platform's own
inline constexpr std::chrono::milliseconds discord_reset_max = 24h;         // of the budget of sessions
inline constexpr unsigned discord_resumes_max = 5;  // tries in a row before a new session is begun

}  // namespace countersign::limits
