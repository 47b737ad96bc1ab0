// SPDX-License-Identifier: Apache-2.0
// What every client of a platform's HTTP API does the same way: a call out without telling the token, and what an
// answer that is not a result means.
#pragma once

#include "channels/messenger.hpp"
#include "core/http_message.hpp"
#include "core/ports/http_client.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::limits {

inline constexpr std::size_t api_reason_bytes_max = 256;  // of what a platform says went wrong

}  // namespace countersign::limits

namespace countersign::channels {

// Why a platform did not do what we asked, by what is to be done about it.
struct Refusal {
    enum class Kind {
        retry,          // not reached, or it failed by itself: try again later
        flood,          // too many calls: wait as long as it says
        moved,          // the chat has another id now
        unreachable,    // blocked, removed, no such chat, or a person who is gone: nothing we send arrives there
        no_thread,      // the message that it goes below is gone
        nothing_to_do,  // the message is as we want it, or gone, or too old to change; the press is too old to answer
        bad_token,      // the token is not valid, it says; believed once it says so when asked for that alone
        conflict,       // another program takes what this bot should hear
        rejected,       // all else: our call is wrong for this chat, and would be again
    } kind = Kind::rejected;
    std::string why;  // one line for the operator and for people; sanitised, without the token
    std::optional<std::chrono::seconds> retry_after = std::nullopt;
    std::string moved_to = {};
    bool unsent = false;     // no part of the call left this machine, so it has no effect
    bool too_large = false;  // the answer to the call is longer or deeper than we take
};

// What a refusal means for the caller who wanted to send something. Pure, as are the next three.
[[nodiscard]] Tried tried_of(const Refusal& refusal);
// There is no answer.
[[nodiscard]] Refusal read_failure(const Error& error);
// A proxy or a broken server answered instead of the platform, which says nothing about our token or our call. `why`
// has the status added.
[[nodiscard]] Refusal foreign_answer(const HttpResponse& response, std::string_view why);
// How long the platform asks us to wait. Zero seconds are not a wish: a caller that follows it asks without end.
[[nodiscard]] std::optional<std::chrono::seconds> wanted_wait(const HttpResponse& response);

// What a platform said went wrong, as one line that can be shown.
[[nodiscard]] std::string reason_line(std::string_view text);

// "…" stands for each of `secrets` wherever a server echoes it, also in an error. The caller keeps them until the end.
[[nodiscard]] boost::asio::awaitable<Result<HttpResponse>> send_without_telling(HttpClient& http, HttpRequest request,
                                                                                std::vector<std::string_view> secrets);

// By the contract of HttpClient: no part of a call that ended with this left the machine. After any other error the
// server may have it.
[[nodiscard]] bool is_unsent(Errc code);

// Without a slash at its end.
[[nodiscard]] std::string base_of(std::string url);
// Nothing but ASCII letters, digits and these marks.
[[nodiscard]] bool is_token_text(std::string_view text, std::string_view marks);

}  // namespace countersign::channels
