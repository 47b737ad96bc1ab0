// SPDX-License-Identifier: Apache-2.0
// `audit`: reading the log, and proving that nobody changed it.
#include "app/commands/commands.hpp"
#include "app/commands/input.hpp"
#include "app/process.hpp"
#include "audit/follower.hpp"
#include "audit/print.hpp"
#include "audit/segment.hpp"
#include "audit/verifier.hpp"
#include "core/limits.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>

namespace countersign::app {
namespace {

Result<std::string> audit_directory(const std::string& state) {
    if (!state.empty()) return state + "/audit";
    const auto usual = default_state_directory();
    if (!usual) return usual.error();
    return *usual + "/audit";
}

// An empty place is not a damaged log, and usually a wrong path. One that may not be read is neither.
Result<std::string> existing_log(const std::string& state) {
    auto directory = audit_directory(state);
    if (!directory) return directory;
    auto& files = audit::posix_file_system();
    const auto there = files.exists(*directory);
    if (!there) return there.error();
    const auto segments = *there ? audit::count_segments(files, *directory) : Result<std::uint64_t>{0};
    if (!segments && segments.error().code == Errc::unavailable) return segments.error();
    if (!segments || *segments > 0) return directory;
    return Error{Errc::unavailable, "there is no log in " + *directory + "; --state is the directory above it"};
}

// The code for a damaged log is a hub's that refuses to start on it; to look at one is no such thing.
int failed(const Error& error) {
    report(error);
    return exit_does_not_hold;
}

struct TailOptions {
    std::string state;
    std::uint64_t records = 20;
    bool follow = false;
    bool json = false;
};

// False when nobody reads any more.
bool print_all(const std::vector<audit::TailRecord>& records, bool json) {
    for (const auto& entry : records) {
        const auto line = (json ? audit::print_json(entry.json) : audit::print(entry.record)) + "\n";
        if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return false;
    }
    return std::fflush(stdout) == 0;
}

int audit_tail(const TailOptions& options) {
    const auto directory = existing_log(options.state);
    if (!directory) return failed(directory.error());
    audit::Follower follower{audit::posix_file_system(), *directory};
    auto records = follower.last(options.records);
    if (!records) return failed(records.error());
    int exit_code = exit_holds;
    while (true) {
        const bool read = print_all(*records, options.json);
        if (follower.damage() && exit_code == exit_holds) {
            exit_code = failed({Errc::damaged, *directory + "/" + *follower.damage() +
                                                   " cannot be read; run `countersign audit verify`"});
        }
        if (!read || !options.follow) return exit_code;
        std::this_thread::sleep_for(limits::audit_follow_interval);
        records = follower.next();
        if (!records) return failed(records.error());
    }
}

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
    if (!directory) return failed(directory.error());
    audit::Verifying verifying;
    if (vkey) {
        auto key = key_given(*vkey);
        if (!key) return failed(key.error());
        verifying.key = std::move(*key);
    }
    Result<audit::Verification> found;
    {
        Progress progress;
        verifying.progress = [&](std::uint64_t records) { progress.at(records); };
        found = audit::verify(audit::posix_file_system(), *directory, verifying);
    }
    if (!found) return failed(found.error());
    if (found->ok()) {
        print_proof(*found);
        return exit_holds;
    }
    const auto seq = found->first_bad_seq ? " at record " + std::to_string(*found->first_bad_seq) : std::string{};
    return failed({Errc::damaged, fmt::format("{}: {}{}: {} ({} records before it hold)", *directory,
                                              audit::name(found->verdict), seq, found->why, found->records)});
}

std::string whole_number(const std::string& text) {
    const bool whole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return whole && text.size() <= 18 ? std::string{} : "write a whole number";
}

}  // namespace

void add_audit(CLI::App& app, int& exit_code) {
    auto* audit = app.add_subcommand("audit", "Read the audit log and prove that nobody changed it");
    audit->require_subcommand(1);

    auto* tail = audit->add_subcommand("tail", "Print the last records, one a line");
    auto tailing = std::make_shared<TailOptions>();
    tail->add_option("--state", tailing->state, "The state directory (default: ~/.local/state/countersign)");
    tail->add_option("-n,--records", tailing->records, "How many")->capture_default_str()->check(whole_number);
    tail->add_flag("-f,--follow", tailing->follow, "Go on as records come");
    tail->add_flag("--json", tailing->json, "The records as they stand in the log");
    tail->callback([&exit_code, tailing] { exit_code = audit_tail(*tailing); });

    auto* verify = audit->add_subcommand("verify", "Check every record, link and signature");
    auto state = std::make_shared<std::string>();
    auto vkey = std::make_shared<std::string>();
    verify->add_option("--state", *state, "The state directory (default: ~/.local/state/countersign)");
    const auto* given =
        verify->add_option("--vkey", *vkey, "The log's public key, or a file with it, from a place you trust");
    verify->callback([&exit_code, state, vkey, given] {
        // An empty one was meant to be a key, and must not lessen what is proved without a word.
        exit_code = audit_verify(*state, given->count() > 0 ? std::optional{*vkey} : std::nullopt);
    });
}

}  // namespace countersign::app
