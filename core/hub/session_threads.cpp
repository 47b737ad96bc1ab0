// SPDX-License-Identifier: Apache-2.0
#include "core/hub/session_threads.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

std::optional<MessageRef> SessionThreads::first(const Asker& session, const std::string& channel,
                                                const Recipient& to) const {
    const auto found = sessions_.find(session);
    if (found == sessions_.end()) return std::nullopt;
    for (const auto& thread : found->second.threads) {
        if (thread.first.place.channel == channel && thread.to == to) return thread.first;
    }
    return std::nullopt;
}

void SessionThreads::shown(const Asker& session, Thread thread, RuntimeId by) {
    if (session.session_key.empty()) return;
    auto& entry = sessions_[session];
    entry.by = by;
    entry.used = ++uses_;
    if (first(session, thread.first.place.channel, thread.to)) return;
    entry.threads.push_back(std::move(thread));
    if (++count_ > limits::session_threads_max) forget_oldest();
}

void SessionThreads::forget_oldest() {
    const auto oldest =
        std::ranges::min_element(sessions_, {}, [](const auto& session) { return session.second.used; });
    count_ -= oldest->second.threads.size();
    sessions_.erase(oldest);
}

std::map<Asker, std::vector<SessionThreads::Thread>> SessionThreads::take(RuntimeId by, const Asker& who) {
    std::map<Asker, std::vector<Thread>> taken;
    for (auto at = sessions_.begin(); at != sessions_.end();) {
        if (at->second.by != by || !covers(who, at->first)) {
            ++at;
            continue;
        }
        count_ -= at->second.threads.size();
        taken.emplace(at->first, std::move(at->second.threads));
        at = sessions_.erase(at);
    }
    return taken;
}

}  // namespace countersign
