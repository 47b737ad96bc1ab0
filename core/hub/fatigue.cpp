// SPDX-License-Identifier: Apache-2.0
#include "core/hub/fatigue.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign {

bool is_same_call(const Request& one, const Request& other) {
    if (one.args_hash != other.args_hash) return false;  // nearly always true, and fast
    const auto* a = one.approval();
    const auto* b = other.approval();
    if (a == nullptr || b == nullptr || one.session_key.empty() || one.args_hash.partial) return false;
    // Doesn't compare the agent's name for the call, which is always different, but everything else that is shown.
    return asker_of(one) == asker_of(other) && one.runtime == other.runtime && one.requester == other.requester &&
           one.cwd == other.cwd && one.script_hash == other.script_hash && one.workplace == other.workplace &&
           one.judgement == other.judgement && one.authorized_senders == other.authorized_senders &&
           tool_name_of(one) == tool_name_of(other) && a->display_text == b->display_text && a->diff == b->diff &&
           a->untrusted_reason == b->untrusted_reason && a->options == b->options;
}

void Fatigue::note(Refusals& refusals, const Asker& asker, std::size_t denials_max, std::size_t askers_max,
                   BootTime now) {
    auto& times = refusals[asker];
    times.push_back(now);
    if (times.size() > denials_max) times.pop_front();
    if (refusals.size() <= askers_max) return;
    refusals.erase(std::ranges::min_element(refusals, {}, [](const auto& refused) { return refused.second.back(); }));
}

void Fatigue::refused(const Asker& session, BootTime now) {
    note(agents_, {.agent_id = session.agent_id, .session_key = {}}, fatigue_agent_denials_max, fatigue_agents_max,
         now);
    if (session.session_key.empty()) return;
    note(sessions_, session, limits::fatigue_denials_max, limits::fatigue_sessions_max, now);
}

bool Fatigue::is_tiring(const Asker& asker, BootTime now) const {
    const bool whole_agent = asker.session_key.empty();
    const auto& refusals = whole_agent ? agents_ : sessions_;
    const auto found = refusals.find(asker);
    return found != refusals.end() &&
           found->second.size() >= (whole_agent ? fatigue_agent_denials_max : limits::fatigue_denials_max) &&
           now - found->second.front() < limits::fatigue_window;
}

}  // namespace countersign
