// SPDX-License-Identifier: Apache-2.0
// The rules for all our connections, where they may go and what they trust: https or loopback, TLS 1.2 with the host's
// name verified, no redirects, no proxy.
#pragma once

#include "core/http_message.hpp"
#include "net/http_address.hpp"

#include <chrono>
#include <initializer_list>
#include <string>
#include <vector>

namespace countersign::net {

// The first code that isn't CURLE_OK. An option that libcurl refuses is an error, because some options make a call
// safe.
[[nodiscard]] CURLcode first_failure(std::initializer_list<CURLcode> codes);

// Borrows the address while the handle is in use. `ca_file` as in CurlHttpClient.
[[nodiscard]] CURLcode set_connection_rules(CURL* easy, const HttpAddress& address, const std::string& ca_file,
                                            std::chrono::milliseconds connect_max);

// `further`: lines in libcurl's own notation. Null if out of memory.
[[nodiscard]] CurlList header_list(const std::vector<HttpHeader>& headers, const std::vector<std::string>& further);

}  // namespace countersign::net
