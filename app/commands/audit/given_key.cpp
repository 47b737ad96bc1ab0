// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/given_key.hpp"

#include "app/input.hpp"
#include "audit/file_system.hpp"

#include <string_view>

namespace countersign::app {

namespace {

// The lines with keys, from the option or from the file that it names.
Result<std::string> lines_given(const std::string& option, const std::string& file_or_key) {
    if (file_or_key.empty()) return Error{Errc::bad_config, option + " is empty; leave it out, or give the key"};
    const bool is_key = file_or_key.find('+') != std::string::npos;
    auto text = is_key ? Result<std::string>{file_or_key} : read_file(file_or_key);
    if (!text) return text.error();
    while (!text->empty() && text->back() == '\n') text->pop_back();
    return *text + "\n";
}

Error no_key(const std::string& option, const Error& why) {
    return {Errc::bad_config,
            option + ": " + why.detail + "; give a line like name+1a2b3c4d+base64, as in log.vkey, or a file with it"};
}

}  // namespace

Result<audit::LogKeys> log_keys_given(const std::string& option, const std::string& file_or_key) {
    const auto text = lines_given(option, file_or_key);
    if (!text) return text.error();
    auto keys = audit::LogKeys::parse(*text);
    if (!keys) return no_key(option, keys.error());
    return keys;
}

Result<audit::NoteKey> key_given(const std::string& option, const std::string& file_or_key,
                                 audit::NoteAlgorithm algorithm) {
    if (algorithm == audit::NoteAlgorithm::log) {
        const auto keys = log_keys_given(option, file_or_key);
        if (!keys) return keys.error();
        return keys->current();
    }
    const auto text = lines_given(option, file_or_key);
    if (!text) return text.error();
    auto key = audit::NoteKey::parse(std::string_view{*text}.substr(0, text->size() - 1), algorithm);
    if (!key) return no_key(option, key.error());
    return key;
}

void GivenKey::add_to(Command& command) {
    parameter_ =
        command.option("--vkey", text_, "The log's public key, or a file that has it, from a source you trust");
}

bool GivenKey::given() const { return parameter_ && parameter_->given(); }

Result<std::optional<audit::NoteKey>> GivenKey::key() const {
    if (!given()) return std::optional<audit::NoteKey>{};
    auto key = key_given("--vkey", text_);
    if (!key) return key.error();
    return std::optional{std::move(*key)};
}

Result<audit::NoteKey> GivenKey::or_own(const std::string& directory) const {
    auto given = key();
    if (!given) return given.error();
    if (*given) return std::move(**given);
    const auto beside = audit::read_log_keys(audit::posix_file_system(), directory);
    if (!beside) return beside.error();
    return beside->first();
}

Result<audit::LogKeys> GivenKey::all_of(const std::string& directory) const {
    const auto key = or_own(directory);
    if (!key) return key.error();
    return audit::keys_with(audit::posix_file_system(), directory, *key);
}

}  // namespace countersign::app
