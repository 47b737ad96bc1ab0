// SPDX-License-Identifier: Apache-2.0
// A log's public key, as given on the command line.
#pragma once

#include "app/command_line/command.hpp"
#include "audit/log_keys.hpp"
#include "audit/note.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>

namespace countersign::app {

// Parses a vkey, or a file with one; of several, as in log.vkey, takes the last. Errc::bad_config names the option.
[[nodiscard]] Result<audit::NoteKey> key_given(const std::string& option, const std::string& file_or_key,
                                               audit::NoteAlgorithm algorithm = audit::NoteAlgorithm::log);

// The same, but returns all keys.
[[nodiscard]] Result<audit::LogKeys> log_keys_given(const std::string& option, const std::string& file_or_key);

// The --vkey option. Refuses an empty value: the operator meant to give a key, and without one the result proves less.
class GivenKey {
public:
    void add_to(Command& command);
    [[nodiscard]] bool given() const;
    [[nodiscard]] Result<std::optional<audit::NoteKey>> key() const;
    // The given key, or else the log's first key, from the file next to it.
    [[nodiscard]] Result<audit::NoteKey> or_own(const std::string& directory) const;
    // The keys that sign this log's checkpoints, for an operator who gave one of them or trusts those next to the log.
    [[nodiscard]] Result<audit::LogKeys> all_of(const std::string& directory) const;

private:
    std::string text_;
    std::optional<Parameter> parameter_;  // set by add_to()
};

}  // namespace countersign::app
