// SPDX-License-Identifier: Apache-2.0
#include "app/demo/narrator.hpp"

#include "audit/print.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countersign::app::demo {
namespace {

// Skips records about showing and forwarding: they are written in parallel, before or after the agent's next step, so
// their position would vary.
bool is_told(const audit::Record& record) {
    constexpr std::array<std::string_view, 4> aside{"config", "presented", "concluded", "forwarded"};
    return std::ranges::find(aside, record.kind) == aside.end();
}

// Removes the request's id, which the card shows, so that the line fits most terminals.
std::string line_of(const audit::Record& record) {
    auto line = audit::print(record);
    const auto id = "  " + std::string{record.text("requestId")};
    if (line.ends_with(id)) line.resize(line.size() - id.size());
    return "  log    " + line;
}

}  // namespace

Narrator::Narrator(const std::string& audit_directory, Voice voice)
    : follower_{audit::posix_file_system(), audit_directory}, voice_{std::move(voice)} {
    const auto passed = follower_.last(0);  // start and config are not part of the story
    if (!passed) voice_.say("the log cannot be read: " + passed.error().detail);
}

void Narrator::begins(const std::string& project) {
    voice_.say("A demonstration agent works on " + project);
    voice_.say("and asks before each step. Ctrl-C ends.");
    voice_.say("");
}

void Narrator::request_ended(const Ulid& id) {
    --open_;
    read_log();
    std::erase_if(waiting_, [&](const Told& record) {
        if (record.request_id != id.str()) return false;
        voice_.say(record.line);
        return true;
    });
    if (const auto remark = std::exchange(remark_, std::nullopt)) say_remark(*remark);
}

void Narrator::agent_said(std::string text) {
    if (open_ > 0 && !remark_) {
        remark_ = std::move(text);
        return;
    }
    if (const auto remark = std::exchange(remark_, std::nullopt)) say_remark(*remark);
    read_log();
    for (const auto& record : std::exchange(waiting_, {})) voice_.say(record.line);
    say_remark(text);
}

void Narrator::say_remark(const std::string& text) {
    voice_.quote(text);
    voice_.say("");
}

void Narrator::read_log() {
    const auto records = follower_.next();
    if (!records) return;
    for (const auto& entry : *records) {
        if (!is_told(entry.record)) continue;
        waiting_.push_back({std::string{entry.record.text("requestId")}, line_of(entry.record)});
    }
}

}  // namespace countersign::app::demo
