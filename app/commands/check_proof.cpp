// SPDX-License-Identifier: Apache-2.0
// `check proof`: checks a record and its proof, without the log.
#include "app/command_line/command.hpp"
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/commands/commands.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "audit/proof_text.hpp"
#include "audit/record.hpp"
#include "core/counted.hpp"
#include "security/encoding.hpp"

#include <memory>

namespace countersign::app {
namespace {

struct ProofOptions {
    std::string proof;
    std::string record;
    std::string key;
};

// The record's bytes. Canonical JSON does not end with a line break, so one added by an editor or `cut` is removed.
Result<std::string> read_record(const std::string& path) {
    auto record = read_file(path);
    if (record && record->ends_with('\n')) record->pop_back();
    return record;
}

int check_proof(const ProofOptions& options) {
    const auto keys = log_keys_given("--vkey", options.key);
    if (!keys) return audit_failed(keys.error());
    const auto text = read_file(options.proof);
    if (!text) return audit_failed(text.error());
    const auto record = read_record(options.record);
    if (!record) return audit_failed(record.error());
    const auto proof = audit::parse_inclusion_proof(*text);
    if (!proof) return audit_failed(proof.error());
    const auto tree = audit::check(*proof, *record, *keys);
    if (!tree) return audit_failed(tree.error());
    // The log's key signed something that is not this record: the program that wrote it has a bug, so report it.
    const auto read = audit::parse_record(*record);
    if (!read || read->seq != proof->index) {
        return audit_failed({Errc::damaged, "it is in the tree, and is not a record of that number"});
    }
    show("holds: record {} of {}, in the tree of {} with root {}\n", proof->index, keys->origin(),
         counted(tree->size, "record"), security::base64(tree->root));
    return exit_holds;
}

}  // namespace

void add_check_proof(Command& check) {
    auto proof = check.subcommand("proof", "Check the proof that a record is in a log, without having the log");
    auto options = std::make_shared<ProofOptions>();
    proof.option("FILE", options->proof, "The proof, from `audit prove`; - is standard input").required();
    proof.option("--record", options->record, "The record, from `audit prove --record`").required();
    proof.option("--vkey", options->key, "The log's public key, or a file that has it, from a source you trust")
        .required();
    proof.runs([options] { return check_proof(*options); });
}

}  // namespace countersign::app
