// SPDX-License-Identifier: Apache-2.0
#include "app/keys.hpp"

#include "app/channels/secrets.hpp"
#include "security/encoding.hpp"

#include "security/key_file.hpp"
#include "security/secret_file.hpp"

#include <filesystem>
#include <sys/stat.h>

namespace countersign::app {
namespace {

Result<security::Secret> load(const std::string& state, const std::string& name) {
    if (const auto credentials = security::credentials_directory()) {
        const auto path = *credentials / ("countersign-" + name + "-key");
        std::error_code ignored;
        if (std::filesystem::exists(path, ignored)) return security::load_key(path, true);
    }
    return security::load_or_create_key(std::filesystem::path{state} / "keys" / name);
}

}  // namespace

Result<Keys> load_keys(const std::string& state) {
    const auto directory = state + "/keys";
    if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
        return Error{Errc::unavailable, directory + ": " + std::system_category().message(errno)};
    }
    Keys keys;
    for (auto [name, key] : {std::pair{"log", &keys.log}, std::pair{"button", &keys.button},
                             std::pair{"code", &keys.code}, std::pair{"fingerprint", &keys.fingerprint}}) {
        auto loaded = load(state, name);
        if (!loaded) return loaded.error();
        *key = std::move(*loaded);
    }
    return keys;
}

std::vector<security::KnownSecret> own_secrets(const Keys& keys, const Configuration& configuration) {
    auto known = channel_secrets(configuration);
    for (const auto* key : {&keys.log, &keys.button, &keys.code, &keys.fingerprint}) {
        known.push_back({.value = security::hex(key->bytes())});
    }
    return known;
}

}  // namespace countersign::app
