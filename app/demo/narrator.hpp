// SPDX-License-Identifier: Apache-2.0
// Narrator: tells the demo's story next to the cards, in an order that a person can follow: the card shows the request
// and the decision, then come their records, then what the agent did.
//
// The agent may have acted, and asked again, before the card shows how the first request ended. Text that comes too
// early waits: at most one remark, and the records of later requests. The agent asks one thing at a time.
#pragma once

#include "audit/follower.hpp"
#include "core/ulid.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace countersign::app::demo {

class Narrator {
public:
    struct Voice {
        std::function<void(const std::string& line)> say;     // prints one line
        std::function<void(const std::string& words)> quote;  // prints the agent's text
    };
    // Reads the log in this directory from its current end on.
    Narrator(const std::string& audit_directory, Voice voice);

    void begins(const std::string& project);
    void request_opened() { ++open_; }
    // Call it once the card shows the outcome.
    void request_ended(const Ulid& id);
    void agent_said(std::string text);
    void agent_was_wrong(const std::string& why) { voice_.say("  " + why); }

private:
    struct Told {
        std::string request_id;
        std::string line;
    };
    void read_log();
    void say_remark(const std::string& text);

    audit::Follower follower_;
    Voice voice_;
    int open_ = 0;
    std::vector<Told> waiting_;
    std::optional<std::string> remark_;
};

}  // namespace countersign::app::demo
