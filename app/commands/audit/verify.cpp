// SPDX-License-Identifier: Apache-2.0
// `audit verify`: what can be proved about a log, and what was proved.
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/process.hpp"
#include "audit/verifier.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <unistd.h>

namespace countersign::app {
namespace {

// How far a long verification is, on a terminal only; once in a while, so that it costs nothing.
class Progress {
public:
    void at(std::uint64_t records) {
        if (!shown_) return;
        const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
        if (seconds < 0.5) return;
        fmt::print(stderr, "\r{} records, {:.0f}/s", records, static_cast<double>(records) / seconds);
        drawn_ = true;
    }
    ~Progress() {
        if (drawn_) fmt::print(stderr, "\r\x1b[K");
    }
    Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

private:
    bool shown_ = ::isatty(STDERR_FILENO) == 1;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

void print_proof(const audit::Verification& found) {
    fmt::print("{} records of {}, {} signatures, root {}\n", found.records, found.origin, found.signatures, found.root);
    if (found.proof == audit::Verification::Proof::signed_by_given_key) {
        fmt::print("proved: signed by the key you gave\n");
    } else {
        fmt::print("proved: self-consistent, with the key that lies beside the log\n"
                   "        give the key you noted elsewhere with --vkey for more\n");
    }
    if (!found.checkpoint) {
        fmt::print("        there is no checkpoint file: that records were cut off at the end cannot be excluded\n");
    }
}

struct VerifyOptions {
    std::string state;
    GivenKey key;
};

int audit_verify(const VerifyOptions& options) {
    const auto directory = existing_log(options.state);
    if (!directory) return audit_failed(directory.error());
    auto key = options.key.key();
    if (!key) return audit_failed(key.error());
    audit::Verifying verifying;
    verifying.key = std::move(*key);
    Result<audit::Verification> found;
    {
        Progress progress;
        verifying.progress = [&](std::uint64_t records) { progress.at(records); };
        found = audit::verify(audit::posix_file_system(), *directory, verifying);
    }
    if (!found) return audit_failed(found.error());
    if (found->ok()) {
        print_proof(*found);
        return exit_holds;
    }
    const auto seq = found->first_bad_seq ? " at record " + std::to_string(*found->first_bad_seq) : std::string{};
    return audit_failed({Errc::damaged, fmt::format("{}: {}{}: {} ({} records before it hold)", *directory,
                                                    audit::name(found->verdict), seq, found->why, found->records)});
}

}  // namespace

void add_audit_verify(CLI::App& audit, int& exit_code) {
    auto* verify = audit.add_subcommand("verify", "Check every record, link and signature");
    auto options = std::make_shared<VerifyOptions>();
    add_state_option(*verify, options->state);
    options->key.add_to(*verify);
    verify->callback([&exit_code, options] { exit_code = audit_verify(*options); });
}

}  // namespace countersign::app
