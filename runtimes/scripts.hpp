// SPDX-License-Identifier: Apache-2.0
// The files that a command runs: "./run.sh", "bash run.sh", "python3 x.py". A grant is for a command as written, so the
// content of these files is hashed into it, and a changed script asks again. Unless a program is known not to run its
// operands, it may run any of them: every word that names a file is hashed, and ./x must exist.
//
// Not covered, and the card says so: files that make, npm and the like read by themselves, files that a script starts
// or includes, and programs found through PATH. The agent can also change a script between this look and its start.
#pragma once

#include "core/request.hpp"
#include "core/risk.hpp"
#include "runtimes/file_view.hpp"
#include "security/redact/redactor.hpp"

#include <string>
#include <vector>

namespace countersign::runtimes {

// Per command; a command with more files gets no grant.
inline constexpr std::size_t scripts_max = 16;
inline constexpr std::size_t script_lookups_max = 256;  // words that may name files

struct Scripts {
    std::string hash;       // over names and contents; empty: the command runs no known file
    std::string note;       // what a grant does not cover, or why there is none; redacted; may be empty
    bool checkable = true;  // false: it runs a file whose change would go unnoticed
};
[[nodiscard]] Scripts scripts_of(const CallFacts& facts, const AgentFiles& files, const security::Redactor& redactor);

// All files that scripts_of may ask for, so that they can be read before it is called.
[[nodiscard]] std::vector<std::string> script_paths(const CallFacts& facts, const security::Redactor& redactor);

// Binds a grant for the request to its scripts. If they cannot be checked, the request can only be allowed once.
void bind_scripts(Request& request, const CallFacts& facts, const AgentFiles& files,
                  const security::Redactor& redactor);

}  // namespace countersign::runtimes
