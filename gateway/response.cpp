// SPDX-License-Identifier: Apache-2.0
#include "gateway/response.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace countersign::gateway {
namespace {

std::string_view phrase(unsigned status) {
    switch (status) {
    case 200:
        return "OK";
    case 204:
        return "No Content";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 417:
        return "Expectation Failed";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "";
    }
}

// Sun, 06 Nov 1994 08:49:37 GMT, in English in any locale.
std::string http_date(WallTime now) {
    constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto day = std::chrono::floor<std::chrono::days>(now);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{std::chrono::floor<std::chrono::seconds>(now - day)};
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT",
                                     days.at(std::chrono::weekday{day}.c_encoding()), static_cast<unsigned>(date.day()),
                                     months.at(static_cast<unsigned>(date.month()) - 1), static_cast<int>(date.year()),
                                     static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                                     static_cast<int>(clock.seconds().count()));
    return {text.data(), static_cast<std::size_t>(length)};
}

void add(std::string& bytes, std::string_view name, std::string_view value) {
    bytes.append(name).append(": ").append(value).append("\r\n");
}

bool one_line(std::string_view text) {
    return std::ranges::all_of(text, [](char symbol) { return symbol >= 0x20 && symbol < 0x7F; });
}

// Headers that every response already has, or has in a field of its own.
constexpr std::array ours{"cache-control", "content-type", "date", "x-content-type-options"};

bool is_ours(const HttpHeader& header) {
    return std::ranges::any_of(ours, [&](const char* name) { return is_named(header, name); });
}

}  // namespace

Response refused(const Refusal& refusal) {
    return {.reply = {.status = refusal.status, .content_type = "text/plain", .body = std::string{refusal.why} + '\n'},
            .why = refusal.why};
}

Response sendable(Reply reply) {
    if (reply.status < 200 || reply.status > 599 || !one_line(reply.content_type) || !check(reply.headers) ||
        std::ranges::any_of(reply.headers, is_ours)) {
        return refused({500, "the channel's answer cannot be sent"});
    }
    if (reply.body.size() > limits::gateway_reply_bytes_max) return refused({500, "the channel's answer is too large"});
    return {.reply = std::move(reply)};
}

std::string to_bytes(const Response& response, bool keep_alive, WallTime now) {
    const auto& reply = response.reply;
    const bool bodiless = reply.status == 204 || reply.status == 304;
    std::string bytes = "HTTP/1.1 " + std::to_string(reply.status) + ' ';
    bytes.append(phrase(reply.status)).append("\r\n");
    add(bytes, "Date", http_date(now));
    for (const auto& header : reply.headers) add(bytes, header.name, header.value);
    if (!bodiless) {
        if (!reply.content_type.empty()) add(bytes, "Content-Type", reply.content_type);
        add(bytes, "Content-Length", std::to_string(reply.body.size()));
    }
    add(bytes, "Cache-Control", "no-store");
    add(bytes, "X-Content-Type-Options", "nosniff");
    if (!keep_alive) add(bytes, "Connection", "close");
    bytes += "\r\n";
    if (!bodiless) bytes += reply.body;
    return bytes;
}

}  // namespace countersign::gateway
