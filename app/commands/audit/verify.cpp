// SPDX-License-Identifier: Apache-2.0
// `audit verify`: what can be proved about a log, and what was proved.
#include "app/commands/audit/audit.hpp"
#include "app/commands/input.hpp"
#include "app/process.hpp"
#include "audit/verifier.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
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

Result<audit::NoteKey> key_given(const std::string& file_or_key) {
    if (file_or_key.empty()) return Error{Errc::bad_config, "--vkey is empty; leave it out, or give the log's key"};
    const bool is_key = file_or_key.find('+') != std::string::npos;
    auto text = is_key ? Result<std::string>{file_or_key} : read_file(file_or_key);
    if (!text) return text.error();
    while (!text->empty() && text->back() == '\n') text->pop_back();
    auto key = audit::NoteKey::parse(*text);
    if (key) return key;
    return Error{Errc::bad_config, "--vkey: " + key.error().detail +
                                       "; give a line like name+1a2b3c4d+base64, as in log.vkey, or a file with it"};
}

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

int audit_verify(const std::string& state, const std::optional<std::string>& vkey) {
    const auto directory = existing_log(state);
    if (!directory) return audit_failed(directory.error());
    audit::Verifying verifying;
    if (vkey) {
        auto key = key_given(*vkey);
        if (!key) return audit_failed(key.error());
        verifying.key = std::move(*key);
    }
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
    auto state = std::make_shared<std::string>();
    auto vkey = std::make_shared<std::string>();
    add_state_option(*verify, *state);
    const auto* given =
        verify->add_option("--vkey", *vkey, "The log's public key, or a file with it, from a place you trust");
    verify->callback([&exit_code, state, vkey, given] {
        // An empty one was meant to be a key, and must not lessen what is proved without a word.
        exit_code = audit_verify(*state, given->count() > 0 ? std::optional{*vkey} : std::nullopt);
    });
}

}  // namespace countersign::app
