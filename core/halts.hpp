// SPDX-License-Identifier: Apache-2.0
// Halts: which agents and sessions somebody told to stop, and who. A passive value: no clock and no log; the hub writes
// the records and asks before it lets anything in.
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
    std::string by;  // the person
    WallTime at;
    friend bool operator==(const Halt&, const Halt&) = default;
};
// What an agent and the log are told of why something did not run.
[[nodiscard]] inline std::string halt_reason(const std::string& by) { return "halted by " + by; }
// What an agent hears that asks while it is halted, and whoever looks at its terminal: what was not run, and what lifts
// the halt.
[[nodiscard]] std::string halt_refusal(const Halt& halt, const Request& request);
// What the person hears who starts it while it is halted.
[[nodiscard]] std::string halt_notice(const Halt& halt);
// In whose name the hub refuses calls and takes grants back, because of a halt.
[[nodiscard]] inline std::string halt_principal(const std::string& by) { return "halt:" + by; }

class Halts {
public:
    // True: it stood already, and the newest takes its place. Errc::busy past halts_max.
    Result<bool> add(Halt halt);
    bool lift(const Asker& who);
    // How many there are once these are added.
    [[nodiscard]] std::size_t count_with(const std::vector<Asker>& whom) const;
    // Of these, the ones of a session by its name alone: nothing here had that name.
    [[nodiscard]] std::size_t unknown_count_with(const std::vector<Asker>& whom) const;
    // Why this one must not act; null if it may. The whole agent's halt comes first.
    [[nodiscard]] const Halt* of(const Asker& asker) const;
    [[nodiscard]] const Halt* exactly(const Asker& who) const;
    [[nodiscard]] std::vector<Halt> all() const;  // by name

private:
    std::map<Asker, Halt> halts_;
};

}  // namespace countersign
