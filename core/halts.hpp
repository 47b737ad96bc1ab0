// SPDX-License-Identifier: Apache-2.0
// Halts: which agents and sessions are halted, and by whom. Passive, without clock or log: the hub writes the records
// and asks before it accepts a request.
#pragma once

#include "core/asker.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace countersign {

struct Halt {
    Asker who;
    std::string by;  // the person's name
    WallTime at;
    friend bool operator==(const Halt&, const Halt&) = default;
};
// The reason given to an agent and to the log when a call was refused because of a halt.
[[nodiscard]] inline std::string halt_reason(const std::string& by) { return "halted by " + by; }
// Told to an agent that asks while it is halted, and printed in its terminal: what wasn't run, and how to lift the
// halt.
[[nodiscard]] std::string halt_refusal(const Halt& halt, const Request& request);
// Told to a person who starts the agent while it is halted.
[[nodiscard]] std::string halt_notice(const Halt& halt);
// The principal under which the hub refuses calls and revokes grants because of a halt.
[[nodiscard]] inline std::string halt_principal(const std::string& by) { return "halt:" + by; }

class Halts {
public:
    // Returns true if this agent or session was halted already; the new halt replaces the old one. Errc::busy past
    // halts_max.
    Result<bool> add(Halt halt);
    bool lift(const Asker& who);
    // How many halts there would be after adding these.
    [[nodiscard]] std::size_t count_with(const std::vector<Asker>& whom) const;
    // The same, but only halts of a session by its name alone, i.e. of a name that was unknown when it was halted.
    [[nodiscard]] std::size_t unknown_count_with(const std::vector<Asker>& whom) const;
    // The halt that applies to this asker, or null. A halt of the whole agent is returned first.
    [[nodiscard]] const Halt* of(const Asker& asker) const;
    [[nodiscard]] const Halt* exactly(const Asker& who) const;
    [[nodiscard]] std::vector<Halt> all() const;  // sorted by name

private:
    std::map<Asker, Halt> halts_;
};

}  // namespace countersign
