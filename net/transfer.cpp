// SPDX-License-Identifier: Apache-2.0
#include "net/transfer.hpp"

#include "net/curl_rules.hpp"
#include "net/http_failure.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <strings.h>

namespace countersign::net {

namespace asio = boost::asio;

namespace {

CURLcode add_part(curl_mime* form, const FormPart& part) {
    auto* added = curl_mime_addpart(form);
    if (added == nullptr) return CURLE_OUT_OF_MEMORY;
    auto code = curl_mime_name(added, part.name.c_str());
    if (code == CURLE_OK) code = curl_mime_data(added, part.data.data(), part.data.size());
    if (code == CURLE_OK && !part.file_name.empty()) code = curl_mime_filename(added, part.file_name.c_str());
    if (code == CURLE_OK && !part.content_type.empty()) code = curl_mime_type(added, part.content_type.c_str());
    return code;
}

}  // namespace

Transfer::Transfer(const asio::any_io_executor& executor, HttpRequest request, HttpAddress address)
    : request_{std::move(request)},
      address_{std::move(address)},
      easy_{curl_easy_init()},
      turn_{executor, request_.deadline} {}

template <class Value> CURLcode Transfer::set(CURLoption option, Value value) {
    return curl_easy_setopt(easy_.get(), option, value);
}

Result<void> Transfer::prepare(const std::string& ca_file, std::chrono::milliseconds connect_max) {
    auto code = easy_ ? set_rules(ca_file, connect_max) : CURLE_OUT_OF_MEMORY;
    if (code == CURLE_OK) code = set_message();
    if (code != CURLE_OK) return http_failure(code, 0, address_.host);
    return {};
}

CURLcode Transfer::set_rules(const std::string& ca_file, std::chrono::milliseconds connect_max) {
    const auto code = set_connection_rules(easy_.get(), address_, ca_file, std::min(connect_max, request_.deadline));
    if (code != CURLE_OK) return code;
    const auto codes = {
        // HTTP/2 if TLS negotiates it: further calls wait for the first connection and share it. Without TLS nothing is
        // negotiated, and they would wait for the first response, which may be a long poll.
        set(CURLOPT_HTTP_VERSION, static_cast<long>(address_.plain ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)),
        set(CURLOPT_PIPEWAIT, address_.plain ? 0L : 1L),
        // Checks the announced length.
        set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(request_.answer_bytes_max)),
        set(CURLOPT_HEADERFUNCTION, &Transfer::on_head),
        set(CURLOPT_HEADERDATA, static_cast<void*>(this)),
        set(CURLOPT_WRITEFUNCTION, &Transfer::on_body),
        set(CURLOPT_WRITEDATA, static_cast<void*>(this)),
    };
    return first_failure(codes);
}

CURLcode Transfer::set_message() {
    auto code = set_headers();
    if (code == CURLE_OK) code = set(CURLOPT_USERAGENT, "countersign/" COUNTERSIGN_VERSION);
    const bool bodiless = request_.method == HttpMethod::get || request_.method == HttpMethod::remove;
    if (code == CURLE_OK && !bodiless) code = set_body();
    if (code != CURLE_OK || request_.method == HttpMethod::get || request_.method == HttpMethod::post) return code;
    return set(CURLOPT_CUSTOMREQUEST, std::string{name(request_.method)}.c_str());
}

CURLcode Transfer::set_headers() {
    const auto is_type = [](const HttpHeader& header) {
        return ::strcasecmp(header.name.c_str(), "content-type") == 0;
    };
    const bool untyped =
        std::holds_alternative<std::string>(request_.body) && std::ranges::none_of(request_.headers, is_type);
    // "Name:" removes a header: no round trip before the body, and no content type invented by libcurl.
    std::vector<std::string> without{"Expect:"};
    if (untyped) without.emplace_back("Content-Type:");
    headers_ = header_list(request_.headers, without);
    return headers_ ? set(CURLOPT_HTTPHEADER, headers_.get()) : CURLE_OUT_OF_MEMORY;
}

CURLcode Transfer::set_body() {
    if (const auto* text = std::get_if<std::string>(&request_.body)) {
        const auto code = set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(text->size()));
        return code == CURLE_OK ? set(CURLOPT_POSTFIELDS, text->c_str()) : code;
    }
    form_.reset(curl_mime_init(easy_.get()));
    if (!form_) return CURLE_OUT_OF_MEMORY;
    for (const auto& part : std::get<Form>(request_.body)) {
        if (const auto code = add_part(form_.get(), part); code != CURLE_OK) return code;
    }
    return set(CURLOPT_MIMEPOST, form_.get());
}

std::size_t Transfer::on_head(char* data, std::size_t, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (transfer.head_.take({data, count})) return count;
    transfer.refusal_ = {Errc::too_large,
                         "the answer of " + transfer.address_.host + " has a longer head than we take"};
    return CURL_WRITEFUNC_ERROR;
}

std::size_t Transfer::on_body(char* data, std::size_t, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (transfer.body_.size() + count <= transfer.request_.answer_bytes_max) {
        transfer.body_.append(data, count);
        return count;
    }
    transfer.refusal_ = http_failure(CURLE_FILESIZE_EXCEEDED, 0, transfer.address_.host);
    return CURL_WRITEFUNC_ERROR;
}

Result<HttpResponse> Transfer::answer(CURLcode code) {
    if (refusal_) return *refusal_;
    if (code == CURLE_OK && !head_.whole()) code = CURLE_PARTIAL_FILE;
    if (code != CURLE_OK) {
        long verified = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_SSL_VERIFYRESULT, &verified);
        auto error = http_failure(code, verified, address_.host);
        // A reused connection may have taken the call and then broken, before a second connection was tried.
        long sent = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &sent);
        if (error.code == Errc::away && sent > 0) error.code = Errc::unavailable;
        return error;
    }
    long status = 0;
    long version = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_VERSION, &version);
    return HttpResponse{.status = static_cast<int>(status),
                        .version = version == CURL_HTTP_VERSION_2_0 ? 2 : 1,
                        .headers = std::move(head_.headers()),
                        .body = std::move(body_)};
}

void Transfer::finish(CURLcode code) {
    if (!outcome_) outcome_ = answer(code);
    turn_.cancel();
}

void Transfer::finish(Error why) {
    if (!outcome_) outcome_ = std::move(why);
    turn_.cancel();
}

asio::awaitable<Result<HttpResponse>> Transfer::outcome() {
    if (outcome_) co_return std::move(*outcome_);
    boost::system::error_code woken;
    co_await turn_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (outcome_) co_return std::move(*outcome_);
    if (woken) throw boost::system::system_error{asio::error::operation_aborted};
    co_return Error{Errc::timeout,
                    address_.host + " did not answer within " + std::to_string(request_.deadline.count()) + " ms"};
}

}  // namespace countersign::net
