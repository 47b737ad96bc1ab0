// SPDX-License-Identifier: Apache-2.0
#include "channels/api_call.hpp"

#include "channels/guard.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

namespace {

std::string without(std::string text, std::string_view secret) {
    if (secret.empty()) return text;
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
        text.replace(at, secret.size(), "…");
    }
    return text;
}

std::string without_all(std::string text, const std::vector<std::string_view>& secrets) {
    for (const auto secret : secrets) text = without(std::move(text), secret);
    return text;
}

}  // namespace

bool is_unsent(Errc code) {
    switch (code) {
    case Errc::away:
    case Errc::busy:
    case Errc::unsupported:
    case Errc::malformed:
    case Errc::bad_signature:
    case Errc::bad_config:
        return true;
    default:
        return false;
    }
}

Tried tried_of(const Refusal& refusal) {
    using enum Refusal::Kind;
    switch (refusal.kind) {
    case nothing_to_do:
        return {};
    case retry:
        return {.kind = Tried::Kind::retry, .why = refusal.why, .maybe_posted = !refusal.unsent};
    case conflict:
    case bad_token:
        return {.kind = Tried::Kind::retry, .why = refusal.why};
    case flood:
        return {.kind = Tried::Kind::retry, .why = refusal.why, .after = refusal.retry_after};
    case moved:
        return {.kind = Tried::Kind::moved, .why = refusal.why, .moved_to = refusal.moved_to};
    case unreachable:
        return {.kind = Tried::Kind::unreachable, .why = refusal.why};
    case no_thread:
    case rejected:
        break;
    }
    return {.kind = Tried::Kind::rejected, .why = refusal.why};
}

Refusal read_failure(const Error& error) {
    // The class of the error is ours to branch on; a person wants to know what happened.
    return {.kind = Refusal::Kind::retry,
            .why = reason_line(error.detail.empty() ? name(error.code) : error.detail),
            .unsent = is_unsent(error.code),
            .too_large = error.code == Errc::too_large};
}

Refusal foreign_answer(const HttpResponse& response, std::string_view why) {
    return {.kind = response.status == 429 ? Refusal::Kind::flood : Refusal::Kind::retry,
            .why = std::string{why} + " (status " + std::to_string(response.status) + ")",
            .retry_after = wanted_wait(response)};
}

std::optional<std::chrono::seconds> wanted_wait(const HttpResponse& response) {
    const auto seconds = retry_after(response);
    return seconds && seconds->count() > 0 ? seconds : std::nullopt;
}

std::string reason_line(std::string_view text) {
    return displayed_line(utf8::head(text, limits::api_reason_bytes_max));
}

asio::awaitable<Result<HttpResponse>> send_without_telling(HttpClient& http, HttpRequest request,
                                                           std::vector<std::string_view> secrets) {
    auto response = co_await http.send(std::move(request));
    // Before anything is read or cut: half a token in an error would be one too.
    if (!response) co_return Error{response.error().code, without_all(response.error().detail, secrets)};
    response->body = without_all(std::move(response->body), secrets);
    co_return response;
}

std::string base_of(std::string url) {
    while (url.ends_with('/')) url.pop_back();
    return url;
}

bool is_token_text(std::string_view text, std::string_view marks) {
    return std::ranges::all_of(text, [marks](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               marks.find(c) != marks.npos;
    });
}

}  // namespace countersign::channels
