// SPDX-License-Identifier: Apache-2.0
// Narrator: tells the demo's story beside the cards, in the order in which a person can follow it: the request and the
// decision are the card's, then come their records, then what the agent did.
//
// The agent may have acted, and asked again, before the card says how the first request ended. What comes too early
// waits: at most one remark, and the records of what the agent, which asks one thing at a time, has asked since.
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
        std::function<void(const std::string& words)> quote;  // prints what the agent says
    };
    // Reads the log in this directory from here on.
    Narrator(const std::string& audit_directory, Voice voice);

    void begins(const std::string& project);
    void request_opened() { ++open_; }
    // Its card says how.
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
