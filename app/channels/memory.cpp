// SPDX-License-Identifier: Apache-2.0
#include "app/channels/memory.hpp"

#include "app/json_fields.hpp"
#include "audit/file_system.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

namespace countersign::app {

Result<ChannelMemory> ChannelMemory::open(const std::string& state, const std::string& name) {
    auto& files = audit::posix_file_system();
    ChannelMemory memory{state + "/channels", name + ".json"};
    if (const auto made = files.make_directory(memory.directory_); !made) return made.error();
    const auto path = memory.directory_ + "/" + memory.file_;
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return memory;
    const auto text = audit::read_whole(files, path, limits::json_bytes_max);
    if (!text) return text.error();
    const auto document = json::read(*text);
    const Error damaged{Errc::damaged, path + " cannot be read; remove it if nobody has tapped since the last start"};
    if (!document) return damaged;
    JsonFields fields{document->value};
    if (fields.has("offset")) memory.offset_ = fields.integer("offset");
    for (const auto& value : fields.array("handled")) {
        const auto* number = value.number();
        if (number == nullptr) return damaged;
        memory.handled_.push_back(std::strtoll(number->lexeme.c_str(), nullptr, 10));
    }
    const auto* moved = fields.value("moved").object();
    if (moved == nullptr || !fields.wrong().empty()) return damaged;
    for (const auto& [from, to] : moved->members()) {
        if (to.string() == nullptr) return damaged;
        memory.moved_[from] = *to.string();
    }
    return memory;
}

Result<void> ChannelMemory::handle(std::int64_t update) {
    handled_.push_back(update);
    if (handled_.size() > limits::handled_updates_max) handled_.pop_front();
    return save();
}

Result<void> ChannelMemory::move(const std::string& from, const std::string& to) {
    if (moved_.size() >= limits::moved_chats_max && !moved_.contains(from)) {
        return Error{Errc::too_large, "too many groups have moved"};
    }
    moved_[from] = to;
    return save();
}

Result<void> ChannelMemory::save() const {
    json::Array handled;
    for (const auto update : handled_) handled.emplace_back(update);
    json::Object moved;
    for (const auto& [from, to] : moved_) moved.add(from, to);
    json::Object whole{{"handled", std::move(handled)}, {"moved", std::move(moved)}};
    if (offset_) whole.add("offset", *offset_);
    return audit::replace(audit::posix_file_system(), directory_, file_, json::canonical(std::move(whole)) + "\n");
}

}  // namespace countersign::app
