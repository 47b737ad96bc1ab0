// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/given_key.hpp"

#include "app/commands/input.hpp"
#include "audit/file_system.hpp"
#include "audit/log_key.hpp"

#include <CLI/CLI.hpp>

namespace countersign::app {

Result<audit::NoteKey> key_given(const std::string& option, const std::string& file_or_key,
                                 audit::NoteAlgorithm algorithm) {
    if (file_or_key.empty()) return Error{Errc::bad_config, option + " is empty; leave it out, or give the key"};
    const bool is_key = file_or_key.find('+') != std::string::npos;
    auto text = is_key ? Result<std::string>{file_or_key} : read_file(file_or_key);
    if (!text) return text.error();
    while (!text->empty() && text->back() == '\n') text->pop_back();
    auto key = audit::NoteKey::parse(*text, algorithm);
    if (key) return key;
    return Error{Errc::bad_config, option + ": " + key.error().detail +
                                       "; give a line like name+1a2b3c4d+base64, as in log.vkey, or a file with it"};
}

void GivenKey::add_to(CLI::App& command) {
    option_ = command.add_option("--vkey", text_, "The log's public key, or a file with it, from a place you trust");
}

Result<std::optional<audit::NoteKey>> GivenKey::key() const {
    if (option_->count() == 0) return std::optional<audit::NoteKey>{};
    auto key = key_given("--vkey", text_);
    if (!key) return key.error();
    return std::optional{std::move(*key)};
}

Result<audit::NoteKey> GivenKey::or_own(const std::string& directory) const {
    auto given = key();
    if (!given) return given.error();
    if (*given) return std::move(**given);
    return audit::read_log_key(audit::posix_file_system(), directory);
}

}  // namespace countersign::app
