// SPDX-License-Identifier: Apache-2.0
// `audit verify`: what can be proved about a log, and what was proved.
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/commands/input.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "audit/anchor.hpp"
#include "audit/verifier.hpp"
#include "core/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

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

// One line for each of the three things, proved or not: who reads only that it holds must not take it for more.
void print_proof(const audit::Verification& found) {
    show("{} records of {}, {} signatures checked, root {}\n", found.records, found.origin, found.signatures,
         found.root);
    if (found.key_changes > 0) {
        show("{} of its key, each signed by the key before it\n",
             found.key_changes == 1 ? "1 change" : fmt::format("{} changes", found.key_changes));
    }
    show("proved: self-consistent\n");
    if (found.proof == audit::Verification::Proof::signed_by_given_key) {
        show("proved: signed by the key you gave\n");
    } else {
        show("not proved: that a key you trust signed it; give the key you noted elsewhere with --vkey\n");
    }
    if (found.anchors > 0) {
        show("proved: consistent with {} outside {}, up to {} records\n", found.anchors,
             found.anchors == 1 ? "anchor" : "anchors", found.anchored);
    } else {
        show("not proved: that it was not rolled back or rewritten with its key; give --from-checkpoint or --anchor\n");
    }
    for (const auto& cosigned : found.cosigned) {
        const WallTime when{std::chrono::seconds{static_cast<std::int64_t>(cosigned.seconds)}};
        show("cosigned: by {} at {} records, {}\n", cosigned.witness, cosigned.size, rfc3339(when));
    }
    if (!found.checkpoint) {
        show("        there is no checkpoint file: that records were cut off at the end cannot be excluded\n");
    }
}

struct VerifyOptions {
    std::string state;
    GivenKey key;
    bool every_signature = false;
    std::string from_checkpoint;
    std::vector<std::string> anchors;
    std::vector<std::string> witnesses;
};

Result<std::vector<audit::Anchor>> anchors_given(const VerifyOptions& options, const audit::LogKeys& keys) {
    std::vector<audit::Anchor> anchors;
    const auto about = [](const std::string& file, const Error& error) {
        return Error{error.code, file + ": " + error.detail};
    };
    if (!options.from_checkpoint.empty()) {
        const auto note = read_file(options.from_checkpoint);
        if (!note) return note.error();
        auto anchor = audit::parse_checkpoint_anchor(*note, keys);
        if (!anchor) return about(options.from_checkpoint, anchor.error());
        anchors.push_back(std::move(*anchor));
    }
    for (const auto& file : options.anchors) {
        const auto text = read_file(file);
        if (!text) return text.error();
        auto more = audit::parse_anchors(*text, keys);
        if (!more) return about(file, more.error());
        anchors.insert(anchors.end(), more->begin(), more->end());
    }
    std::ranges::sort(anchors, {}, &audit::Anchor::size);
    return anchors;
}

Result<audit::Verifying> what_was_given(const VerifyOptions& options, const std::string& directory) {
    audit::Verifying verifying;
    auto key = options.key.key();
    if (!key) return key.error();
    verifying.key = std::move(*key);
    verifying.every_signature = options.every_signature;
    for (const auto& text : options.witnesses) {
        auto witness = key_given("--witness-key", text, audit::NoteAlgorithm::witness);
        if (!witness) return witness.error();
        verifying.witnesses.push_back(std::move(*witness));
    }
    if (options.from_checkpoint.empty() && options.anchors.empty()) return verifying;
    const auto keys = options.key.all_of(directory);
    if (!keys) return keys.error();
    auto anchors = anchors_given(options, *keys);
    if (!anchors) return anchors.error();
    verifying.anchors = std::move(*anchors);
    return verifying;
}

int audit_verify(const VerifyOptions& options) {
    const auto directory = existing_log(options.state);
    if (!directory) return audit_failed(directory.error());
    auto given = what_was_given(options, *directory);
    if (!given) return audit_failed(given.error());
    auto& verifying = *given;
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
    verify->add_flag("--every-signature", options->every_signature,
                     "Check all signatures; without it the last of each segment, which covers everything before it");
    verify->add_option("--from-checkpoint", options->from_checkpoint,
                       "A checkpoint that you kept: the log must extend it");
    verify->add_option("--anchor", options->anchors,
                       "A file of checkpoints, or of lines `records root`, that were kept elsewhere: each must agree");
    verify->add_option(
        "--witness-key", options->witnesses,
        "The key of a witness, or a file with it: it must have cosigned what is beside the log, or an anchor");
    verify->callback([&exit_code, options] { exit_code = audit_verify(*options); });
}

}  // namespace countersign::app
