// SPDX-License-Identifier: Apache-2.0
// An outgoing HTTP request and its response, as values.
//
// A URL may contain a secret (Telegram's path contains the bot's token). Never put one into a log, a record or an
// error.
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
    std::string name;  // lower case in a response
    std::string value;
    friend bool operator==(const HttpHeader&, const HttpHeader&) = default;
};

[[nodiscard]] bool is_named(const HttpHeader& header, std::string_view lower_case);
// The value of this header, whose name is given in lower case. Null if it is missing or appears twice: otherwise one
// reader could verify the first value while another one uses the second.
[[nodiscard]] const std::string* single_header(const std::vector<HttpHeader>& headers, std::string_view name);
// Checks the bounds, the syntax, and that no header frames the message: the HTTP client sets those itself.
[[nodiscard]] Result<void> check(const std::vector<HttpHeader>& headers);

// One part of a multipart/form-data body.
struct FormPart {
    std::string name;
    std::string data;
    std::string file_name = {};     // if not empty, the part is a file
    std::string content_type = {};  // empty: the receiver decides
};
using Form = std::vector<FormPart>;

struct HttpRequest {
    HttpMethod method = HttpMethod::get;
    std::string url;  // https, or http to a loopback address; credentials belong in a header, not before the host
    std::vector<HttpHeader> headers = {};  // no content type is added for a body; a form sets its own
    std::variant<std::string, Form> body = {};
    std::chrono::milliseconds deadline = limits::http_deadline_default;  // from the call to the last response byte
    std::size_t answer_bytes_max = limits::http_answer_body_bytes_max;  // a longer body is an error; it isn't truncated
};

// Checks the rules for every request: all bounds, and no byte that would end a header early.
[[nodiscard]] Result<void> check(const HttpRequest& request);

struct HttpResponse {
    int status = 0;
    int version = 1;  // 2 means HTTP/2
    std::vector<HttpHeader> headers = {};
    std::string body = {};
};

// The first header of this name, which is given in lower case; null if there is none.
[[nodiscard]] const std::string* find_header(const HttpResponse& response, std::string_view name);

// How long the server asks us to wait, at most http_retry_after_max. Only the form in seconds is parsed, which all of
// our platforms use. For a date, the caller uses its own backoff.
[[nodiscard]] std::optional<std::chrono::seconds> retry_after(const HttpResponse& response);

}  // namespace countersign
