// SPDX-License-Identifier: Apache-2.0
// Every bound of the program. Each has a test that crosses it by one.
//
// The bounds of the approval event come from its own definition. The others are ours; they may be raised, but not
// removed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace countersign::limits {

using namespace std::chrono_literals;

// JSON from an agent.
inline constexpr std::size_t json_depth_max = 64;
inline constexpr std::size_t json_bytes_max = 1024 * 1024;
inline constexpr std::size_t agent_line_bytes_max = 1024 * 1024;
inline constexpr std::size_t agent_long_line_bytes_max =
    16 * 1024 * 1024;                                               // kept to identify the line; its content isn't read
inline constexpr std::size_t agent_line_head_bytes_max = 4 * 1024;  // how much is kept of a line that is too long
inline constexpr std::size_t native_id_bytes_max = 256;             // an agent's own id for one request
inline constexpr std::size_t tool_uses_kept_max = 1'024;  // calls seen in an agent's stream that haven't finished
inline constexpr std::size_t prompt_bytes_max = 512 * 1024;
inline constexpr std::size_t prompts_waiting_max = 64;

// The approval event.
inline constexpr std::size_t approval_id_chars = 26;
inline constexpr std::size_t option_id_bytes_max = 32;
inline constexpr std::size_t option_label_chars_max = 20;
inline constexpr std::size_t option_detail_bytes_max = 1024;
inline constexpr std::size_t native_decision_bytes_max = 4096;
inline constexpr std::size_t options_max = 16;
inline constexpr std::size_t tool_name_bytes_max = 256;
inline constexpr std::size_t tool_id_bytes_max = 256;
inline constexpr std::size_t agent_id_bytes_max = 64;
inline constexpr std::size_t session_key_bytes_max = 256;
inline constexpr std::size_t cwd_bytes_max = 4096;
inline constexpr std::size_t argv_max = 4096;
inline constexpr std::size_t untrusted_reason_bytes_max = 4096;
inline constexpr std::size_t authorized_senders_max = 256;
inline constexpr std::size_t principal_bytes_max = 128;
inline constexpr std::chrono::milliseconds request_timeout_max = 7 * 24h;

// Questions.
inline constexpr std::size_t questions_max = 8;
inline constexpr std::size_t question_id_bytes_max = 64;
inline constexpr std::size_t question_text_bytes_max = 4096;
inline constexpr std::size_t choices_max = 16;
inline constexpr std::size_t choice_label_bytes_max = 256;
inline constexpr std::size_t answer_text_bytes_max = 16 * 1024;

// What people see and type.
inline constexpr std::size_t display_text_bytes_max = 256 * 1024;  // above it: only size and hash, no Allow
inline constexpr std::size_t redact_bytes_max = 256 * 1024;
inline constexpr std::size_t diff_cells_max = 1'000'000;  // old lines times new lines; above it there's no alignment
inline constexpr std::size_t redact_value_bytes_max = 8 * 1024;  // how far a quoted value is scanned for its end
inline constexpr std::size_t redact_rereads_max = 16;  // per byte, on average, in search of the ends of values
inline constexpr std::size_t redact_passes_max = 6;    // text that still changes after that many passes is withheld
inline constexpr std::size_t redact_regex_memory_max = 1 << 20;  // for each pattern's automata
inline constexpr std::size_t known_secret_bytes_min = 6;         // a shorter one would mask ordinary words
inline constexpr std::size_t combining_marks_max = 4;            // on one letter; further ones are escaped
inline constexpr std::size_t reason_bytes_max = 1024;
inline constexpr std::uint8_t button_index_max = 31;  // for option, question and generation: one Crockford digit each

// The hub.
inline constexpr std::size_t pending_requests_max = 10'000;
inline constexpr std::size_t pending_per_agent_max = 1'000;
inline constexpr std::size_t rpc_requests_open_max = 1'000;  // a JSON-RPC peer's requests without an answer
inline constexpr std::size_t rpc_calls_open_max = 64;        // our calls to one peer
inline constexpr std::size_t rpc_id_bytes_max = 256;
inline constexpr std::size_t rpc_method_bytes_max = 256;
inline constexpr std::size_t agent_asks_max = 64;          // on their way to the hub; above it no more lines are read
inline constexpr std::size_t concluded_kept_max = 10'000;  // ended requests, to answer late clicks
inline constexpr std::size_t chat_drafts_max = 1'000;      // unfinished answers; the oldest is deleted
inline constexpr std::size_t left_shown_max = 10'000;      // messages of an earlier process that still show buttons
inline constexpr std::size_t grants_max = 10'000;
inline constexpr std::uint32_t grant_uses_max = 1'000;
inline constexpr std::chrono::hours grant_age_max = 24h * 30;
inline constexpr std::size_t listeners_max = 1'024;
inline constexpr std::size_t deliveries_per_request_max = 64;
inline constexpr std::uint32_t quorum_max = 16;

// Freshness (I5, I16).
inline constexpr std::chrono::seconds signature_age_max = 300s;
inline constexpr std::chrono::seconds allow_age_max = 300s;
inline constexpr std::chrono::seconds polling_gap_max = 120s;
inline constexpr std::size_t replay_entries_max = 65'536;
inline constexpr std::size_t edited_input_bytes_max = 64 * 1024;  // what a person sends instead of the agent's input
inline constexpr std::size_t delivery_id_bytes_max = 256;         // a platform's id for one delivery

// The log.
inline constexpr std::size_t record_bytes_max = 65'535;
inline constexpr std::size_t record_display_bytes_max =
    32 * 1024;  // as JSON; longer text goes to a file next to the log
inline constexpr std::size_t record_text_bytes_max =
    8 * 1024 * 1024;  // of such a file: any text that is shown, with our titles and indents, and any configuration
inline constexpr std::size_t record_summary_bytes_max = 120;        // the call in one line, for lists
inline constexpr std::size_t unasked_text_bytes_max = 2 * 1024;     // the arguments of a call made without asking
inline constexpr std::size_t record_deciders_bytes_max = 8 * 1024;  // a longer list is only counted
inline constexpr std::size_t log_queue_records_max = 4'096;
inline constexpr std::size_t log_queue_terminals_max = pending_requests_max;  // extra: each open request can end
inline constexpr std::size_t log_batch_bytes_max = 1024 * 1024;               // written with one sync
inline constexpr std::size_t log_batch_texts_max = 16;  // each is a file with syncs of its own, within log_sync_max
inline constexpr std::size_t segment_bytes = 8 * 1024 * 1024;
inline constexpr std::size_t segment_file_bytes_max = 2 * segment_bytes;  // we never write a larger file
inline constexpr std::size_t audit_reason_bytes_max = 1000;               // a person's reason, in the log
inline constexpr std::size_t checkpoint_batches_max = 64;                 // between two checkpoint files
inline constexpr std::chrono::milliseconds checkpoint_pause = 1s;         // between two, even after many batches
inline constexpr std::chrono::seconds log_sync_max = 5s;
inline constexpr std::chrono::microseconds log_awake_max = 500us;  // the event loop spins for the disk's answer
inline constexpr std::chrono::microseconds log_stir_max = 300us;   // the writer thread spins for expected records
inline constexpr std::chrono::milliseconds log_linger_max = 5ms;  // how long a record that no caller waits for may wait
inline constexpr std::chrono::milliseconds log_retry = 1s;        // for a record that must be written but didn't fit
inline constexpr std::chrono::milliseconds log_retry_max = 1min;  // for a halt: each try waits twice as long
inline constexpr std::size_t handled_deliveries_max = 10'000;     // recognised after a restart
inline constexpr std::chrono::milliseconds audit_follow_interval = 250ms;
inline constexpr std::size_t refused_records_per_minute_max = 60;
// The number of dropped records is logged after this time if no other record follows.
inline constexpr std::chrono::milliseconds left_out_told_max = 1min;
inline constexpr std::size_t origin_bytes_max = 255;           // of a log's name
inline constexpr std::size_t note_signatures_max = 100;        // per note, the same as in Go's reader
inline constexpr std::size_t log_keys_max = 64;                // keys of one log, one after the other
inline constexpr std::uint64_t verify_every_segments_max = 4;  // longer logs: only each segment's last signature
inline constexpr std::size_t anchors_max = 10'000;             // in one file
inline constexpr std::size_t anchor_root_chars_min = 16;       // 64 bits: fewer could be matched by brute force
inline constexpr std::size_t anchor_root_chars_shown = 16;     // of a root in a message: enough to use it as an anchor
inline constexpr std::uint64_t log_records_max = 1ULL << 53;   // a double represents every such number exactly
inline constexpr std::size_t unconfirmed_batches_max = 4'096;  // batches whose signature no later record has mentioned
inline constexpr std::size_t proof_hashes_max = 63;            // from c2sp.org/tlog-witness: enough for 2^63 records

// Checkpoints that are kept elsewhere: in chats and by witnesses.
inline constexpr std::size_t log_anchors_max = 16;    // chats that get checkpoints
inline constexpr std::size_t log_witnesses_max = 16;  // witnesses that we ask
inline constexpr std::chrono::milliseconds anchor_every_min = 1min;
inline constexpr std::chrono::milliseconds anchor_every_default = 1h;
inline constexpr std::chrono::milliseconds witness_every_default = 15min;
inline constexpr std::uint64_t anchor_records_default = 1'000;
inline constexpr std::uint64_t anchor_records_max = 1'000'000'000;
inline constexpr std::size_t announcements_max = 64;          // the hub's announcements that no platform has confirmed
inline constexpr std::size_t announcement_bytes_max = 1'600;  // fits one message on every platform, even SMS
inline constexpr std::size_t witness_answer_bytes_max = 16 * 1024;
inline constexpr std::chrono::milliseconds witness_call_max = 20s;
inline constexpr std::chrono::milliseconds last_checkpoint_max = 5s;  // for all witnesses together, when the hub stops
inline constexpr std::chrono::seconds witness_clock_off_max = 10min;  // between its clock and ours
inline constexpr std::size_t cosigned_note_bytes_max = 32 * 1024;     // a checkpoint and a witness's answer
inline constexpr std::chrono::milliseconds anchoring_stop_max = 3s;   // to wait for a disk read when the hub stops

// The witness.
inline constexpr std::size_t witness_logs_max = 256;                 // that one witness serves
inline constexpr std::size_t witness_request_bytes_max = 64 * 1024;  // 63 hashes and a checkpoint with 100 signatures

// Reviewing the log.
inline constexpr std::size_t review_index_records_min = 20'000;   // a shorter log is read as fast as its index
inline constexpr std::size_t review_index_records_step = 10'000;  // new records before the index is written again
inline constexpr std::size_t review_index_bytes_max = 1024 * 1024 * 1024;  // for about ten million records
inline constexpr std::size_t review_text_bytes_max = 256;     // of a name in the index: no hub writes longer ones
inline constexpr std::size_t review_set_parts_max = 64;       // channels or voters of one request; then "…"
inline constexpr std::size_t review_id_chars_min = 4;         // of a part of an id to search for
inline constexpr std::size_t review_listed_max = 10;          // requests that match such a part
inline constexpr std::chrono::minutes review_pause_min{1};    // a shorter time without a record isn't stored
inline constexpr std::chrono::minutes review_late_max{1};     // how late a heartbeat may be; later counts as silence
inline constexpr std::size_t review_silences_shown_max = 10;  // the longest; the others are counted
inline constexpr std::size_t review_days_shown_max = 31;      // in a chart; the others are counted

// Children and processes.
inline constexpr std::size_t child_stderr_bytes_max = 64 * 1024;
inline constexpr std::size_t agent_outgoing_bytes_max = 4 * 1024 * 1024;  // queued for a child that doesn't read
inline constexpr std::chrono::seconds agent_write_max = 10s;
inline constexpr std::chrono::seconds child_stop_max = 3s;
inline constexpr std::chrono::seconds child_drain_max = 1s;  // for its pipes, after it has exited

// Outgoing calls.
inline constexpr std::size_t http_url_bytes_max = 8 * 1024;
inline constexpr std::size_t http_request_headers_max = 64;
inline constexpr std::size_t http_request_header_bytes_max = 16 * 1024;      // of one header: name and value
inline constexpr std::size_t http_request_body_bytes_max = 4 * 1024 * 1024;  // or of all parts of a form
inline constexpr std::size_t http_form_parts_max = 16;
inline constexpr std::size_t http_answer_body_bytes_max = 8 * 1024 * 1024;  // a full batch of updates, all escaped
inline constexpr std::size_t http_answer_headers_max = 128;
inline constexpr std::size_t http_answer_head_bytes_max = 64 * 1024;
inline constexpr std::size_t http_transfers_max = 256;   // at once; one more is refused as busy
inline constexpr std::size_t http_connections_max = 64;  // at once; further transfers wait for one
inline constexpr std::chrono::milliseconds http_connect_max = 10s;
inline constexpr std::chrono::milliseconds http_deadline_default = 30s;
inline constexpr std::chrono::milliseconds http_deadline_max = 2min;  // a long poll takes less than a minute
inline constexpr std::chrono::seconds http_retry_after_max = 1h;      // a longer value is cut to this

// Streams of messages: lines on sockets and pipes, WebSocket, server-sent events.
inline constexpr std::size_t stream_message_bytes_max = agent_long_line_bytes_max;  // of an incoming message
inline constexpr std::size_t stream_outgoing_bytes_max = 4 * 1024 * 1024;  // queued for a peer that doesn't read
inline constexpr std::chrono::milliseconds stream_connect_max = 10s;
inline constexpr std::chrono::milliseconds stream_write_max = 10s;
inline constexpr std::chrono::milliseconds websocket_handshake_max = 10s;
inline constexpr std::chrono::milliseconds websocket_ping_after = 20s;  // without a byte from the peer
inline constexpr std::chrono::milliseconds websocket_pong_max = 10s;    // to wait for any byte after our ping
inline constexpr std::chrono::milliseconds websocket_close_max = 3s;    // to wait for the peer's close frame after ours
inline constexpr std::size_t websocket_control_bytes_max = 125;         // RFC 6455, 5.5
inline constexpr std::size_t sse_line_bytes_max = json_bytes_max;
inline constexpr std::size_t sse_event_bytes_max = 4 * 1024 * 1024;  // the data of one event
inline constexpr std::size_t sse_id_bytes_max = 1024;              // a longer id is ignored, so the previous one stays
inline constexpr std::size_t sse_unread_bytes_max = 256 * 1024;    // above it the peer must wait
inline constexpr std::chrono::milliseconds sse_silence_max = 30s;  // OpenCode sends a heartbeat every 10 s
inline constexpr std::chrono::milliseconds sse_retry_first = 500ms;  // between two connections
inline constexpr std::chrono::milliseconds sse_retry_max = 30s;      // also if the server asks for longer

// Sidecars: agents that use another process's hub.
inline constexpr std::size_t sidecar_line_bytes_max = json_bytes_max;  // one message on the hub's local socket
inline constexpr std::chrono::milliseconds sidecar_verdict_max = 10s;  // later it isn't given to the agent
inline constexpr std::size_t sidecar_outgoing_bytes_max = 4 * 1024 * 1024;
inline constexpr int sidecars_max = 256;
inline constexpr std::chrono::milliseconds sidecar_join_max = 5s;           // to wait for the hub's welcome
inline constexpr std::chrono::milliseconds sidecars_look_interval = 500ms;  // between two checks whether any are left
inline constexpr std::chrono::milliseconds sidecar_accept_pause = 100ms;    // after accept failed
inline constexpr std::chrono::milliseconds sidecar_retry_first = 100ms;     // between two attempts to find a hub
inline constexpr std::chrono::milliseconds sidecar_retry_max = 2s;
inline constexpr std::chrono::milliseconds sidecar_flush_max = 1s;  // to send what is queued before closing
inline constexpr std::size_t sidecar_open_max = 1'000;  // requests that wait in one sidecar

// Configuration and secrets.
inline constexpr std::chrono::minutes pairing_max = 10min;  // lifetime of a code that pairs a person
inline constexpr std::chrono::seconds pairing_poll_max = 40s;
inline constexpr std::chrono::seconds pairing_retry = 2s;
inline constexpr std::size_t paired_groups_max = 64;
inline constexpr std::size_t pairing_replies_max = 20;  // to people who don't have the code
inline constexpr std::size_t setup_tries_max = 3;       // for one answer

inline constexpr std::size_t config_bytes_max = 1024 * 1024;
inline constexpr std::size_t command_input_bytes_max = 16 * 1024 * 1024;  // that a check command reads
inline constexpr std::size_t config_problems_max = 50;                    // shown at once
inline constexpr std::size_t config_depth_max = 16;                       // nested values
inline constexpr std::size_t config_line_dots_max = 64;     // bounds a dotted key, because the TOML library doesn't
inline constexpr std::size_t config_text_bytes_max = 1024;  // of one string
inline constexpr std::size_t config_name_bytes_max = 64;    // of a person, group, channel, route or rule
inline constexpr std::size_t channels_max = 256;
inline constexpr std::size_t groups_max = 1'000;
inline constexpr std::size_t group_commands_max = 16;
inline constexpr std::size_t group_command_argv_max = 64;
inline constexpr std::size_t group_command_bytes_max = 64 * 1024;  // of its output
inline constexpr std::chrono::milliseconds group_command_max = 5s;
inline constexpr std::size_t rules_max = 10'000;  // policy rules, and risk rules
inline constexpr std::size_t people_max = 10'000;
inline constexpr std::size_t routes_max = 1'000;
inline constexpr std::size_t steps_max = 16;
inline constexpr std::size_t secret_bytes_max = 64 * 1024;
inline constexpr std::size_t secret_bytes_min = 16;
inline constexpr std::size_t webhook_body_bytes_max = 1024 * 1024;  // a click contains its message, all escaped
inline constexpr std::size_t form_fields_max = 256;                 // in a form body or a query

// The HTTP front.
inline constexpr std::size_t gateway_connections_max = 1'024;  // one more evicts a stranger's connection
inline constexpr std::size_t descriptors_reserved = 512;       // for the log, agents, sidecars and outgoing calls
inline constexpr std::size_t gateway_connections_per_client_max = 128;  // behind a trusted proxy: per client
inline constexpr int gateway_backlog_max = 256;                         // connections not accepted yet
inline constexpr std::size_t gateway_requests_per_connection_max = 1'000;
inline constexpr std::size_t gateway_target_bytes_max = 2 * 1024;
inline constexpr std::size_t gateway_head_bytes_max = 16 * 1024;  // request line and headers
inline constexpr std::size_t gateway_headers_max = 64;
inline constexpr std::size_t gateway_chunk_digits_max = 8;          // of a chunk's size, with leading zeros
inline constexpr std::size_t gateway_read_bytes = 16 * 1024;        // per read, which also bounds pipelined requests
inline constexpr std::size_t gateway_reply_bytes_max = 256 * 1024;  // what a channel may reply
inline constexpr std::chrono::milliseconds gateway_idle_max = 75s;  // between two requests
inline constexpr std::chrono::milliseconds gateway_head_max = 10s;  // for the handshake; then for a whole head
inline constexpr std::chrono::milliseconds gateway_body_max = 20s;
inline constexpr std::chrono::milliseconds gateway_write_max = 10s;
inline constexpr std::chrono::milliseconds gateway_linger_max = 1s;  // for a peer that still sends after its answer
inline constexpr std::size_t gateway_linger_bytes_max = 1024 * 1024;
inline constexpr std::chrono::milliseconds gateway_handle_max = 10s;  // then it is acknowledged without the result
inline constexpr std::size_t gateway_handles_max = 256;  // deliveries being handled, including those already answered
inline constexpr std::chrono::milliseconds gateway_drain_max = 15s;       // more than gateway_handle_max
inline constexpr std::chrono::milliseconds gateway_accept_pause = 100ms;  // when no file descriptor is left
inline constexpr std::size_t gateway_refusals_per_minute_max = 20;        // 401 and 403 of one client; then 429
inline constexpr std::size_t gateway_refused_clients_max = 4'096;         // remembered for that
inline constexpr std::size_t gateway_routes_max = 512;
inline constexpr std::size_t gateway_certificate_bytes_max = 64 * 1024;
inline constexpr std::size_t gateway_unready_reasons_max = 32;
inline constexpr std::size_t gateway_unready_reason_bytes_max = 256;

// The terminal.
inline constexpr std::chrono::milliseconds terminal_dwell = 300ms;       // no decision so soon after a card appears
inline constexpr std::chrono::milliseconds terminal_escape_wait = 50ms;  // tells a lone Esc from a sequence
inline constexpr std::size_t terminal_sequence_bytes_max = 32;           // one escape sequence of a key
inline constexpr std::size_t terminal_paste_bytes_max = 16 * 1024;
inline constexpr std::size_t terminal_line_bytes_max = 32 * 1024;  // one line of plain input
inline constexpr std::size_t terminal_waiting_max = 1'000;         // cards queued on one terminal
inline constexpr std::size_t terminal_outgoing_bytes_max = 4 * 1024 * 1024;

// Chat channels on every platform: what waits to be sent, what is shown, and what people type.
inline constexpr std::size_t outbox_letters_max = 100'000;       // per urgency; one more is refused as busy
inline constexpr std::size_t outbox_in_flight_max = 32;          // at once, in all chats of a channel
inline constexpr std::size_t outbox_in_flight_others_max = 24;   // of those, not cards: they may hang for long
inline constexpr std::size_t outbox_approvals_in_a_row_max = 4;  // then another kind of message that waits is sent
inline constexpr std::chrono::milliseconds outbox_backoff_first = 1s;
inline constexpr std::chrono::milliseconds outbox_backoff_max = 60s;
inline constexpr std::chrono::milliseconds webhook_look_open =
    10s;  // between two status queries to Telegram while cards are open
inline constexpr std::chrono::milliseconds webhook_look_idle = 60s;
inline constexpr std::chrono::milliseconds outbox_card_max = 2min;       // then the route takes its next step
inline constexpr std::chrono::milliseconds outbox_conclusion_max = 24h;  // buttons go even after a night offline
inline constexpr std::chrono::milliseconds outbox_other_max = 1h;        // other edits and replies
inline constexpr std::size_t command_bytes_max = 16 * 1024;              // a longer text isn't a command
inline constexpr std::size_t chat_cards_max = 10'000;                    // open at once; and as many that have ended
inline constexpr std::size_t chat_doubles_max = 8;         // per card, sent twice because the answer was lost
inline constexpr std::size_t reason_prompts_max = 16;      // per card; above it the oldest is forgotten
inline constexpr std::size_t chat_ended_kept_max = 1'000;  // ended ids, to answer people who type a code too late
inline constexpr std::size_t chat_moved_max = 1'000;       // groups that became supergroups, in memory and on disk
inline constexpr std::size_t chat_replies_max = 100;       // waiting; a text above that gets no reply
inline constexpr std::size_t chat_listed_max = 10;         // requests in one reply

// Messages that were given up.
inline constexpr std::size_t dead_letters_kept_max = 1'000;  // for `countersign outbox`
inline constexpr std::size_t outbox_listed_max = 100;        // chats, and dead letters, in one answer to it
inline constexpr std::size_t metrics_bytes_max = 64 * 1024;

// A restart: requests that were open and whose agents may still wait.
inline constexpr std::chrono::milliseconds orphan_wait_max = 60s;  // for the agent to submit the request again
inline constexpr std::size_t orphans_max = 10'000;

// Audience and reminders.
inline constexpr std::size_t mentions_max = 10;
inline constexpr std::chrono::milliseconds reminder_first = 10min;  // if the route doesn't set it
inline constexpr std::chrono::milliseconds reminder_interval_min = 1min;
inline constexpr std::chrono::milliseconds reminder_interval_max = 2h;  // each wait is twice as long as the one before
inline constexpr std::size_t reminders_max = 12;                        // per request
inline constexpr std::size_t fatigue_denials_max = 3;                   // per session; then its requests wait
inline constexpr std::chrono::milliseconds fatigue_window = 10min;
inline constexpr std::size_t fatigue_sessions_max = 1'000;
// Requests that one card covers. Each change of their number gets its own set of buttons, and a button can tell only
// button_index_max + 1 sets apart.
inline constexpr std::size_t shared_requests_max = 32;
inline constexpr std::size_t session_threads_max = 1'000;

// What people may do by typing.
inline constexpr std::size_t halts_max = 1'000;               // agents and sessions at once
inline constexpr std::size_t sessions_per_runtime_max = 256;  // the latest askers, searched for a session's name
inline constexpr std::size_t wrong_codes_max = 5;             // per person; then their codes are refused for a while
inline constexpr std::chrono::milliseconds wrong_codes_window = 10min;
inline constexpr std::chrono::milliseconds wrong_codes_lock = 15min;
inline constexpr std::size_t wrong_codes_people_max = 1'000;  // remembered for that

// The card.
inline constexpr std::size_t catalogue_args_max = 8;
inline constexpr std::size_t workplace_file_bytes_max = 64 * 1024;
inline constexpr std::size_t workplace_text_bytes_max = 128;
inline constexpr std::size_t workplace_depth_max = 64;   // directories, from the call's upwards
inline constexpr std::size_t suspect_hosts_max = 4;      // per call that are named; one more isn't
inline constexpr std::size_t host_label_chars_max = 63;  // of a label in a host name, as in DNS

// Reading an agent's files, on separate threads.
inline constexpr std::size_t file_look_threads_max = 2;
inline constexpr std::size_t file_looks_waiting_max = 16;
inline constexpr std::chrono::milliseconds file_look_max = 2s;  // then the call is judged without looking at its files

// Webhooks and reload.
inline constexpr std::size_t webhook_secrets_max = 2;  // the current one and the previous one
inline constexpr std::chrono::hours secret_overlap_max{30 * 24};
inline constexpr std::size_t gateway_requests_per_second_max = 50;  // per client
inline constexpr std::size_t gateway_requests_burst_max = 200;
inline constexpr std::size_t gateway_rated_clients_max = 4'096;
inline constexpr std::chrono::milliseconds reload_interval_min = 1s;

}  // namespace countersign::limits
