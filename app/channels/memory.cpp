// SPDX-License-Identifier: Apache-2.0
#include "app/channels/memory.hpp"

#include "app/json_fields.hpp"
#include "audit/file_system.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

namespace countersign::app {

Result<ChannelMemory> ChannelMemory::open(const std::string& state, const std::string& name,
                                          std::function<void(const Error&)> failed) {
    AsyncFile::Place place{.directory = state + "/channels", .name = name + ".json"};
    if (const auto made = audit::posix_file_system().make_directory(place.directory); !made) return made.error();
    ChannelMemory memory;
    if (const auto read = memory.read(place.directory + "/" + place.name); !read) return read.error();
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
    const Error damaged{
        Errc::damaged,
        path + " cannot be read: remove it; at worst some taps are asked for again, and groups that moved must be "
               "named anew"};
    if (!document) return damaged;
    JsonFields fields{document->value};
    if (fields.has("offset")) offset_ = fields.integer("offset");
    if (fields.has("caughtUp")) caught_up_ = wall_time_of(fields.text("caughtUp"));
    const auto* moved = fields.value("moved").object();
    if (moved == nullptr || !fields.wrong().empty()) return damaged;
    for (const auto& [from, to] : moved->members()) {
        if (to.string() == nullptr) return damaged;
        moved_[from] = *to.string();
    }
    return {};
}

void ChannelMemory::confirm(std::int64_t offset) {
    if (offset_ == offset) return;  // a poll that brought nothing
    offset_ = offset;
    save();
}

void ChannelMemory::catch_up(WallTime now) {
    const bool fresh = caught_up_ && now >= *caught_up_ && now - *caught_up_ < limits::caught_up_kept_every;
    if (fresh) return;
    caught_up_ = now;
    save();
}

Result<void> ChannelMemory::move(const std::string& from, const std::string& to) {
    if (moved_.size() >= limits::chat_moved_max && !moved_.contains(from)) {
        return Error{Errc::too_large, "too many groups have moved"};
    }
    moved_[from] = to;
    save();
    return {};
}

void ChannelMemory::save() const {
    json::Object moved;
    for (const auto& [from, to] : moved_) moved.add(from, to);
    json::Object whole{{"moved", std::move(moved)}};
    if (offset_) whole.add("offset", *offset_);
    if (caught_up_) whole.add("caughtUp", rfc3339(*caught_up_));
    file_->put(json::canonical(std::move(whole)) + "\n");
}

}  // namespace countersign::app
