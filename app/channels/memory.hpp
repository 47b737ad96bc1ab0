// SPDX-License-Identifier: Apache-2.0
// ChannelMemory: what a channel must still know after a restart, besides what the log knows. One small file per
// channel, which is written a moment later than it is told.
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
inline constexpr std::size_t channel_memory_value_bytes_max = 512;  // with its name

}  // namespace countersign::limits

namespace countersign::app {

class ChannelMemory final : public channels::Memory {
public:
    // Reads <state>/channels/<name>.json; one that is not there is empty. Errc::damaged if it cannot be read.
    // `failed` is called on any thread, when something could not be kept.
    [[nodiscard]] static Result<ChannelMemory> open(const std::string& state, const std::string& name,
                                                    std::function<void(const Error&)> failed);

    [[nodiscard]] const std::map<std::string, std::string>& values() const override { return values_; }
    void keep(const std::string& name, std::string value) override;
    // Blocks until all of it is on disk; Errc::timeout if the disk hangs.
    [[nodiscard]] Result<void> flush() { return file_->flush(); }

private:
    ChannelMemory() = default;
    Result<void> read(const std::string& path);

    std::unique_ptr<AsyncFile> file_;
    std::function<void(const Error&)> failed_;
    std::map<std::string, std::string> values_;
};

}  // namespace countersign::app
