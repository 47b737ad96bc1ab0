// SPDX-License-Identifier: Apache-2.0
// One record of the log, as bytes and as a value, and the line that carries it. audit/FORMAT.md describes the format.
#pragma once

#include "audit/merkle.hpp"
#include "core/json/value.hpp"
#include "core/ports/ledger.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::audit {

// What the log adds to an entry.
struct Stamp {
    std::uint64_t seq = 0;
    Hash prev_root{};          // of the tree of the `seq` records before this one
    std::uint64_t synced = 0;  // how many records were known to be on disk when this one was made
    WallTime ts{};
    BootTime mono{};
    std::string boot_id{};
};

// A record without its place in the log.
struct Draft {
    std::string json;              // complete, but seq and synced are 0 and prevRoot is all zeros
    std::size_t prev_root_at = 0;  // offsets of these placeholders
    std::size_t seq_at = 0;
    std::size_t synced_at = 0;
};

// The RFC 8785 bytes, which are the leaf. parse_record can read every result: a record that we could write but not read
// would stop the next start. Errc::internal if the entry uses a field name of the stamp. Errc::too_large past
// record_bytes_max. Errc::malformed if the record could not be read again, e.g. with arrays nested deeper than
// json_depth_max, or if it contains a number that JSON readers would round, e.g. an integer above 2^53. In text,
// invalid UTF-8 becomes U+FFFD.
[[nodiscard]] Result<std::string> encode_record(const LogEntry& entry, const Stamp& stamp);

// The same in two steps, because most of the work does not depend on the previous record. draft_record uses the stamp's
// times and boot id, and memory to reuse. place_record uses the rest of the stamp and appends the record. It only reads
// the draft, which another thread may have made: memory that both threads write would move between their processors.
[[nodiscard]] Result<Draft> draft_record(const LogEntry& entry, const Stamp& stamp, std::string room = {});
[[nodiscard]] Result<void> place_record(const Draft& draft, const Stamp& stamp, std::string& to);

inline constexpr std::string_view key_kind = "key";        // the only kind that changes how later records are verified
inline constexpr std::string_view anchor_kind = "anchor";  // what chats and witnesses have seen

struct Record {
    std::uint64_t seq = 0;
    Hash prev_root{};
    std::uint64_t synced = 0;
    std::string kind;
    json::Object members;  // all members

    // The string with this name, or an empty one.
    [[nodiscard]] std::string_view text(std::string_view name) const;
    // The non-negative integer with this name, if there is one.
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name) const;
};

// Errc::malformed if it is not a record, Errc::unsupported if its format is newer.
[[nodiscard]] Result<Record> parse_record(std::string_view json);

// <record> or <record> TAB <signature>; the LF is not part of it.
struct Line {
    std::string_view json;
    std::string_view signature;  // only on the last line of a batch
};
[[nodiscard]] Result<Line> split_line(std::string_view line);
inline constexpr std::size_t line_bytes_max = 65'535 + 1 + 92;

}  // namespace countersign::audit
