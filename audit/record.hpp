// SPDX-License-Identifier: Apache-2.0
// One record of the log, as bytes and as a value, and the line that carries it. audit/FORMAT.md has the format.
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

// A record whose place in the log is not known yet.
struct Draft {
    std::string json;              // with a seq and a synced of 0 and a prevRoot of zeros, and
    std::size_t prev_root_at = 0;  // where they stand
    std::size_t seq_at = 0;
    std::size_t synced_at = 0;
};

// The RFC 8785 bytes, which are the leaf. Whatever it returns, parse_record reads: a record that we could write but not
// read would stop the next start. Errc::internal for an entry that uses a name of the stamp, Errc::too_large past
// record_bytes_max, Errc::malformed for what would not be read again, such as arrays in arrays past json_depth_max, and
// for a number that JSON's readers would round, such as an integer above 2^53. Text that is no UTF-8 is written with
// U+FFFD in place of what is wrong.
[[nodiscard]] Result<std::string> encode_record(const LogEntry& entry, const Stamp& stamp);

// The same in two steps, because most of the work does not need to know the record before. The first takes the times
// and the boot id of a stamp, and memory to write into; the second the rest of the stamp, and appends the record. It
// only reads the draft, which another thread may have made: what both wrote would travel between them.
[[nodiscard]] Result<Draft> draft_record(const LogEntry& entry, const Stamp& stamp, std::string room = {});
[[nodiscard]] Result<void> place_record(const Draft& draft, const Stamp& stamp, std::string& to);

inline constexpr std::string_view key_kind = "key";        // the only kind that changes how what follows is read
inline constexpr std::string_view anchor_kind = "anchor";  // what outsiders said

struct Record {
    std::uint64_t seq = 0;
    Hash prev_root{};
    std::uint64_t synced = 0;
    std::string kind;
    json::Object members;  // all of them

    // The string of that name, or an empty one.
    [[nodiscard]] std::string_view text(std::string_view name) const;
    // The whole number of that name that is not negative, if there is one.
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name) const;
};

// Errc::malformed for what is no record, Errc::unsupported for a record of a later format.
[[nodiscard]] Result<Record> parse_record(std::string_view json);

// <record> or <record> TAB <signature>; the LF is not part of it.
struct Line {
    std::string_view json;
    std::string_view signature;  // empty but on the last line of a batch
};
[[nodiscard]] Result<Line> split_line(std::string_view line);
inline constexpr std::size_t line_bytes_max = 65'535 + 1 + 92;

}  // namespace countersign::audit
