// SPDX-License-Identifier: Apache-2.0
// The files that a command runs: "./run.sh", "bash run.sh", "python3 x.py". A grant is for a command as it is written,
// so the content of these files is hashed into it, and a changed script asks again. A program that isn't known to leave
// its operands unrun may run each of them: every word that names a file is hashed, and ./x must be there to be hashed.
//
// Not covered, and said on the card: what make, npm and such read by themselves, what a script starts or includes, and
// programs that are found through PATH. A script that changes between this look and its start is the agent's race.
#pragma once

#include "core/request.hpp"
#include "core/risk.hpp"
#include "runtimes/file_view.hpp"
#include "security/redact/redactor.hpp"

#include <string>
#include <vector>

namespace countersign::runtimes {

// Of one command; one with more gets no grant.
inline constexpr std::size_t scripts_max = 16;
inline constexpr std::size_t script_lookups_max = 256;  // words that may be files

struct Scripts {
    std::string hash;       // over names and contents; empty: none is known
    std::string note;       // what a grant does not cover, or why there is none; redacted; empty: nothing to say
    bool checkable = true;  // false: it runs a file whose change would go unnoticed
};
[[nodiscard]] Scripts scripts_of(const CallFacts& facts, const AgentFiles& files, const security::Redactor& redactor);

// The files that scripts_of asks for, whatever it hears of them: they can be read before it is called.
[[nodiscard]] std::vector<std::string> script_paths(const CallFacts& facts, const security::Redactor& redactor);

// Binds a grant of the request to its scripts. One that cannot be checked may be allowed once and never for longer.
void bind_scripts(Request& request, const CallFacts& facts, const AgentFiles& files,
                  const security::Redactor& redactor);

}  // namespace countersign::runtimes
