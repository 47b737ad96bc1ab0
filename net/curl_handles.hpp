// SPDX-License-Identifier: Apache-2.0
// RAII wrappers for libcurl's handles.
#pragma once

#include <curl/curl.h>

#include <memory>

namespace countersign::net {

template <auto free_it> struct FreeWith {
    void operator()(auto* handle) const { free_it(handle); }
};
using CurlEasy = std::unique_ptr<CURL, FreeWith<curl_easy_cleanup>>;
using CurlMulti = std::unique_ptr<CURLM, FreeWith<curl_multi_cleanup>>;
using CurlUrl = std::unique_ptr<CURLU, FreeWith<curl_url_cleanup>>;
using CurlList = std::unique_ptr<curl_slist, FreeWith<curl_slist_free_all>>;
using CurlForm = std::unique_ptr<curl_mime, FreeWith<curl_mime_free>>;

}  // namespace countersign::net
