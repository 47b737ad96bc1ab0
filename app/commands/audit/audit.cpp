// SPDX-License-Identifier: Apache-2.0
// `audit`: reads the log, and proves that it was not changed.
#include "app/commands/audit/audit.hpp"

#include "app/commands/commands.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "audit/file_system.hpp"
#include "audit/log_marker.hpp"
#include "audit/segment.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"

namespace countersign::app {
namespace {

// --state may also name a log directory itself, e.g. a sealed log next to the current one.
bool is_log(const std::string& directory) {
    const auto there = audit::posix_file_system().exists(directory + "/" + audit::segment_name(0));
    return there && *there;
}

Result<std::string> audit_directory(const std::string& state) {
    if (!state.empty()) return is_log(state) ? state : state + "/audit";
    const auto usual = state_directory({});
    if (!usual) return usual.error();
    return *usual + "/audit";
}

}  // namespace

Result<std::string> existing_log(const std::string& state) {
    auto directory = audit_directory(state);
    if (!directory) return directory;
    auto& files = audit::posix_file_system();
    const auto there = files.exists(*directory);
    if (!there) return there.error();
    const auto segments = *there ? audit::count_segments(files, *directory) : Result<std::uint64_t>{0};
    if (!segments && segments.error().code == Errc::unavailable) return segments.error();
    if (!segments || *segments > 0) return directory;
    // If a log was begun here, it was removed: then the path is right.
    const auto lost = audit::check_begun(files, directory->substr(0, directory->rfind('/')));
    if (!lost && lost.error().code == Errc::damaged) return lost.error();
    return Error{Errc::unavailable,
                 "there is no log in " + *directory + "; --state is the directory that holds audit/, or a log itself"};
}

int audit_failed(const Error& error) {
    report(error);
    return exit_does_not_hold;
}

void add_state_option(Command& command, std::string& state) {
    command.option("--state", state, "The state directory (default: ~/.local/state/countersign)").type_name("DIR");
}

std::string whole_number(const std::string& text) {
    const bool whole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return whole && text.size() <= 18 ? std::string{} : "write a whole number";
}

std::string reason_mistake(const std::string& text) {
    if (text.find_first_not_of(" \t\n") == std::string::npos) return "say what happened: it stands in the log";
    if (text.size() > limits::audit_reason_bytes_max) {
        return "at most " + std::to_string(limits::audit_reason_bytes_max) + " bytes";
    }
    return utf8::valid(text) ? std::string{} : "not UTF-8";
}

void add_audit(Command& program) {
    auto audit = program.subcommand("audit", "Read the audit log and verify that it wasn't changed");
    audit.needs_subcommand();
    add_audit_tail(audit);
    add_audit_list(audit);
    add_audit_show(audit);
    add_audit_stats(audit);
    add_audit_coverage(audit);
    add_audit_verify(audit);
    add_audit_key(audit);
    add_audit_seal(audit);
    add_audit_prove(audit);
    add_audit_export(audit);
}

}  // namespace countersign::app
