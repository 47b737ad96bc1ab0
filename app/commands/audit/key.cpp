// SPDX-License-Identifier: Apache-2.0
// `audit key`: prints the public key, to be stored elsewhere, or replaces it with another one.
#include "app/commands/audit/audit.hpp"
#include "app/keys.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/system_clock.hpp"
#include "audit/log_keys.hpp"
#include "audit/log_scan.hpp"
#include "audit/rotate.hpp"
#include "audit/state_directory.hpp"
#include "security/display/display.hpp"
#include "security/key_file.hpp"

#include <memory>
#include <unistd.h>

namespace countersign::app {
namespace {

struct KeyOptions {
    std::string state;
    bool rotate = false;
    std::string reason;
    std::string new_key_file;
};

int audit_key(const std::string& state) {
    const auto directory = existing_log(state);
    if (!directory) return audit_failed(directory.error());
    auto& files = audit::posix_file_system();
    const auto keys = audit::read_log_keys(files, *directory);
    if (!keys) return audit_failed(keys.error());
    // The operator will trust this key: print only a key that the log itself names.
    const auto walked = audit::walk(files, *directory, keys->first(), {.check = audit::Chain::Check::last});
    if (!walked) return audit_failed(walked.error());
    if (walked->broken) return audit_failed(*walked->broken);
    show("{}\n", security::display(walked->keys.current().vkey(), security::DisplayMode::line));
    if (::isatty(STDERR_FILENO) == 1) {
        tell(
            "Note it where nobody who can write here can change it; then `countersign audit verify --vkey KEY` proves\n"
            "that this log was signed by it.\n");
    }
    return exit_holds;
}

Result<audit::NoteSigner> signer(const std::string& origin, const security::Secret& seed) {
    auto key = security::Ed25519SigningKey::from_seed(seed);
    if (!key) return key.error();
    return audit::NoteSigner::make(origin, std::move(*key));
}

// The new key is on disk before the log names it, and replaces the old key file last.
Result<std::string> rotate(const audit::StateDirectory& directory, const KeyOptions& options) {
    const auto current = load_log_key(directory.path());
    if (!current) return current.error();
    const auto own = options.new_key_file.empty() ? log_key_file(directory.path()) : Result<std::string>{std::string{}};
    if (!own) return own.error();
    auto& files = audit::posix_file_system();
    const auto log = audit::read_log_keys(files, directory.audit());
    if (!log) return log.error();
    auto from = signer(log->origin(), *current);
    if (!from) return from.error();
    // Checked before a new key is created.
    if (!log->has(from->key())) {
        return Error{Errc::bad_config, "the key at hand, " + from->key().vkey() + ", is not the log's, " +
                                           log->current().vkey() + "; run this with the key that the hub has"};
    }
    const auto next = options.new_key_file.empty() ? *own + ".next" : options.new_key_file;
    const auto seed = security::load_or_create_key(next);
    if (!seed) return seed.error();
    auto to = signer(log->origin(), *seed);
    if (!to) return to.error();
    auto vkey = to->key().vkey();
    const SystemClock clock;
    const auto rotated = audit::rotate({.files = files,
                                        .directory = directory.audit(),
                                        .from = std::move(*from),
                                        .to = std::move(*to),
                                        .reason = options.reason,
                                        .by = "uid:" + std::to_string(::getuid()),
                                        .now = {.ts = clock.wall(), .mono = clock.boot(), .boot_id = boot_id()}});
    if (!rotated) return rotated.error();
    if (!own->empty()) {
        if (const auto placed = security::put_in_place(next, *own); !placed) return placed.error();
    }
    return vkey;
}

int audit_rotate(const KeyOptions& options) {
    // Don't create a log where there is none.
    if (const auto there = existing_log(options.state); !there) return audit_failed(there.error());
    const auto path = state_directory(options.state);
    if (!path) return report(path.error());
    keep_memory_private();
    const auto directory = audit::StateDirectory::open(*path);  // no hub may run meanwhile
    if (!directory) return report(directory.error());
    const auto vkey = rotate(*directory, options);
    if (!vkey) return report(vkey.error());
    show("{}\n", *vkey);
    tell("The log goes on under this key; a record that the old key signed says so. Note it beside the old one, and "
         "give\n"
         "it to every witness (`countersign witness --log`).\n");
    if (!options.new_key_file.empty()) {
        tell("The hub does not start before it gets {} as its log key.\n", options.new_key_file);
    }
    return exit_holds;
}

}  // namespace

void add_audit_key(Command& audit) {
    auto key =
        audit.subcommand("key", "Print the log's public key, so that you can keep it elsewhere; or replace the key");
    auto options = std::make_shared<KeyOptions>();
    add_state_option(key, options->state);
    auto rotate = key.flag("--rotate", options->rotate,
                           "Create a new key, and sign the log with it from now on; stop the hub first");
    const auto reason = key.option("--reason", options->reason, "The reason, which is recorded in the log")
                            .needs(rotate)
                            .check(reason_mistake);
    rotate.needs(reason);
    key.option("--new-key-file", options->new_key_file,
               "The new secret key, created if it doesn't exist; for a hub whose key is a systemd credential")
        .needs(rotate);
    key.footer(
        "The old key signs the change, so a log can still be verified with the old public key. With the new public "
        "key, "
        "records that a thief of the old key signed later are found. If the command is interrupted, the hub refuses "
        "to start: run the command again.");
    key.runs([options] { return options->rotate ? audit_rotate(*options) : audit_key(options->state); });
}

}  // namespace countersign::app
