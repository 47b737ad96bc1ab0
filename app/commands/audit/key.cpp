// SPDX-License-Identifier: Apache-2.0
// `audit key`: the public key, to be noted somewhere else.
#include "app/commands/audit/audit.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "audit/begun.hpp"
#include "audit/layout.hpp"

#include <memory>
#include <unistd.h>

namespace countersign::app {
namespace {

int audit_key(const std::string& state) {
    const auto directory = existing_log(state);
    if (!directory) return audit_failed(directory.error());
    const auto key = audit::key_beside(audit::posix_file_system(), *directory + "/" + audit::vkey_name);
    if (!key) return audit_failed(key.error());
    if (!*key) return audit_failed({Errc::damaged, *directory + "/" + audit::vkey_name + " does not hold a key"});
    show("{}\n", (*key)->vkey());
    if (::isatty(STDERR_FILENO) == 1) {
        tell(
            "Note it where nobody who can write here can change it; then `countersign audit verify --vkey KEY` proves\n"
            "that this log was signed by it.\n");
    }
    return exit_holds;
}

}  // namespace

void add_audit_key(CLI::App& audit, int& exit_code) {
    auto* key = audit.add_subcommand("key", "Print the log's public key, to be noted elsewhere");
    auto state = std::make_shared<std::string>();
    add_state_option(*key, *state);
    key->callback([&exit_code, state] { exit_code = audit_key(*state); });
}

}  // namespace countersign::app
