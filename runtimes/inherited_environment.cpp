// SPDX-License-Identifier: Apache-2.0
#include "runtimes/inherited_environment.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace countersign::runtimes {

namespace {

constexpr auto common_names = std::to_array<std::string_view>({
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TERM",
    "TZ",
    "TMPDIR",
    "HTTP_PROXY",
    "NO_PROXY",
    "HTTPS_PROXY",
    "https_proxy",
    "http_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
});
constexpr auto common_beginnings = std::to_array<std::string_view>({"LC_", "XDG_"});

bool begins_with_one(std::string_view name, std::span<const std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [name](std::string_view one) { return name.starts_with(one); });
}

}  // namespace

std::vector<std::string> inherited_environment(const std::vector<std::string>& names,
                                               std::span<const std::string_view> own_beginnings) {
    std::vector<std::string> kept;
    std::ranges::copy_if(names, std::back_inserter(kept), [&](const std::string& name) {
        return std::ranges::find(common_names, name) != common_names.end() ||
               begins_with_one(name, common_beginnings) || begins_with_one(name, own_beginnings);
    });
    return kept;
}

}  // namespace countersign::runtimes
