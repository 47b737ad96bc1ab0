// SPDX-License-Identifier: Apache-2.0
#include "audit/halted.hpp"

namespace countersign::audit {

// An action that a later release may write and this one does not know changes nothing.
void Halted::take(const Record& record) {
    if (record.kind != "halt") return;
    const Asker who{.agent_id = std::string{record.text("agentId")},
                    .session_key = std::string{record.text("sessionKey")}};
    const auto action = record.text("action");
    if (action == "resume") halts_.lift(who);
    if (action != "halt") return;
    const auto added = halts_.add({.who = who,
                                   .by = std::string{record.text("person")},
                                   .at = wall_time_of(record.text("ts")).value_or(WallTime{})});
    if (!added) return;  // cannot be: the hub that wrote it kept the same bound
}

}  // namespace countersign::audit
