// SPDX-License-Identifier: Apache-2.0
#include "audit/print.hpp"

#include "core/utf8.hpp"
#include "security/display/characters.hpp"
#include "security/display/display.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <vector>

namespace countersign::audit {
namespace {

std::string shown(std::string_view text) { return security::display(text, security::DisplayMode::line); }

std::string number(const Record& record, std::string_view name) {
    const auto* value = record.members.find(name);
    const auto* lexeme = value == nullptr ? nullptr : value->number();
    return lexeme == nullptr ? std::string{} : shown(lexeme->lexeme);
}

bool flag(const Record& record, std::string_view name) {
    const auto* value = record.members.find(name);
    return value != nullptr && value->boolean() != nullptr && *value->boolean();
}

// The channel in a message ref; the rest means nothing to a person.
std::string channel_of(std::string_view ref) { return shown(ref.substr(0, ref.find('/'))); }

std::string seconds(const std::string& milliseconds) {
    double count = 0;
    const auto* end = milliseconds.data() + milliseconds.size();
    if (std::from_chars(milliseconds.data(), end, count).ec != std::errc{} || milliseconds.empty()) return {};
    char text[64];
    const int length = std::snprintf(text, sizeof text, "%.1f s", count / 1000);
    return {text, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof text) - 1))};
}

std::string labelled(std::string_view label, const std::string& text) {
    return text.empty() ? std::string{} : std::string{label} + " " + text;
}

// The columns of the line; a missing field gives an empty one.
std::vector<std::string> parts_of(const Record& record) {
    const auto text = [&](std::string_view name) { return shown(record.text(name)); };
    std::string who = labelled("by", text("decidedBy"));
    if (who.empty()) who = labelled("by", text("person"));
    if (who.empty()) who = labelled("by", text("principal"));
    if (who.empty()) who = labelled("by", text("grantedBy"));
    if (const auto via = labelled("via", text("channel")); !via.empty()) who += who.empty() ? via : " " + via;
    const bool calls = record.kind == "request" || record.kind == "unasked";
    auto agent = calls ? labelled("from", text("agentId")) : std::string{};
    if (record.kind == "halt") agent = text("agentId") + labelled(" session", text("sessionKey"));
    return {text("decision"),
            text("outcome"),
            text("action"),
            labelled("of", text("target")),
            labelled("grant", record.kind == "revoke" ? text("grantId") : std::string{}),
            text("toolName"),
            agent,
            record.kind == "request" ? text("risk") : std::string{},
            who,
            seconds(number(record, "decisionLatencyMs")),
            labelled("on", channel_of(record.text("ref"))),
            text("summary"),
            flag(record, "failed") ? "failed" : std::string{},
            text("reason"),
            text("why"),
            text("detail"),
            labelled("witness", text("witness")),
            labelled("at size", number(record, "size")),
            labelled("refused:", text("refused")),
            text("version"),
            text("isolation"),
            labelled("removed bytes:", number(record, "removedBytes")),
            labelled("decision", number(record, "decisionSeq")),
            text("requestId")};
}

void append_unit(std::string& out, char32_t unit) {
    char text[8];
    const int length = std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(unit));
    out.append(text, static_cast<std::size_t>(length));
}

// As JSON escapes it: above U+FFFF as a surrogate pair.
void append_escaped(std::string& out, char32_t code) {
    if (code < 0x10000) return append_unit(out, code);
    append_unit(out, 0xD800 + ((code - 0x10000) >> 10U));
    append_unit(out, 0xDC00 + ((code - 0x10000) & 0x3FFU));
}

}  // namespace

std::string print(const Record& record) {
    const auto ts = record.text("ts");
    return print(record, ts.size() == 24 ? std::string{ts.substr(0, 19)} + "Z" : std::string{ts});
}

std::string print(const Record& record, std::string_view time) {
    std::string line = std::to_string(record.seq) + "  " + shown(time) + "  " + shown(record.kind);
    for (const auto& part : parts_of(record)) {
        if (!part.empty()) line += "  " + part;
    }
    return line;
}

// Canonical JSON is UTF-8 and has such characters only inside strings.
std::string print_json(std::string_view json) {
    std::string out;
    while (!json.empty()) {
        const auto code = utf8::decode(json);
        const auto length = code ? code->length : 1;
        if (code && security::hidden(code->value)) {
            append_escaped(out, code->value);
        } else {
            out.append(json.substr(0, length));
        }
        json.remove_prefix(length);
    }
    return out;
}

}  // namespace countersign::audit
