// SPDX-License-Identifier: Apache-2.0
// ChannelMemory: what a channel must remember over a restart, besides what the log contains. One small file per
// channel, written a moment after each change.
#pragma once

#include "app/channels/async_file.hpp"
#include "channels/platform.hpp"
#include "core/limits.hpp"
#include "core/result.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace countersign::limits {

inline constexpr std::size_t channel_memory_values_max = chat_moved_max + 24;
inline constexpr std::size_t channel_memory_value_bytes_max = 512;  // including its name

}  // namespace countersign::limits

namespace countersign::app {

class ChannelMemory final : public channels::Memory {
public:
    // Reads <state>/channels/<name>.json; a missing file means an empty memory. Errc::damaged if it cannot be read.
    // `failed` may be called on any thread when a value could not be written.
    [[nodiscard]] static Result<ChannelMemory> open(const std::string& state, const std::string& name,
                                                    std::function<void(const Error&)> failed);

    [[nodiscard]] const std::map<std::string, std::string>& values() const override { return values_; }
    void keep(const std::string& name, std::string value) override;
    // Blocks until everything is on disk; Errc::timeout if the disk hangs.
    [[nodiscard]] Result<void> flush() { return file_->flush(); }

private:
    ChannelMemory() = default;
    Result<void> read(const std::string& path);

    std::unique_ptr<AsyncFile> file_;
    std::function<void(const Error&)> failed_;
    std::map<std::string, std::string> values_;
};

}  // namespace countersign::app
