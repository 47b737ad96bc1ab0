// SPDX-License-Identifier: Apache-2.0
// SessionThreads: where the first message of each session is, so that later ones are posted below it. Entirely passive.
//
// Bounded: above session_threads_max places, the session that was shown longest ago is forgotten, and its next card
// starts a new thread.
#pragma once

#include "core/asker.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

class SessionThreads {
public:
    struct Thread {
        Recipient to;
        MessageRef first;
        std::string language;
    };

    // The message in this place below which a card of this session is posted.
    [[nodiscard]] std::optional<MessageRef> first(const Asker& session, const std::string& channel,
                                                  const Recipient& to) const;
    // A card of the session was posted there. The first one stays the first. A session without a name has no thread.
    void shown(const Asker& session, Thread thread, RuntimeId by);
    // Removes and returns the threads of `who`'s sessions that this runtime asked for.
    [[nodiscard]] std::map<Asker, std::vector<Thread>> take(RuntimeId by, const Asker& who);

    [[nodiscard]] std::size_t size() const { return count_; }

private:
    struct Kept {
        std::vector<Thread> threads;
        RuntimeId by = 0;
        std::uint64_t used = 0;
    };
    void forget_oldest();

    std::map<Asker, Kept> sessions_;
    std::size_t count_ = 0;  // of threads
    std::uint64_t uses_ = 0;
};

}  // namespace countersign
