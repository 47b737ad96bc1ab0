// SPDX-License-Identifier: Apache-2.0
#include "net/websocket_handshake.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <strings.h>

namespace countersign::net {
namespace {

bool same(std::string_view one, std::string_view other) {
    return one.size() == other.size() && ::strncasecmp(one.data(), other.data(), one.size()) == 0;
}

// Whether a list such as "keep-alive, Upgrade" contains this token.
bool has_token(std::string_view list, std::string_view token) {
    while (!list.empty()) {
        auto part = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), part.size() + 1));
        const auto first = part.find_first_not_of(" \t");
        if (first == part.npos) continue;
        part = part.substr(first, part.find_last_not_of(" \t") - first + 1);
        if (same(part, token)) return true;
    }
    return false;
}

bool is_ours(const HttpHeader& header) {
    constexpr std::string_view family = "sec-websocket";
    return same(header.name, "upgrade") || same(std::string_view{header.name}.substr(0, family.size()), family);
}

Error not_a_websocket(const std::string& why) {
    return {Errc::unavailable, "the server did not open a WebSocket: " + why};
}

std::string part(const HttpAddress& address, CURLUPart which) {
    char* text = nullptr;
    if (curl_url_get(address.url.get(), which, &text, 0) != CURLUE_OK) return {};
    std::string result{text};
    curl_free(text);
    return result;
}

}  // namespace

Result<std::string> handshake_request(const HttpAddress& address, const WebSocketOffer& offer) {
    if (std::ranges::any_of(offer.headers, is_ours)) {
        return Error{Errc::malformed, "a header that belongs to the WebSocket handshake itself"};
    }
    const auto query = part(address, CURLUPART_QUERY);
    const auto port = part(address, CURLUPART_PORT);
    std::string request = "GET " + part(address, CURLUPART_PATH) + (query.empty() ? "" : "?" + query) + " HTTP/1.1\r\n";
    request += "Host: " + address.host + (port.empty() ? "" : ":" + port) + "\r\n";
    request += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n";
    request += "Sec-WebSocket-Key: " + offer.key + "\r\n";
    if (!offer.subprotocol.empty()) request += "Sec-WebSocket-Protocol: " + offer.subprotocol + "\r\n";
    const auto named = [](const HttpHeader& header) { return same(header.name, "user-agent"); };
    if (std::ranges::none_of(offer.headers, named)) request += "User-Agent: countersign/" COUNTERSIGN_VERSION "\r\n";
    for (const auto& header : offer.headers) request += header.name + ": " + header.value + "\r\n";
    return request + "\r\n";
}

std::string expected_accept(std::string_view key) {
    const auto text = std::string{key} + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    // The standard requires SHA-1: it only proves that the server speaks WebSocket, not who it is.
    if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1) return {};
    return security::base64(std::span<const std::uint8_t>{digest.data(), size});
}

Result<bool> WebSocketAnswer::push(std::string_view bytes) {
    unread_ += bytes;
    for (;;) {
        const auto end = unread_.find('\n');
        const auto line = std::string_view{unread_}.substr(0, end == unread_.npos ? end : end + 1);
        if (end == unread_.npos) {
            // A line without an end may be as long as a whole head.
            if (line.size() > limits::http_answer_head_bytes_max) return Error{Errc::too_large, "a head without end"};
            return false;
        }
        auto done = take_line(line);
        unread_.erase(0, end + 1);
        if (!done || *done) return done;
    }
}

Result<bool> WebSocketAnswer::take_line(std::string_view line) {
    if (!began_) {
        if (!line.starts_with("HTTP/1.1 ") || line.size() < 12) return not_a_websocket("it does not speak HTTP/1.1");
        const auto status = line.substr(9, 3);
        if (status.find_first_not_of("0123456789") != status.npos) return not_a_websocket("its status is not a number");
        if (status != "101") {
            const bool elsewhere = status.front() == '3';
            return not_a_websocket("status " + std::string{status} + (elsewhere ? ", and we follow no redirect" : ""));
        }
        began_ = true;
    }
    if (!head_.take(line)) return Error{Errc::too_large, "the head of a WebSocket's answer is longer than we take"};
    if (!head_.whole()) return false;
    if (const auto sound = check(); !sound) return sound.error();
    return true;
}

std::vector<std::string> WebSocketAnswer::values(std::string_view name) {
    std::vector<std::string> found;
    for (const auto& header : head_.headers()) {
        if (header.name == name) found.push_back(header.value);
    }
    return found;
}

Result<void> WebSocketAnswer::check() {
    const auto upgrade = values("upgrade");
    if (upgrade.size() != 1 || !same(upgrade[0], "websocket")) return not_a_websocket("another upgrade");
    const auto connection = values("connection");
    if (std::ranges::none_of(connection, [](const auto& list) { return has_token(list, "upgrade"); })) {
        return not_a_websocket("no upgrade of the connection");
    }
    const auto accept = values("sec-websocket-accept");
    const auto expected = expected_accept(offer_.key);
    if (expected.empty() || accept != std::vector{expected}) return not_a_websocket("it did not accept our key");
    if (!values("sec-websocket-extensions").empty()) return not_a_websocket("an extension that we did not offer");
    const auto subprotocol = values("sec-websocket-protocol");
    const std::vector<std::string> wanted(offer_.subprotocol.empty() ? 0 : 1, offer_.subprotocol);
    if (subprotocol != wanted) return not_a_websocket("another subprotocol than we asked for");
    return {};
}

}  // namespace countersign::net
