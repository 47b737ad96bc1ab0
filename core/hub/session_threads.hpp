// SPDX-License-Identifier: Apache-2.0
// SessionThreads: where the first message of each session stands, so that what follows goes below it. Entirely passive.
//
// Bounded: past session_threads_max places the session that was shown least lately is forgotten, and its next card
// begins anew.
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

    // The message that a card of this session goes below there.
    [[nodiscard]] std::optional<MessageRef> first(const Asker& session, const std::string& channel,
                                                  const Recipient& to) const;
    // A card of the session stands there. The first one stays the first. A session without a name has no thread.
    void shown(const Asker& session, Thread thread, RuntimeId by);
    // The sessions of `who` that this runtime asked for, and their threads; they are forgotten.
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
