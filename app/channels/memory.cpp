// SPDX-License-Identifier: Apache-2.0
#include "app/channels/memory.hpp"

#include "audit/file_system.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"

#include <utility>

namespace countersign::app {

Result<ChannelMemory> ChannelMemory::open(const std::string& state, const std::string& name,
                                          std::function<void(const Error&)> failed) {
    AsyncFile::Place place{.directory = state + "/channels", .name = name + ".json"};
    if (const auto made = audit::posix_file_system().make_directory(place.directory); !made) return made.error();
    ChannelMemory memory;
    if (const auto read = memory.read(place.directory + "/" + place.name); !read) return read.error();
    memory.failed_ = failed;
    memory.file_ = std::make_unique<AsyncFile>(std::move(place), std::move(failed));
    return memory;
}

Result<void> ChannelMemory::read(const std::string& path) {
    auto& files = audit::posix_file_system();
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return {};
    const auto text = audit::read_whole(files, path, limits::json_bytes_max);
    if (!text) return text.error();
    const auto document = json::read(*text);
    const auto* object = document ? document->value.object() : nullptr;
    const Error damaged{
        Errc::damaged,
        path + " cannot be read: remove it; at worst some taps are asked for again, and groups that moved must be "
               "named anew"};
    if (object == nullptr) return damaged;
    for (const auto& [name, value] : object->members()) {
        if (value.string() == nullptr) return damaged;
        values_[name] = *value.string();
    }
    return {};
}

void ChannelMemory::keep(const std::string& name, std::string value) {
    const auto found = values_.find(name);
    if (found != values_.end() && found->second == value) return;
    const bool is_one_more = found == values_.end() && values_.size() >= limits::channel_memory_values_max;
    if (is_one_more || name.size() + value.size() > limits::channel_memory_value_bytes_max) {
        return failed_({Errc::too_large, "the channel's state file is full: " + name + " is not kept"});
    }
    values_[name] = std::move(value);
    json::Object whole;
    for (const auto& [key, text] : values_) whole.add(key, text);
    file_->put(json::canonical(std::move(whole)) + "\n");
}

}  // namespace countersign::app
