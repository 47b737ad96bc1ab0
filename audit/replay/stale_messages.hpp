// SPDX-License-Identifier: Apache-2.0
// StaleMessages: the messages that an earlier process left with their buttons, and how their requests ended (I12).
#pragma once

#include "audit/record.hpp"
#include "core/ports/channel.hpp"

#include <map>
#include <string>
#include <vector>

namespace countersign::audit {

// Holds as much as is shown at once, and at most left_shown_max messages: past it the oldest are forgotten.
class StaleMessages {
public:
    void take(const Record& record);
    void close(const LogEntry& closing);  // one of UnfinishedRequests::close, which is written now
    [[nodiscard]] std::vector<EarlierMessage> messages() const;
    // Takes out those of a request that is still open: it has no outcome to show.
    std::vector<MessageRef> take_out(const Ulid& request);

private:
    struct Request {
        std::map<std::string, std::uint64_t> refs;  // by the record that says it was shown
        Conclusion conclusion;
    };
    void shown(const Record& record);
    void gone(const Record& record);

    std::map<std::string, Request> requests_;  // by id, which is by age; only those with a message
    std::size_t messages_ = 0;
};

}  // namespace countersign::audit
