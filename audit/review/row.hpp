// SPDX-License-Identifier: Apache-2.0
// Row: one request as one line, for lists, tables and programs.
#pragma once

#include "audit/review/review.hpp"
#include "core/json/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit::review {

// Text as in the log: pass it through the sanitiser before printing.
struct Row {
    std::string id;
    std::int64_t asked = 0;
    std::int64_t ended = not_known;
    std::int64_t took = not_known;
    std::string outcome;   // or "open"
    std::string decision;  // if the outcome is indeterminate: what was decided
    std::string decided_by;
    Decider decider = Decider::nobody;
    std::vector<std::string> voters;
    std::vector<std::string> channels;
    std::string agent;
    std::string runtime;
    std::string session;
    std::string tool;
    std::string summary;  // the call's first line
    std::string risk;
    std::string reason;
    std::string forwarded;
    std::uint64_t refusals = 0;
    std::vector<std::uint64_t> records;  // sequence numbers
    std::vector<std::string> texts;      // files of texts that are too long for their records
};
[[nodiscard]] Row row_of(const Account& account);

inline constexpr std::string_view open_outcome = "open";

// One object, to be written as canonical JSON. Members keep their names and meaning between releases.
[[nodiscard]] json::Object json_of(const Row& row);

// The titles and cells of a table.
[[nodiscard]] std::vector<std::string> csv_titles();
[[nodiscard]] std::vector<std::string> csv_cells(const Row& row);

}  // namespace countersign::audit::review
