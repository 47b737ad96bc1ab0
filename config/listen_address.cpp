// SPDX-License-Identifier: Apache-2.0
#include "config/listen_address.hpp"

#include <arpa/inet.h>
#include <charconv>
#include <string>

namespace countersign::config {

bool is_ip_address(std::string_view text) {
    in6_addr parsed{};
    const std::string whole{text};
    return ::inet_pton(AF_INET, whole.c_str(), &parsed) == 1 || ::inet_pton(AF_INET6, whole.c_str(), &parsed) == 1;
}

std::optional<ListenAddress> listen_address(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    auto host = text.substr(0, colon);
    if (host.starts_with('[') != host.ends_with(']')) return std::nullopt;
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    if (!is_ip_address(host)) return std::nullopt;
    const auto digits = text.substr(colon + 1);
    std::uint16_t port = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return ListenAddress{.host = std::string{host}, .port = port};
}

std::string print(const ListenAddress& address) {
    const bool v6 = address.host.find(':') != std::string::npos;
    return (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

}  // namespace countersign::config
