// SPDX-License-Identifier: Apache-2.0
#include "app/keys.hpp"

#include "app/channels/secrets.hpp"
#include "audit/state_directory.hpp"
#include "security/encoding.hpp"
#include "security/key_file.hpp"
#include "security/secret_file.hpp"

#include <filesystem>
#include <optional>
#include <sys/stat.h>

namespace countersign::app {
namespace {

std::optional<std::filesystem::path> credential(const std::string& name) {
    const auto credentials = security::credentials_directory();
    if (!credentials) return std::nullopt;
    auto path = *credentials / ("countersign-" + name + "-key");
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    return path;
}

std::filesystem::path own_file(const std::string& state, const std::string& name) {
    return std::filesystem::path{state} / "keys" / name;
}

Result<security::Secret> load(const std::string& state, const std::string& name) {
    if (const auto path = credential(name)) return security::load_key(*path, true);
    return security::load_or_create_key(own_file(state, name));
}

}  // namespace

Result<Keys> load_keys(const std::string& state) {
    const auto directory = state + "/keys";
    if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
        return Error{Errc::unavailable, directory + ": " + std::system_category().message(errno)};
    }
    if (const auto kept = audit::check_private_directory(directory); !kept) return kept.error();
    Keys keys;
    for (auto [name, key] : {std::pair{"log", &keys.log}, std::pair{"button", &keys.button},
                             std::pair{"code", &keys.code}, std::pair{"fingerprint", &keys.fingerprint}}) {
        auto loaded = load(state, name);
        if (!loaded) return loaded.error();
        *key = std::move(*loaded);
    }
    return keys;
}

Result<security::Secret> load_log_key(const std::string& state) {
    if (const auto path = credential("log")) return security::load_key(*path, true);
    const auto path = own_file(state, "log");
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
        if (const auto kept = audit::check_private_directory(path.parent_path().string()); !kept) return kept.error();
        return security::load_key(path);
    }
    return Error{Errc::unavailable, "there is no key " + path.string() +
                                        "; where the hub gets it as a credential, run this with the same "
                                        "$CREDENTIALS_DIRECTORY"};
}

Result<std::string> log_key_file(const std::string& state) {
    if (const auto path = credential("log")) {
        return Error{Errc::unsupported, "the log's key is the credential " + path->string() +
                                            ", which is not ours to change; give --new-key-file, and put that file in "
                                            "the credential's place afterwards"};
    }
    return own_file(state, "log").string();
}

std::vector<security::KnownSecret> own_secrets(const Keys& keys, const Configuration& configuration) {
    auto known = channel_secrets(configuration);
    for (const auto* key : {&keys.log, &keys.button, &keys.code, &keys.fingerprint}) {
        known.push_back({.value = security::hex(key->bytes())});
    }
    return known;
}

}  // namespace countersign::app
