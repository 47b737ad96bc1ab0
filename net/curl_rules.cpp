// SPDX-License-Identifier: Apache-2.0
#include "net/curl_rules.hpp"

#include <algorithm>
#include <sys/socket.h>

namespace countersign::net {
namespace {

// libcurl copies the text. False if out of memory.
bool add(CurlList& list, const std::string& line) {
    auto* const head = curl_slist_append(list.get(), line.c_str());
    if (head == nullptr) return false;
    if (!list) list.reset(head);  // otherwise it is the head that we have
    return true;
}

// Sets close-on-exec; otherwise every agent that we start would inherit libcurl's sockets. Also checks again that plain
// http stays local, which costs nothing here.
curl_socket_t on_socket(void* known, curlsocktype, curl_sockaddr* address) {
    const auto& allowed = *static_cast<const HttpAddress*>(known);
    const bool local = address->family == AF_UNIX || is_loopback(address->addr);
    if (allowed.plain && !local) return CURL_SOCKET_BAD;
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

}  // namespace

CURLcode first_failure(std::initializer_list<CURLcode> codes) {
    const auto* const failed = std::ranges::find_if(codes, [](auto code) { return code != CURLE_OK; });
    return failed == codes.end() ? CURLE_OK : *failed;
}

CURLcode set_connection_rules(CURL* easy, const HttpAddress& address, const std::string& ca_file,
                              std::chrono::milliseconds connect_max) {
    const auto set = [easy](CURLoption option, auto value) { return curl_easy_setopt(easy, option, value); };
    const auto code = first_failure({
        set(CURLOPT_CURLU, address.url.get()),
        set(CURLOPT_PROTOCOLS_STR, address.plain ? "http" : "https"),
        set(CURLOPT_FOLLOWLOCATION, 0L),
        set(CURLOPT_SSL_VERIFYPEER, 1L),
        set(CURLOPT_SSL_VERIFYHOST, 2L),
        set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2)),
        // No proxy: an environment variable set by chance must not decide who sees our calls. A wanted proxy would be a
        // setting.
        set(CURLOPT_PROXY, ""),
        set(CURLOPT_OPENSOCKETFUNCTION, &on_socket),
        set(CURLOPT_OPENSOCKETDATA, const_cast<void*>(static_cast<const void*>(&address))),
        set(CURLOPT_NOSIGNAL, 1L),
        // An abandoned call may still be resolving its name. Without this option, libcurl would wait for the resolver's
        // thread, and the whole program with it.
        set(CURLOPT_QUICK_EXIT, 1L),
        set(CURLOPT_CONNECTTIMEOUT_MS, std::max(1L, static_cast<long>(connect_max.count()))),
    });
    if (code != CURLE_OK || ca_file.empty()) return code;
    // Trust only these certificates.
    return first_failure(
        {set(CURLOPT_CAINFO, ca_file.c_str()), set(CURLOPT_CAPATH, static_cast<const char*>(nullptr))});
}

CurlList header_list(const std::vector<HttpHeader>& headers, const std::vector<std::string>& further) {
    CurlList list;
    bool listed = true;
    for (const auto& line : further) listed = listed && add(list, line);
    for (const auto& header : headers) {
        // "Name;" is libcurl's notation for a header without a value.
        listed = listed && add(list, header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
    }
    return listed ? std::move(list) : CurlList{};
}

}  // namespace countersign::net
