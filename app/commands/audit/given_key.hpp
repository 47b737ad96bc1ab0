// SPDX-License-Identifier: Apache-2.0
// A log's public key as somebody gives it on the command line.
#pragma once

#include "app/command_line/command.hpp"
#include "audit/log_keys.hpp"
#include "audit/note.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>

namespace countersign::app {

// A vkey, or a file with one; of several, as log.vkey has them, the last. Errc::bad_config names the option.
[[nodiscard]] Result<audit::NoteKey> key_given(const std::string& option, const std::string& file_or_key,
                                               audit::NoteAlgorithm algorithm = audit::NoteAlgorithm::log);

// The same, all of them.
[[nodiscard]] Result<audit::LogKeys> log_keys_given(const std::string& option, const std::string& file_or_key);

// --vkey. An empty one was meant to be a key, and must not lessen what is proved without a word.
class GivenKey {
public:
    void add_to(Command& command);
    [[nodiscard]] bool given() const;
    [[nodiscard]] Result<std::optional<audit::NoteKey>> key() const;
    // The one that was given, or else the one that the log beside it began with.
    [[nodiscard]] Result<audit::NoteKey> or_own(const std::string& directory) const;
    // Those that sign checkpoints of this log, for somebody who has one of them, or trusts those beside it.
    [[nodiscard]] Result<audit::LogKeys> all_of(const std::string& directory) const;

private:
    std::string text_;
    std::optional<Parameter> parameter_;  // once it was added
};

}  // namespace countersign::app
