// SPDX-License-Identifier: Apache-2.0
// `audit seal`: moves a log that no hub can continue aside, and begins a new one that says so.
#include "audit/seal.hpp"
#include "app/report.hpp"

#include "app/commands/audit/audit.hpp"
#include "app/keys.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/system_clock.hpp"
#include "audit/state_directory.hpp"

#include <memory>
#include <unistd.h>

namespace countersign::app {
namespace {

int audit_seal(const std::string& state, const std::string& reason) {
    const auto path = state_directory(state);
    if (!path) return report(path.error());
    const auto there = audit::posix_file_system().exists(*path);
    if (!there) return report(there.error());
    if (!*there) return report({Errc::unavailable, "there is no state directory " + *path});
    keep_memory_private();
    const auto directory = audit::StateDirectory::open(*path);  // no hub may run meanwhile
    if (!directory) return report(directory.error());
    const auto seed = load_log_key(directory->path());
    if (!seed) return report(seed.error());
    auto key = security::Ed25519SigningKey::from_seed(*seed);
    if (!key) return report(key.error());
    const SystemClock clock;
    const auto sealed = audit::seal({.files = audit::posix_file_system(),
                                     .state = directory->path(),
                                     .key = std::move(*key),
                                     .reason = reason,
                                     .by = "uid:" + std::to_string(::getuid()),
                                     .now = {.ts = clock.wall(), .mono = clock.boot(), .boot_id = boot_id()}});
    if (!sealed) return report(sealed.error());
    if (!sealed->directory.empty()) {
        show("The old log lies in {}. Nothing in it was changed: keep it.\n", sealed->directory);
    }
    show("A new log begins with a record of this. Its key, for `countersign audit verify --vkey`:\n{}\n", sealed->vkey);
    return exit_holds;
}

}  // namespace

void add_audit_seal(Command& audit) {
    auto seal = audit.subcommand("seal", "Move a damaged log aside and begin a new one that refers to it");
    seal.footer(
        "A hub that finds its log changed, cut or gone refuses to start (exit code 3). First keep a copy of the "
        "directory and find out what happened; perhaps you can restore a backup. Only then seal it: the old files are "
        "moved aside unchanged, and the first record of the new log names the old one, how much of it is valid, and "
        "your reason.");
    auto state = std::make_shared<std::string>();
    auto reason = std::make_shared<std::string>();
    add_state_option(seal, *state);
    seal.option("--reason", *reason, "What happened; it is recorded in the new log").required().check(reason_mistake);
    seal.runs([state, reason] { return audit_seal(*state, *reason); });
}

}  // namespace countersign::app
