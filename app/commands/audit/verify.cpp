// SPDX-License-Identifier: Apache-2.0
// `audit verify`: prints what can be proved about a log, and what was proved.
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/commands/audit/progress_bar.hpp"
#include "app/commands/audit/screen.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "audit/anchor.hpp"
#include "audit/layout.hpp"
#include "audit/log_keys.hpp"
#include "audit/log_marker.hpp"
#include "audit/verifier.hpp"
#include "core/time.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace countersign::app {
namespace {

// Speed and duration; a short log may take less time than the clock can measure.
std::string pace(std::uint64_t records, std::chrono::microseconds took) {
    const auto seconds = std::max(static_cast<double>(took.count()), 1.0) / 1'000'000;
    const auto milliseconds = std::max<std::int64_t>(took.count() / 1000, 1);
    return fmt::format("{} records/s, {}", grouped(static_cast<std::uint64_t>(static_cast<double>(records) / seconds)),
                       short_span(milliseconds));
}

// Prints one line for each of the three things, proved or not, so that the reader does not take a valid log for more
// than was proved. `lost`: what is missing from a log that was begun here, in words that continue "the log"; may be
// empty.
void print_proof(const audit::Verification& found, std::chrono::microseconds took, const std::string& lost) {
    const auto where = screen();
    const auto say = [&](const std::string& word, std::string_view text) {
        write_to(stdout, hanging(where, word + ": ", text));
    };
    const auto shown = [](std::string_view text) { return security::display(text, security::DisplayMode::line); };
    say("log", counted(found.records, "record") + " of " + shown(found.origin));
    say("root", found.root);
    say("checked", counted(found.signatures, "signature") +
                       (found.texts == 0 ? "" : " and " + counted(found.texts, "long text")) + ", " +
                       pace(found.records, took));
    if (found.unchecked > 0) {
        say("not checked", counted(found.unchecked, "signature") +
                               " before the last of a segment, which covers the same records; give --every-signature");
    }
    if (found.missing > 0) {
        say("missing", counted(found.missing, "signature") +
                           " that stood here once; the records hold, because later ones cover them, but somebody "
                           "changed these files");
    }
    if (found.key_changes > 0) say("key", counted(found.key_changes, "change") + ", each signed by the key before it");
    if (found.older_key) {
        say("not proved", "that nobody who has the older key you gave wrote another end; give the log's newest key");
    }
    say("proved", "self-consistent");
    if (found.proof == audit::Verification::Proof::signed_by_given_key) {
        say("proved", "signed by the key you gave");
    } else {
        say("not proved", "that a key you trust signed it; give the key you noted elsewhere with --vkey");
    }
    if (found.anchors > 0) {
        say("proved", fmt::format("consistent with {}, up to {}", counted(found.anchors, "outside anchor"),
                                  counted(found.anchored, "record")));
    } else {
        say("not proved", "that its end was not cut off, or all of it rewritten with its key; give --from-checkpoint, "
                          "--anchor or --witness-key");
    }
    if (found.anchors > 0 && found.anchored < found.records) {
        say("not proved", fmt::format("anything about the last {}, from #{} on, which no anchor covers",
                                      counted(found.records - found.anchored, "record"), found.anchored));
    }
    for (const auto& cosigned : found.cosigned) {
        const auto when = wall_time_of_seconds(cosigned.seconds);
        say("cosigned", fmt::format("by {} at {}, {}", shown(cosigned.witness), counted(cosigned.size, "record"),
                                    when ? rfc3339(*when) : "at a time that cannot be"));
    }
    for (const auto& alarm : found.alarms) {
        say("ALARM", fmt::format("record {}: witness {} refused this log: {}", alarm.seq, shown(alarm.witness),
                                 shown(alarm.why)));
    }
    if (!found.checkpoint) {
        say("not proved", "that no record was cut off at the end; there is no checkpoint file");
        if (!lost.empty()) say("missing", "the log " + lost);
    }
}

struct VerifyOptions {
    std::string state;
    GivenKey key;
    bool every_signature = false;
    std::optional<std::string> from_checkpoint;
    std::vector<std::string> anchors;
    std::vector<std::string> witnesses;
};

Result<std::vector<audit::Anchor>> anchors_given(const VerifyOptions& options, const audit::LogKeys& keys) {
    std::vector<audit::Anchor> anchors;
    const auto about = [](const std::string& file, const Error& error) {
        return Error{error.code, file + ": " + error.detail};
    };
    if (options.from_checkpoint) {
        const auto note = read_file(*options.from_checkpoint);
        if (!note) return note.error();
        auto anchor = audit::parse_checkpoint_anchor(*note, keys);
        if (!anchor) return about(*options.from_checkpoint, anchor.error());
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
    if (!options.from_checkpoint && options.anchors.empty()) return verifying;
    const auto keys = options.key.all_of(directory);
    if (!keys) return keys.error();
    auto anchors = anchors_given(options, *keys);
    if (!anchors) return anchors.error();
    verifying.anchors = std::move(*anchors);
    return verifying;
}

// What the operator must know about an invalid log, or about a key or an anchor of another log.
std::string why_not(const audit::Verification& found, const audit::Verifying& verifying, const std::string& directory) {
    const auto beside = audit::keys_in(audit::posix_file_system(), directory + "/" + audit::vkey_name);
    if (verifying.key && beside && *beside && !(*beside)->has(*verifying.key)) {
        return fmt::format(
            "{}: the log says that its key is {}; you gave {}: that is the key of another log, or another "
            "log was put here ({})",
            directory, (*beside)->current().vkey(), verifying.key->vkey(), found.why);
    }
    if (!found.first_bad_seq) return fmt::format("{}: {}: {}", directory, audit::name(found.verdict), found.why);
    return fmt::format(
        "{}: {} at record {}: {} ({} records before it hold). Keep a copy; docs/AUDIT.md says what to do", directory,
        audit::name(found.verdict), *found.first_bad_seq, found.why, std::min(found.records, *found.first_bad_seq));
}

int audit_verify(const VerifyOptions& options) {
    const auto directory = existing_log(options.state);
    if (!directory) return audit_failed(directory.error());
    auto given = what_was_given(options, *directory);
    if (!given) return audit_failed(given.error());
    auto& verifying = *given;
    ProgressBar progress;
    verifying.progress = progress.watch();
    const auto began = std::chrono::steady_clock::now();
    const auto found = audit::verify(audit::posix_file_system(), *directory, verifying);
    const auto took = std::chrono::steady_clock::now() - began;
    progress.clear();
    if (!found) return audit_failed(found.error());
    if (found->ok()) {
        // A copy without its state directory was not begun there, so we cannot know whether anything is missing.
        const auto state = directory->substr(0, directory->rfind('/'));
        const auto lost = audit::what_is_lost(audit::posix_file_system(), state);
        print_proof(*found, std::chrono::duration_cast<std::chrono::microseconds>(took), lost ? *lost : "");
        // Every record is proved, but the operator should still look: make that visible in the exit code.
        return found->missing == 0 && found->alarms.empty() ? exit_holds : exit_does_not_hold;
    }
    return audit_failed({Errc::damaged, why_not(*found, verifying, *directory)});
}

}  // namespace

void add_audit_verify(Command& audit) {
    auto verify = audit.subcommand("verify", "Verify that the log wasn't changed, and say what isn't proved");
    auto options = std::make_shared<VerifyOptions>();
    add_state_option(verify, options->state);
    options->key.add_to(verify);
    verify.flag(
        "--every-signature", options->every_signature,
        "Check every signature. Otherwise, in a log of more than 4 segments (32 MiB), only the last signature of "
        "each segment is checked; it covers everything before it");
    verify.option("--from-checkpoint", options->from_checkpoint,
                  "A checkpoint that you kept: the log must begin with its records");
    verify.option(
        "--anchor", options->anchors,
        "A file of checkpoints, or of lines `RECORDS ROOT`, that were kept elsewhere: each must match the log");
    verify.option(
        "--witness-key", options->witnesses,
        "The key of a witness, or a file that has it: the witness must have signed a checkpoint next to the log, or "
        "one of --anchor");
    verify.footer(
        "It prints what was proved and what wasn't, and how long it took. The exit code is 0 if everything that you "
        "asked for was proved. It is 1 if something wasn't, if a signature was removed, or if a witness refused the "
        "log and hasn't signed it since.\n\n"
        "  countersign audit verify --vkey log.vkey --anchor roots.txt");
    verify.runs([options] { return audit_verify(*options); });
}

}  // namespace countersign::app
