// SPDX-License-Identifier: Apache-2.0
// Translates libcurl's error codes. libcurl's own error buffer is not used, because it can contain parts of the URL.
#pragma once

#include "core/result.hpp"

#include <curl/curl.h>

#include <string>

namespace countersign::net {

// Precondition: code is not CURLE_OK. `verified` is CURLINFO_SSL_VERIFYRESULT.
[[nodiscard]] Error http_failure(CURLcode code, long verified, const std::string& host);

}  // namespace countersign::net
