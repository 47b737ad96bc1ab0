// SPDX-License-Identifier: Apache-2.0
// What a polling channel must still know after a restart, beside what the log knows: where to go on, and which groups
// have another id now. One small file a channel.
//
// It is written a moment later than it is told. What a crash takes from it is asked for again: an update that decided
// something is known by the log.
#pragma once

#include "app/channels/async_file.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace countersign::limits {

// So much older than the truth the kept time may be; with a long poll it stays well below polling_gap_max.
inline constexpr std::chrono::seconds caught_up_kept_every{10};

}  // namespace countersign::limits

namespace countersign::app {

class ChannelMemory {
public:
    // Reads <state>/channels/<name>.json; one that is not there is empty. Errc::damaged if it cannot be read.
    // `failed` is called on another thread, when something could not be kept.
    [[nodiscard]] static Result<ChannelMemory> open(const std::string& state, const std::string& name,
                                                    std::function<void(const Error&)> failed);

    [[nodiscard]] std::optional<std::int64_t> offset() const { return offset_; }
    [[nodiscard]] const std::map<std::string, std::string>& moved() const { return moved_; }

    // When polling had nothing left to take. Written about every caught_up_kept_every.
    [[nodiscard]] std::optional<WallTime> caught_up() const { return caught_up_; }
    void catch_up(WallTime now);

    void confirm(std::int64_t offset);
    // Errc::too_large past chat_moved_max.
    Result<void> move(const std::string& from, const std::string& to);
    // Blocks until all of it is on disk; Errc::timeout if the disk hangs.
    [[nodiscard]] Result<void> flush() { return file_->flush(); }

private:
    ChannelMemory() = default;
    Result<void> read(const std::string& path);
    void save() const;

    std::unique_ptr<AsyncFile> file_;
    std::optional<std::int64_t> offset_;
    std::optional<WallTime> caught_up_;
    std::map<std::string, std::string> moved_;
};

}  // namespace countersign::app
