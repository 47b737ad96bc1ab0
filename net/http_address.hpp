// SPDX-License-Identifier: Apache-2.0
// Where a call goes, and whether we go there: https anywhere, http to a loopback address only, nothing else.
//
// Read by libcurl's own parser and handed to libcurl as it was read: what is checked is what is called.
#pragma once

#include "core/result.hpp"
#include "net/curl_handles.hpp"

#include <string>
#include <string_view>

struct sockaddr;

namespace countersign::net {

struct HttpAddress {
    CurlUrl url;
    std::string host;    // all that an error may say
    bool plain = false;  // http, and so on this machine
};

// No error of it holds any part of the URL but the host.
[[nodiscard]] Result<HttpAddress> read_address(const std::string& url);

// "localhost" counts, because libcurl answers that name itself and asks no resolver.
[[nodiscard]] bool names_loopback(std::string_view host);
[[nodiscard]] bool is_loopback(const sockaddr& address);

}  // namespace countersign::net
