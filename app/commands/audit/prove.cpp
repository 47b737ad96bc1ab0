// SPDX-License-Identifier: Apache-2.0
// `audit prove`: writes one record and its proof, for a person who does not get the log.
#include "audit/prove.hpp"
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/commands/audit/progress_bar.hpp"
#include "app/output.hpp"
#include "app/report.hpp"

#include <charconv>
#include <memory>

namespace countersign::app {
namespace {

struct ProveOptions {
    std::string state;
    std::string seq;
    std::string output;
    std::string record;
    GivenKey key;
};

// Atomic, like everything derived from the log.
Result<void> write_file(const std::string& path, std::string_view bytes) {
    const auto slash = path.rfind('/');
    const auto directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    return audit::replace(audit::posix_file_system(), directory, path.substr(slash + 1), bytes);
}

std::string record_number(const std::string& text) {
    return whole_number(text.starts_with('#') ? text.substr(1) : text);
}

int audit_prove(const ProveOptions& options) {
    const auto directory = existing_log(options.state);
    if (!directory) return audit_failed(directory.error());
    const auto key = options.key.or_own(*directory);
    if (!key) return audit_failed(key.error());
    std::uint64_t seq = 0;
    const auto digits = std::string_view{options.seq}.substr(options.seq.starts_with('#') ? 1 : 0);
    std::from_chars(digits.data(), digits.data() + digits.size(), seq);
    ProgressBar progress;
    const auto proved = audit::prove(audit::posix_file_system(), *directory, *key, seq, progress.watch());
    progress.clear();
    if (!proved) return audit_failed(proved.error());
    if (!options.record.empty()) {
        if (const auto written = write_file(options.record, proved->record); !written) {
            return audit_failed(written.error());
        }
    }
    const auto text = audit::to_text(proved->proof);
    if (options.output.empty()) {
        show("{}", text);
        return exit_holds;
    }
    if (const auto written = write_file(options.output, text); !written) return audit_failed(written.error());
    return exit_holds;
}

}  // namespace

void add_audit_prove(Command& audit) {
    auto prove = audit.subcommand("prove", "Prove one record to someone who doesn't have the log");
    auto options = std::make_shared<ProveOptions>();
    prove.option("SEQ", options->seq, "The number of the record, e.g. 9 or #9").required().check(record_number);
    add_state_option(prove, options->state);
    options->key.add_to(prove);
    prove.option("-o,--output", options->output, "Write the proof to this file (default: standard output)");
    prove.option("--record", options->record, "Write the record to this file: exactly the bytes that are proved");
    prove.footer("The proof is a C2SP tlog-proof: the record's place, the hashes from it to the root, and the signed "
                 "checkpoint. To check it:\n"
                 "  countersign check proof P.tlog-proof --record R.json --vkey log.vkey\n"
                 "or without this program, with anything that reads c2sp.org/tlog-proof and signed notes: Go's "
                 "golang.org/x/mod/sumdb has note.Open for the checkpoint and tlog.CheckRecord for the hashes. The "
                 "leaf is SHA-256 of a zero byte and the record: (printf '\\0'; cat R.json) | sha256sum");
    prove.runs([options] { return audit_prove(*options); });
}

}  // namespace countersign::app
