// SPDX-License-Identifier: Apache-2.0
// [log]: its name, and which chats and witnesses see its checkpoints.
#include "config/nearest.hpp"
#include "config/sections.hpp"
#include "core/channel_kind.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign::config {

namespace {

// C2SP signed notes end a name at the first space and put a plus before the key hash.
bool is_origin(std::string_view text) {
    return text.size() <= limits::origin_bytes_max &&
           std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c < 0x7F && c != '+'; });
}

AnchorRhythm read_rhythm(Fields& fields, std::chrono::milliseconds every) {
    const auto records = fields.integer("records", 1, static_cast<std::int64_t>(limits::anchor_records_max));
    return {.every = fields.duration("every", limits::anchor_every_min).value_or(every),
            .records = records ? static_cast<std::uint64_t>(*records) : limits::anchor_records_default};
}

AnchorConfig read_anchor(Fields& fields, const Configuration& configuration) {
    AnchorConfig anchor;
    const auto* kind = read_channel_name(fields, configuration, anchor.channel, "an anchor");
    anchor.chat = read_chat(fields);
    anchor.rhythm = read_rhythm(fields, limits::anchor_every_default);
    if (kind == nullptr) return anchor;
    const auto name = std::string{kind->name};
    if (kind->placing != Placing::chat_or_people) {
        fields.reject("channel", "a " + name + " has no chats, and keeps nothing that others see",
                      "name a channel with chats");
    } else if (fields.node("chat") == nullptr) {
        fields.reject("chat", "an anchor needs a chat", "write chat = \"…\", a chat whose members keep it");
    } else {
        check_chat(fields, *kind, anchor.chat);
    }
    return anchor;
}

std::string read_base_url(Fields& fields) {
    auto url = fields.text("url", "\"https://witness.example\"").value_or("");
    if (url.empty()) {
        if (fields.node("url") == nullptr) {
            fields.reject("url", "a witness needs its address", "write url = \"https://witness.example\"");
        }
        return url;
    }
    if (!is_web_address(url) || url.find_first_of("?#") != std::string::npos) {
        fields.reject("url", "this is no https address",
                      "write url = \"https://…\", without add-checkpoint; http only to 127.0.0.1, ::1 or localhost");
    }
    while (url.ends_with('/')) url.pop_back();
    return url;
}

WitnessConfig read_witness(Fields& fields, const Known& known) {
    WitnessConfig witness{.url = read_base_url(fields), .vkey = {}, .rhythm = {}};
    if (auto vkey = fields.text("vkey", "\"witness.example/w1+1a2b3c4d+base64\"")) {
        if (auto flaw = known.witness_key_flaw(*vkey); !flaw.empty()) {
            fields.reject("vkey", std::move(flaw), "write the line that `countersign witness` prints at its start");
        }
        witness.vkey = std::move(*vkey);
    } else if (fields.node("vkey") == nullptr) {
        fields.reject("vkey", "a witness needs its key",
                      "write the line that `countersign witness` prints at its start");
    }
    witness.rhythm = read_rhythm(fields, limits::witness_every_default);
    return witness;
}

// The witness's name, which identifies it in records and names its file next to the log.
std::string_view name_in(std::string_view vkey) { return vkey.substr(0, vkey.find('+')); }

void read_anchors(Fields& log, Configuration& configuration) {
    for (const auto& row : rows(log, "anchors", limits::log_anchors_max)) {
        Fields fields{*row.node, row.path, log.problems()};
        auto anchor = read_anchor(fields, configuration);
        const auto same = [&](const AnchorConfig& other) {
            return other.channel == anchor.channel && other.chat == anchor.chat && !anchor.chat.empty();
        };
        if (std::ranges::any_of(configuration.log_anchors, same)) {
            fields.reject("chat", "this chat is named above", "leave one of the two out");
        }
        configuration.log_anchors.push_back(std::move(anchor));
        fields.finish();
    }
}

void read_witnesses(Fields& log, Configuration& configuration, const Known& known) {
    for (const auto& row : rows(log, "witnesses", limits::log_witnesses_max)) {
        Fields fields{*row.node, row.path, log.problems()};
        auto witness = read_witness(fields, known);
        const auto same = [&](const WitnessConfig& other) {
            return !witness.vkey.empty() && name_in(other.vkey) == name_in(witness.vkey);
        };
        if (std::ranges::any_of(configuration.log_witnesses, same)) {
            fields.reject("vkey", "a witness of this name is named above", "leave one of the two out");
        }
        configuration.log_witnesses.push_back(std::move(witness));
        fields.finish();
    }
}

}  // namespace

void read_log(Fields& root, Configuration& configuration, const Known& known) {
    const auto* node = root.node("log");
    if (node == nullptr) return;
    Fields fields{*node, "log", root.problems()};
    if (auto origin = fields.text("origin", "\"approvals.example.org\"")) {
        if (!is_origin(*origin)) {
            fields.reject("origin", "an origin is up to 255 printable ASCII characters without space and plus",
                          "write origin = \"approvals.example.org\"");
        }
        configuration.log_origin = std::move(*origin);
    }
    read_anchors(fields, configuration);
    read_witnesses(fields, configuration, known);
    fields.finish();
}

}  // namespace countersign::config
