// SPDX-License-Identifier: Apache-2.0
// The file changes of one patch, as both protocol versions of Codex report them.
#pragma once

#include "core/result.hpp"
#include "core/risk.hpp"
#include "runtimes/subject_display.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes::codex {

struct FileChange {
    enum class Kind { add, remove, update };
    Kind kind = Kind::update;
    std::string path;
    std::string moved_to;  // empty: stays in its place
    std::string text;      // the content, or the diff of an update
};
struct FileChanges {
    std::vector<FileChange> changes;
    std::string unknown;  // JSON of what we do not understand; empty: nothing
};

// [{path, kind: {type, move_path}, diff}]. Errc::malformed without a change.
[[nodiscard]] Result<FileChanges> file_changes(std::string_view json);
// {path: {type, content | unified_diff, move_path}}
[[nodiscard]] Result<FileChanges> old_file_changes(std::string_view json);

[[nodiscard]] CallFacts facts_of_changes(const FileChanges& changes);
[[nodiscard]] SubjectDisplay display_of_changes(const FileChanges& changes, const security::Redactor& redactor);

}  // namespace countersign::runtimes::codex
