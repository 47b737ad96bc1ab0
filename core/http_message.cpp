// SPDX-License-Identifier: Apache-2.0
#include "core/http_message.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace countersign {
namespace {

// These describe the message's framing, which only the HTTP client knows.
constexpr std::array framing_headers{"connection", "content-length", "expect", "host", "transfer-encoding"};

std::string lower(std::string_view text) {
    std::string result{text};
    for (auto& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

// RFC 9110, 5.6.2.
bool is_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               marks.find(c) != marks.npos;
    });
}

bool is_one_line(std::string_view text) {
    return std::ranges::none_of(text, [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

Error too_large(std::string_view what, std::size_t max) {
    return {Errc::too_large, std::string{what} + ", at most " + std::to_string(max)};
}

Result<void> check_form(const Form& form) {
    if (form.size() > limits::http_form_parts_max) {
        return too_large("a form of " + std::to_string(form.size()) + " parts", limits::http_form_parts_max);
    }
    for (const auto& part : form) {
        if (part.name.empty()) return Error{Errc::malformed, "a part of a form without a name"};
        if (!is_one_line(part.name) || !is_one_line(part.file_name) || !is_one_line(part.content_type)) {
            return Error{Errc::malformed, "a control character in the head of a form's part"};
        }
    }
    return {};
}

std::size_t body_bytes(const HttpRequest& request) {
    if (const auto* text = std::get_if<std::string>(&request.body)) return text->size();
    std::size_t bytes = 0;
    for (const auto& part : std::get<Form>(request.body)) {
        bytes += part.name.size() + part.data.size() + part.file_name.size() + part.content_type.size();
    }
    return bytes;
}

}  // namespace

std::string_view name(HttpMethod method) {
    switch (method) {
    case HttpMethod::get:
        return "GET";
    case HttpMethod::post:
        return "POST";
    case HttpMethod::put:
        return "PUT";
    case HttpMethod::patch:
        return "PATCH";
    case HttpMethod::remove:
        return "DELETE";
    }
    return "GET";
}

Result<void> check(const std::vector<HttpHeader>& headers) {
    if (headers.size() > limits::http_request_headers_max) {
        return too_large("a message with " + std::to_string(headers.size()) + " headers",
                         limits::http_request_headers_max);
    }
    for (const auto& header : headers) {
        if (!is_token(header.name)) return Error{Errc::malformed, "a header name with characters that it cannot have"};
        if (!is_one_line(header.value)) return Error{Errc::malformed, "a control character in header " + header.name};
        if (std::ranges::find(framing_headers, lower(header.name)) != framing_headers.end()) {
            return Error{Errc::malformed, "header " + header.name + " is the sender's own"};
        }
        if (header.name.size() + header.value.size() > limits::http_request_header_bytes_max) {
            return too_large("a header of " + std::to_string(header.name.size() + header.value.size()) + " bytes",
                             limits::http_request_header_bytes_max);
        }
    }
    return {};
}

bool is_named(const HttpHeader& header, std::string_view lower_case) { return lower(header.name) == lower_case; }

const std::string* single_header(const std::vector<HttpHeader>& headers, std::string_view name) {
    const std::string* found = nullptr;
    for (const auto& header : headers) {
        if (!is_named(header, name)) continue;
        if (found != nullptr) return nullptr;
        found = &header.value;
    }
    return found;
}

Result<void> check(const HttpRequest& request) {
    if (request.url.size() > limits::http_url_bytes_max) {
        return too_large("an address of " + std::to_string(request.url.size()) + " bytes", limits::http_url_bytes_max);
    }
    if (auto headers = check(request.headers); !headers) return headers;
    if (const auto* form = std::get_if<Form>(&request.body)) {
        if (auto parts = check_form(*form); !parts) return parts;
    }
    const auto bytes = body_bytes(request);
    if (bytes > limits::http_request_body_bytes_max) {
        return too_large("a body of " + std::to_string(bytes) + " bytes", limits::http_request_body_bytes_max);
    }
    const bool bodiless = request.method == HttpMethod::get || request.method == HttpMethod::remove;
    if (bodiless && bytes > 0) {
        return Error{Errc::malformed, "a " + std::string{name(request.method)} + " carries no body"};
    }
    if (request.deadline > limits::http_deadline_max) {
        return too_large("a deadline of " + std::to_string(request.deadline.count()) + " ms",
                         limits::http_deadline_max.count());
    }
    if (request.answer_bytes_max > limits::http_answer_body_bytes_max) {
        return too_large("room for an answer of " + std::to_string(request.answer_bytes_max) + " bytes",
                         limits::http_answer_body_bytes_max);
    }
    return {};
}

const std::string* find_header(const HttpResponse& response, std::string_view name) {
    const auto found = std::ranges::find(response.headers, name, &HttpHeader::name);
    return found == response.headers.end() ? nullptr : &found->value;
}

std::optional<std::chrono::seconds> retry_after(const HttpResponse& response) {
    const auto* text = find_header(response, "retry-after");
    if (text == nullptr || text->empty() || !std::ranges::all_of(*text, [](char c) { return c >= '0' && c <= '9'; })) {
        return std::nullopt;
    }
    long long seconds = 0;
    const auto read = std::from_chars(text->data(), text->data() + text->size(), seconds);
    if (read.ec != std::errc{}) return limits::http_retry_after_max;  // out of range
    return std::min(std::chrono::seconds{seconds}, limits::http_retry_after_max);
}

}  // namespace countersign
