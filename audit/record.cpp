// SPDX-License-Identifier: Apache-2.0
#include "audit/record.hpp"

#include "audit/note.hpp"
#include "audit/record_head.hpp"
#include "core/decimal.hpp"
#include "core/json/number.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace countersign::audit {
namespace {

static_assert(line_bytes_max == limits::record_bytes_max + 1 + signature_chars);

constexpr std::array<std::string_view, 9> stamp_names{"v",    "seq",    "prevRoot", "synced",  "ts",
                                                      "mono", "bootId", "kind",     "textFile"};

// Placeholders in a draft for the root and the counts.
constexpr std::string_view no_root = R"("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")";
constexpr std::string_view no_count = "0";

Error malformed(std::string why) { return {.code = Errc::malformed, .detail = std::move(why)}; }

std::optional<std::uint64_t> count(const json::Value* value) {
    const auto* number = value == nullptr ? nullptr : value->number();
    return number == nullptr ? std::nullopt : parse_decimal<std::uint64_t>(number->lexeme);
}

Result<void> check_size(std::size_t bytes) {
    if (bytes <= limits::record_bytes_max) return {};
    return Error{Errc::too_large, "a record of " + std::to_string(bytes) + " bytes"};
}

// Whether JSON readers would round a number in this value.
bool rounds(const json::Value& value) {
    if (const auto* number = value.number()) {
        return !json::is_plain_integer(number->lexeme) && json::form_of(number->lexeme).loss.has_value();
    }
    if (const auto* array = value.array()) return std::ranges::any_of(*array, rounds);
    const auto* object = value.object();
    return object != nullptr &&
           std::ranges::any_of(object->members(), [](const auto& member) { return rounds(member.second); });
}

// An entry without arrays and objects is always readable and need not be tried: its numbers do not round.
bool is_flat(const LogEntry& entry) {
    return !entry.kind.empty() && std::ranges::none_of(entry.fields.members(), [](const auto& member) {
        return member.second.array() != nullptr || member.second.object() != nullptr;
    });
}

}  // namespace

Result<Draft> draft_record(const LogEntry& entry, const Stamp& stamp, std::string room) {
    for (const auto& member : entry.fields.members()) {
        if (std::ranges::find(stamp_names, member.first) != stamp_names.end()) {
            return Error{Errc::internal, "a record's own " + member.first + " would hide the log's"};
        }
        if (rounds(member.second)) return malformed("a record's " + member.first + " would be rounded");
    }
    const auto ts = '"' + rfc3339(stamp.ts) + '"';
    const auto mono = std::to_string(stamp.mono.time_since_epoch().count());
    const auto boot_id = json::canonical(stamp.boot_id);
    const auto kind = json::canonical(entry.kind);
    const auto text_file = entry.long_text ? json::canonical(entry.long_text->hash) : std::string{};
    std::array<json::ReadyMember, stamp_names.size()> own{{{"prevRoot", no_root},
                                                           {"seq", no_count},
                                                           {"synced", no_count},
                                                           {"v", "1"},
                                                           {"ts", ts},
                                                           {"mono", mono},
                                                           {"bootId", boot_id},
                                                           {"kind", kind},
                                                           {"textFile", text_file}}};
    const auto used = std::span{own}.first(own.size() - (entry.long_text ? 0 : 1));
    Draft draft{.json = json::canonical(entry.fields, used, std::move(room))};
    draft.prev_root_at = own[0].at;
    draft.seq_at = own[1].at;
    draft.synced_at = own[2].at;
    if (const auto fits = check_size(draft.json.size()); !fits) return fits.error();
    if (is_flat(entry)) return draft;
    if (const auto read_back = read_head(draft.json); !read_back) return read_back.error();
    return draft;
}

Result<void> place_record(const Draft& draft, const Stamp& stamp, std::string& to) {
    static_assert(std::string_view{"prevRoot"} < "seq" && std::string_view{"seq"} < "synced");
    const auto seq = std::to_string(stamp.seq);
    const auto synced = std::to_string(stamp.synced);
    if (const auto fits = check_size(draft.json.size() + seq.size() + synced.size() - 2 * no_count.size()); !fits) {
        return fits.error();
    }
    if (stamp.seq >= limits::log_records_max) return malformed("a seq larger than any log");
    const std::string_view json{draft.json};
    std::size_t done = 0;
    const auto put = [&](std::size_t at, std::string_view value, std::size_t instead_of) {
        to.append(json.substr(done, at - done)).append(value);
        done = at + instead_of;
    };
    put(draft.prev_root_at + 1, security::base64(stamp.prev_root), no_root.size() - 2);
    put(draft.seq_at, seq, no_count.size());
    put(draft.synced_at, synced, no_count.size());
    to.append(json.substr(done));
    return {};
}

Result<std::string> encode_record(const LogEntry& entry, const Stamp& stamp) {
    auto draft = draft_record(entry, stamp);
    if (!draft) return draft.error();
    std::string record;
    if (const auto placed = place_record(*draft, stamp, record); !placed) return placed.error();
    return record;
}

std::string_view Record::text(std::string_view name) const {
    const auto* value = members.find(name);
    const auto* string = value == nullptr ? nullptr : value->string();
    return string == nullptr ? std::string_view{} : std::string_view{*string};
}

std::optional<std::uint64_t> Record::number(std::string_view name) const { return count(members.find(name)); }

Result<Record> parse_record(std::string_view json) {
    if (json.size() > limits::record_bytes_max) return malformed("longer than any record");
    auto document = json::read(json);
    if (!document) return malformed(document.error().detail);
    auto* object = document->value.object();
    // Readers disagree about duplicate names, and the log must say the same to all of them.
    if (object == nullptr || !document->exact()) return malformed("no record");
    const auto version = count(object->find("v"));
    if (!version) return malformed("no record: v is missing");
    if (*version != 1) return Error{Errc::unsupported, "a record of format " + std::to_string(*version)};
    const auto seq = count(object->find("seq"));
    const auto synced = count(object->find("synced"));
    Record record;
    record.members = std::move(*object);
    const auto prev_root = parse_hash(record.text("prevRoot"));
    if (!seq || !synced || !prev_root) return malformed("no record: seq, synced or prevRoot is missing");
    if (*seq >= limits::log_records_max) return malformed("no record: seq is larger than any log");
    record.seq = *seq;
    record.synced = *synced;
    record.prev_root = *prev_root;
    record.kind = record.text("kind");
    if (record.kind.empty() || record.text("ts").empty()) return malformed("no record: kind or ts is missing");
    return record;
}

Result<Line> split_line(std::string_view line) {
    // Canonical JSON has no raw TAB, so the first one ends the record.
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos) return Line{.json = line, .signature = {}};
    const auto signature = line.substr(tab + 1);
    if (signature.size() != signature_chars || !security::base64_decode(signature)) {
        return malformed("what stands behind the record is no signature");
    }
    return Line{.json = line.substr(0, tab), .signature = signature};
}

}  // namespace countersign::audit
