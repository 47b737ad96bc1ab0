// SPDX-License-Identifier: Apache-2.0
// Any bytes as a URL: a reported host is canonical and is read back unchanged, a text never has more hosts than its
// bound, and a text with an unusual byte before the path reports none.
#include "security/ip_address.hpp"
#include "security/url.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace countersign::security;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check_host(const std::string& host) {
    require(!host.empty());
    require(host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.[]:") == std::string::npos);
    require(bare_host(host) == host);
    require(url_host("https://" + host + "/") == host);
    if (!host.starts_with('[') && ends_in_number(host)) require(ipv4_canonical(host) == host);
}

void check_found(const FoundHosts& found) {
    require(found.hosts.size() <= urls_max && found.possible.size() <= urls_max);
    require(found.odd || found.possible.empty());
    for (const auto& host : found.hosts) check_host(host);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    check_found(hosts_in_text(text));
    check_found(hosts_of_host(text));
    const auto found = hosts_of_url(text);
    check_found(found);
    const auto host = url_host(text);
    require(host.has_value() || found.odd);
    if (host) {
        check_host(*host);
        const auto authority_end = text.find_first_of("/?#", text.find("://") + 3);
        require(text.substr(0, authority_end).find_first_of("@\\%,;)}'\"`\t\r\n ") == std::string::npos);
    }
    return 0;
}
