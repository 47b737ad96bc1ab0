// SPDX-License-Identifier: Apache-2.0
// The target of a call, and whether it is allowed: https anywhere, http only to a loopback address.
//
// libcurl's own parser reads the URL, and its result is passed to libcurl: the checked address is the called one.
#pragma once

#include "core/result.hpp"
#include "net/curl_handles.hpp"

#include <string>
#include <string_view>

struct sockaddr;

namespace countersign::net {

struct HttpAddress {
    CurlUrl url;
    std::string host;    // the only part of the URL that errors may contain
    bool plain = false;  // http, and therefore this machine
};

// Errors contain no part of the URL but the host.
[[nodiscard]] Result<HttpAddress> read_address(const std::string& url);

// "localhost" is included, because libcurl answers that name itself without a resolver.
[[nodiscard]] bool names_loopback(std::string_view host);
[[nodiscard]] bool is_loopback(const sockaddr& address);

}  // namespace countersign::net
