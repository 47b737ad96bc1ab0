// SPDX-License-Identifier: Apache-2.0
// StaleMessages: messages that an earlier process left with buttons, and how their requests ended (I12).
#pragma once

#include "audit/record.hpp"
#include "core/ports/channel.hpp"

#include <map>
#include <string>
#include <vector>

namespace countersign::audit {

// Memory: the messages shown at the same time, at most left_shown_max; then the oldest are forgotten.
class StaleMessages {
public:
    void take(const Record& record);
    void close(const LogEntry& closing);  // an entry from UnfinishedRequests::close, which is being written
    [[nodiscard]] std::vector<EarlierMessage> messages() const;
    // Removes and returns those of a request that is still open: it has no outcome to show.
    std::vector<MessageRef> take_out(const Ulid& request);

private:
    struct Request {
        std::map<std::string, std::uint64_t> refs;  // keyed by the number of their `presented` record
        Conclusion conclusion;
    };
    void shown(const Record& record);
    void gone(const Record& record);

    std::map<std::string, Request> requests_;  // by id, and so by age; only requests with a message
    std::size_t messages_ = 0;
};

}  // namespace countersign::audit
