// SPDX-License-Identifier: Apache-2.0
#include "core/halts.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign {

namespace {

const std::string& name_of(const Asker& who) { return who.session_key.empty() ? who.agent_id : who.session_key; }

}  // namespace

std::string halt_notice(const Halt& halt) {
    const auto& name = name_of(halt.who);
    return name + " was halted by " + halt.by + " and is not started. A decider resumes it: countersign resume " +
           name + " at a terminal, or /resume " + name + " in a chat while a hub runs (countersign serve)";
}

std::string halt_refusal(const Halt& halt, const Request& request) {
    const auto& name = name_of(halt.who);
    return halt_reason(halt.by) + ", so this was not run: " + tool_name_of(request) + ": " + summary_of(request) +
           "; a person lifts the halt with /resume " + name + " in a chat, or countersign resume " + name;
}

Result<bool> Halts::add(Halt halt) {
    const bool stood = halts_.contains(halt.who);
    if (!stood && halts_.size() >= limits::halts_max) return Error{Errc::busy, "too many are halted; resume some"};
    auto who = halt.who;
    halts_.insert_or_assign(std::move(who), std::move(halt));
    return stood;
}

std::size_t Halts::count_with(const std::vector<Asker>& whom) const {
    const auto fresh = std::ranges::count_if(whom, [&](const Asker& who) { return !halts_.contains(who); });
    return halts_.size() + static_cast<std::size_t>(fresh);
}

std::size_t Halts::unknown_count_with(const std::vector<Asker>& whom) const {
    const auto there = std::ranges::count_if(halts_, [](const auto& one) { return one.first.agent_id.empty(); });
    const auto fresh =
        std::ranges::count_if(whom, [&](const Asker& who) { return who.agent_id.empty() && !halts_.contains(who); });
    return static_cast<std::size_t>(there + fresh);
}

bool Halts::lift(const Asker& who) { return halts_.erase(who) > 0; }

const Halt* Halts::of(const Asker& asker) const {
    const auto* halt = exactly({.agent_id = asker.agent_id, .session_key = {}});
    if (halt == nullptr) halt = exactly(asker);
    return halt != nullptr ? halt : exactly({.agent_id = {}, .session_key = asker.session_key});
}

const Halt* Halts::exactly(const Asker& who) const {
    const auto found = halts_.find(who);
    return found == halts_.end() ? nullptr : &found->second;
}

std::vector<Halt> Halts::all() const {
    std::vector<Halt> all;
    for (const auto& [who, halt] : halts_) all.push_back(halt);
    return all;
}

}  // namespace countersign
