// SPDX-License-Identifier: Apache-2.0
// What a polling or webhook channel must still know after a restart: which updates changed something, where to go on, and
// which groups have another id now. One small file a channel, replaced as a whole.
#pragma once

#include "core/result.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace countersign::app {

class ChannelMemory {
public:
    // Reads <state>/channels/<name>.json; one that is not there is empty. Errc::damaged if it cannot be read: an update
    // that was handled could be handled again.
    [[nodiscard]] static Result<ChannelMemory> open(const std::string& state, const std::string& name);

    [[nodiscard]] std::optional<std::int64_t> offset() const { return offset_; }
    [[nodiscard]] const std::deque<std::int64_t>& handled() const { return handled_; }
    [[nodiscard]] const std::map<std::string, std::string>& moved() const { return moved_; }

    // Each is on disk when it returns. An offset is kept with the next of the others: a batch that is polled again is
    // known by its ids.
    void confirm(std::int64_t offset) { offset_ = offset; }
    Result<void> handle(std::int64_t update);
    Result<void> move(const std::string& from, const std::string& to);

private:
    ChannelMemory(std::string directory, std::string file) : directory_{std::move(directory)}, file_{std::move(file)} {}
    Result<void> save() const;

    std::string directory_;
    std::string file_;
    std::optional<std::int64_t> offset_;
    std::deque<std::int64_t> handled_;  // the latest, oldest first
    std::map<std::string, std::string> moved_;
};

}  // namespace countersign::app
