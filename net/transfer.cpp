// SPDX-License-Identifier: Apache-2.0
#include "net/transfer.hpp"

#include "net/http_failure.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <strings.h>
#include <sys/socket.h>

namespace countersign::net {

namespace asio = boost::asio;

namespace {

// libcurl copies the text. False: no memory.
bool add(CurlList& list, const std::string& line) {
    auto* const head = curl_slist_append(list.get(), line.c_str());
    if (head == nullptr) return false;
    if (!list) list.reset(head);  // else it is the head that we have
    return true;
}

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

// Where we go and whom we believe.
CURLcode Transfer::set_rules(const std::string& ca_file, std::chrono::milliseconds connect_max) {
    const auto connect = std::min(connect_max, request_.deadline);
    const auto codes = {
        set(CURLOPT_CURLU, address_.url.get()),
        set(CURLOPT_PROTOCOLS_STR, address_.plain ? "http" : "https"),
        set(CURLOPT_FOLLOWLOCATION, 0L),
        set(CURLOPT_SSL_VERIFYPEER, 1L),
        set(CURLOPT_SSL_VERIFYHOST, 2L),
        set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2)),
        // No proxy: a variable that happens to be set must not decide who sees our calls. One that is wanted would be
        // a setting of its own.
        set(CURLOPT_PROXY, ""),
        set(CURLOPT_OPENSOCKETFUNCTION, &Transfer::on_socket),
        set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this)),
        // HTTP/2 where TLS negotiates it: further calls wait for the first connection and share it. Without TLS there
        // is nothing to negotiate, and they would wait for the first answer, which may be a long poll.
        set(CURLOPT_HTTP_VERSION, static_cast<long>(address_.plain ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)),
        set(CURLOPT_PIPEWAIT, address_.plain ? 0L : 1L),
        set(CURLOPT_NOSIGNAL, 1L),
        // A call that is given up while its name is being resolved leaves the resolver's thread to end by itself.
        // Without this, libcurl would wait for it, and with it the whole program.
        set(CURLOPT_QUICK_EXIT, 1L),
        set(CURLOPT_CONNECTTIMEOUT_MS, std::max(1L, static_cast<long>(connect.count()))),
        set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(request_.answer_bytes_max)),  // as announced
        set(CURLOPT_HEADERFUNCTION, &Transfer::on_head),
        set(CURLOPT_HEADERDATA, static_cast<void*>(this)),
        set(CURLOPT_WRITEFUNCTION, &Transfer::on_body),
        set(CURLOPT_WRITEDATA, static_cast<void*>(this)),
    };
    const auto* const failed = std::ranges::find_if(codes, [](auto code) { return code != CURLE_OK; });
    if (failed != codes.end()) return *failed;
    if (ca_file.empty()) return CURLE_OK;
    const auto code = set(CURLOPT_CAINFO, ca_file.c_str());
    return code == CURLE_OK ? set(CURLOPT_CAPATH, static_cast<char*>(nullptr)) : code;  // these, and no others
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
    bool listed = add(headers_, "Expect:");  // no round trip before the body
    const auto is_type = [](const HttpHeader& header) {
        return ::strcasecmp(header.name.c_str(), "content-type") == 0;
    };
    if (std::holds_alternative<std::string>(request_.body) && std::ranges::none_of(request_.headers, is_type)) {
        listed = listed && add(headers_, "Content-Type:");  // not the one that libcurl would invent
    }
    for (const auto& header : request_.headers) {
        // "Name;" is how libcurl is told of a header without a value.
        listed = listed && add(headers_, header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
    }
    return listed ? set(CURLOPT_HTTPHEADER, headers_.get()) : CURLE_OUT_OF_MEMORY;
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

// libcurl's own sockets would be inherited by every agent that we start. The second look at where plain http goes
// costs nothing here.
curl_socket_t Transfer::on_socket(void* self, curlsocktype, curl_sockaddr* address) {
    const auto& transfer = *static_cast<Transfer*>(self);
    if (transfer.address_.plain && !is_loopback(address->addr)) return CURL_SOCKET_BAD;
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

Result<HttpResponse> Transfer::answer(CURLcode code) {
    if (refusal_) return *refusal_;
    if (code == CURLE_OK && !head_.whole()) code = CURLE_PARTIAL_FILE;
    if (code != CURLE_OK) {
        long verified = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_SSL_VERIFYRESULT, &verified);
        auto error = http_failure(code, verified, address_.host);
        // A kept connection may have taken the call and broken, before a second one was not made.
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
