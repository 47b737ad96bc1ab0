// SPDX-License-Identifier: Apache-2.0
#include "core/hub/fatigue.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign {

bool is_same_call(const Request& one, const Request& other) {
    if (one.args_hash != other.args_hash) return false;  // nearly always, and quickly
    const auto* a = one.approval();
    const auto* b = other.approval();
    if (a == nullptr || b == nullptr || one.session_key.empty() || one.args_hash.partial) return false;
    // The name that the agent gave the call is another each time; everything else that is shown is compared.
    return asker_of(one) == asker_of(other) && one.runtime == other.runtime && one.requester == other.requester &&
           one.cwd == other.cwd && one.script_hash == other.script_hash && one.workplace == other.workplace &&
           one.judgement == other.judgement && one.authorized_senders == other.authorized_senders &&
           tool_name_of(one) == tool_name_of(other) && a->display_text == b->display_text && a->diff == b->diff &&
           a->untrusted_reason == b->untrusted_reason && a->options == b->options;
}

void Fatigue::refused(const Asker& session, BootTime now) {
    if (session.session_key.empty()) return;
    auto& refusals = refusals_[session];
    refusals.push_back(now);
    if (refusals.size() > limits::fatigue_denials_max) refusals.pop_front();
    if (refusals_.size() <= limits::fatigue_sessions_max) return;
    refusals_.erase(std::ranges::min_element(refusals_, {}, [](const auto& refused) { return refused.second.back(); }));
}

bool Fatigue::is_tiring(const Asker& session, BootTime now) const {
    const auto found = refusals_.find(session);
    return found != refusals_.end() && found->second.size() >= limits::fatigue_denials_max &&
           now - found->second.front() < limits::fatigue_window;
}

}  // namespace countersign
