// SPDX-License-Identifier: Apache-2.0
// CurlTask: a libcurl handle driven by CurlLoop.
#pragma once

#include "core/result.hpp"
#include "net/curl_handles.hpp"

namespace countersign::net {

class CurlTask {
public:
    virtual ~CurlTask() = default;
    [[nodiscard]] virtual CURL* handle() const = 0;
    // Reports the end. Called inside the loop: it may wake a coroutine, which resumes on a later turn.
    virtual void finish(CURLcode code) = 0;
    virtual void finish(Error why) = 0;
    // Whether the connection stays in use after finish(): libcurl would close it if the handle left the loop.
    [[nodiscard]] virtual bool keeps_connection() const { return false; }
};

}  // namespace countersign::net
