// SPDX-License-Identifier: Apache-2.0
// An outgoing call and its answer, as values.
//
// A URL may hold a secret (Telegram's path holds the bot's token): it belongs into no log, record or error.
#pragma once

#include "core/limits.hpp"
#include "core/result.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign {

enum class HttpMethod { get, post, put, patch, remove };
[[nodiscard]] std::string_view name(HttpMethod method);

struct HttpHeader {
    std::string name;  // of an answer: in lower case
    std::string value;
    friend bool operator==(const HttpHeader&, const HttpHeader&) = default;
};

[[nodiscard]] bool is_named(const HttpHeader& header, std::string_view lower_case);
// The value of this header, given in lower case; null if it is missing or there are two: one reader would check the
// first and another believe the second.
[[nodiscard]] const std::string* single_header(const std::vector<HttpHeader>& headers, std::string_view name);
// At most http_request_headers_max, each one line, and none that frames the message: those are the sender's own.
[[nodiscard]] Result<void> check(const std::vector<HttpHeader>& headers);

// One part of a multipart/form-data body.
struct FormPart {
    std::string name;
    std::string data;
    std::string file_name = {};     // not empty: the part is a file
    std::string content_type = {};  // empty: left to the receiver
};
using Form = std::vector<FormPart>;

struct HttpRequest {
    HttpMethod method = HttpMethod::get;
    std::string url;  // https; http to a loopback address only; credentials go into a header, not in front of the host
    std::vector<HttpHeader> headers = {};  // a body has no type but the one named here; a form brings its own
    std::variant<std::string, Form> body = {};
    std::chrono::milliseconds deadline = limits::http_deadline_default;  // from the call to the answer's last byte
    std::size_t answer_bytes_max = limits::http_answer_body_bytes_max;   // a longer body is an error, not a cut one
};

// What holds of a request whoever sends it: every bound, and no byte that would end a header early.
[[nodiscard]] Result<void> check(const HttpRequest& request);

struct HttpResponse {
    int status = 0;
    int version = 1;  // 2: it came over HTTP/2
    std::vector<HttpHeader> headers = {};
    std::string body = {};
};

// The first header of this name, given in lower case.
[[nodiscard]] const std::string* find_header(const HttpResponse& response, std::string_view name);

// How long the platform asks us to wait, at most http_retry_after_max. Only the form in seconds is read, which all of
// our platforms use; whoever sends a date gets the caller's own backoff.
[[nodiscard]] std::optional<std::chrono::seconds> retry_after(const HttpResponse& response);

}  // namespace countersign
