// SPDX-License-Identifier: Apache-2.0
#include "core/http_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

HttpRequest post(std::string body) {
    return {.method = HttpMethod::post, .url = "https://chat.test/send", .body = std::move(body)};
}

HttpRequest form_of(Form form) {
    return {.method = HttpMethod::post, .url = "https://chat.test/send", .body = std::move(form)};
}

Errc refusal(const HttpRequest& request) {
    const auto checked = check(request);
    EXPECT_FALSE(checked);
    return checked ? Errc::internal : checked.error().code;
}

TEST(HttpMessage, I13_TheAddressIsBounded) {
    HttpRequest request{.url = std::string(limits::http_url_bytes_max, 'a')};
    EXPECT_TRUE(check(request));
    request.url += 'a';
    EXPECT_EQ(refusal(request), Errc::too_large);
}

TEST(HttpMessage, I13_HeadersAreBoundedInNumberAndSize) {
    auto request = post("");
    request.headers.assign(limits::http_request_headers_max, {"X-A", "b"});
    EXPECT_TRUE(check(request));
    request.headers.push_back({"X-A", "b"});
    EXPECT_EQ(refusal(request), Errc::too_large);

    request.headers = {{"X-A", std::string(limits::http_request_header_bytes_max - 3, 'b')}};
    EXPECT_TRUE(check(request));
    request.headers.front().value += 'b';
    EXPECT_EQ(refusal(request), Errc::too_large);
}

TEST(HttpMessage, I13_TheBodyIsBoundedEvenAsAForm) {
    EXPECT_TRUE(check(post(std::string(limits::http_request_body_bytes_max, 'a'))));
    EXPECT_EQ(refusal(post(std::string(limits::http_request_body_bytes_max + 1, 'a'))), Errc::too_large);

    const std::string half(limits::http_request_body_bytes_max / 2 - 1, 'a');
    EXPECT_TRUE(check(form_of({{"a", half}, {"b", half}})));
    EXPECT_EQ(refusal(form_of({{"a", half}, {"b", half + "a"}})), Errc::too_large);

    EXPECT_TRUE(check(form_of(Form(limits::http_form_parts_max, {"a", "b"}))));
    EXPECT_EQ(refusal(form_of(Form(limits::http_form_parts_max + 1, {"a", "b"}))), Errc::too_large);
}

TEST(HttpMessage, I13_TheDeadlineAndTheSizeOfTheAnswerAreBounded) {
    auto request = post("");
    request.deadline = limits::http_deadline_max;
    request.answer_bytes_max = limits::http_answer_body_bytes_max;
    EXPECT_TRUE(check(request));
    request.deadline += 1ms;
    EXPECT_EQ(refusal(request), Errc::too_large);
    request.deadline -= 1ms;
    request.answer_bytes_max += 1;
    EXPECT_EQ(refusal(request), Errc::too_large);
}

TEST(HttpMessage, AHeaderCannotSmuggleAnother) {
    for (const auto* bad : {"a\r\nX-Other: b", "a\nb", "a\rb", "\x01", "\x7f"}) {
        auto request = post("");
        request.headers = {{"X-A", bad}};
        EXPECT_EQ(refusal(request), Errc::malformed);
    }
    for (const auto* bad : {"", "X A", "X-A:", "X\r\nY", "X-\xc3\xa4"}) {
        auto request = post("");
        request.headers = {{bad, "b"}};
        EXPECT_EQ(refusal(request), Errc::malformed) << bad;
    }
    auto request = post("");
    request.headers = {{"X-A", std::string{"a\0b", 3}}};
    EXPECT_EQ(refusal(request), Errc::malformed);
}

TEST(HttpMessage, TheCallerCannotSetFramingHeaders) {
    for (const auto* own : {"Content-Length", "transfer-encoding", "HOST", "Connection", "Expect"}) {
        auto request = post("");
        request.headers = {{own, "1"}};
        const auto checked = check(request);
        ASSERT_FALSE(checked) << own;
        EXPECT_EQ(checked.error().code, Errc::malformed);
        EXPECT_THAT(checked.error().detail, HasSubstr(own));
    }
}

TEST(HttpMessage, APartOfAFormCannotSmuggleAHeader) {
    EXPECT_EQ(refusal(form_of({{"", "data"}})), Errc::malformed);
    EXPECT_EQ(refusal(form_of({{"a\r\nb", "data"}})), Errc::malformed);
    EXPECT_EQ(refusal(form_of({{"a", "data", "f\n.txt"}})), Errc::malformed);
    EXPECT_EQ(refusal(form_of({{"a", "data", "f.txt", "text/plain\r\nX: y"}})), Errc::malformed);
    EXPECT_TRUE(check(form_of({{"a", "data\r\nis free", "f.txt", "text/plain"}})));
}

TEST(HttpMessage, OnlyMethodsWithABodyCarryOne) {
    for (const auto method : {HttpMethod::get, HttpMethod::remove}) {
        auto request = post("x");
        request.method = method;
        EXPECT_EQ(refusal(request), Errc::malformed);
    }
    for (const auto method : {HttpMethod::post, HttpMethod::put, HttpMethod::patch}) {
        auto request = post("x");
        request.method = method;
        EXPECT_TRUE(check(request));
    }
}

TEST(HttpMessage, ARefusalNeverNamesTheAddressOrAValue) {
    auto request = post("");
    request.url = "https://chat.test/botSECRET?token=SECRET" + std::string(limits::http_url_bytes_max, 'x');
    EXPECT_THAT(check(request).error().detail, testing::Not(HasSubstr("SECRET")));
    request = post("");
    request.headers = {{"Authorization", "SECRET\r\n"}};
    EXPECT_THAT(check(request).error().detail, testing::Not(HasSubstr("SECRET")));
}

TEST(HttpMessage, RetryAfterIsReadInSeconds) {
    const auto read = [](std::string value) {
        return retry_after({.status = 429, .headers = {{"server", "x"}, {"retry-after", std::move(value)}}});
    };
    EXPECT_EQ(read("0"), 0s);
    EXPECT_EQ(read("35"), 35s);
    EXPECT_EQ(read("3600"), limits::http_retry_after_max);
    EXPECT_EQ(read("3601"), limits::http_retry_after_max);
    EXPECT_EQ(read("99999999999999999999999999"), limits::http_retry_after_max);
    for (const auto* other : {"", "-1", "+1", " 1", "1.5", "1s", "Sun, 06 Nov 1994 08:49:37 GMT"}) {
        EXPECT_EQ(read(other), std::nullopt) << other;
    }
    EXPECT_EQ(retry_after({.status = 429}), std::nullopt);
}

}  // namespace
}  // namespace countersign
