// SPDX-License-Identifier: Apache-2.0
// Requests that are ambiguous, or that no honest client sends, each with the status that it must get.
#pragma once

#include <string>
#include <vector>

namespace countersign::gateway {

struct Hostile {
    std::string what;
    std::string bytes;
    unsigned status;
};

inline std::string post(const std::string& headers, const std::string& body = "abc") {
    return "POST /webhooks/telegram/ops HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n" + body;
}

inline std::string get(const std::string& target, const std::string& version = "HTTP/1.1") {
    return "GET " + target + ' ' + version + "\r\nHost: a\r\n\r\n";
}

inline std::vector<Hostile> hostile_requests() {
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    return {
        // The length.
        {"a list of lengths", post("Content-Length: 3, 3\r\n"), 400},
        {"a leading zero", post("Content-Length: 03\r\n"), 400},
        {"a plus sign", post("Content-Length: +3\r\n"), 400},
        {"a minus sign", post("Content-Length: -3\r\n"), 400},
        {"hexadecimal", post("Content-Length: 0x3\r\n"), 400},
        {"a fraction", post("Content-Length: 3.0\r\n"), 400},
        {"an empty length", post("Content-Length: \r\n"), 400},
        {"a blank in the number", post("Content-Length: 1 1\r\n"), 400},
        {"two equal lengths", post("Content-Length: 3\r\nContent-Length: 3\r\n"), 400},
        {"two lengths that differ", post("Content-Length: 3\r\ncontent-length: 4\r\n"), 400},
        {"a length of 19 digits", post("Content-Length: 1000000000000000000\r\n"), 413},
        {"a length that wraps around", post("Content-Length: 18446744073709551619\r\n"), 413},
        {"one byte too many", post("Content-Length: 1048577\r\n", ""), 413},
        // The transfer encoding.
        {"length and chunked", post("Content-Length: 3\r\n" + chunked, "3\r\nabc\r\n0\r\n\r\n"), 400},
        {"chunked and length", post(chunked + "Content-Length: 3\r\n", "3\r\nabc\r\n0\r\n\r\n"), 400},
        {"xchunked", post("Transfer-Encoding: xchunked\r\n"), 501},
        {"chunked in capitals", post("Transfer-Encoding: Chunked\r\n"), 501},
        {"identity", post("Transfer-Encoding: identity\r\n"), 501},
        {"gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n"), 501},
        {"chunked, identity", post("Transfer-Encoding: chunked, identity\r\n"), 501},
        {"chunked twice in a line", post("Transfer-Encoding: chunked, chunked\r\n"), 501},
        {"chunked with a parameter", post("Transfer-Encoding: chunked;a=b\r\n"), 501},
        {"chunked in quotes", post("Transfer-Encoding: \"chunked\"\r\n"), 501},
        {"chunked after a tab", post("Transfer-Encoding:\tchunked\r\n"), 400},
        {"chunked in two lines", post(chunked + chunked, "0\r\n\r\n"), 400},
        {"an empty encoding", post("Transfer-Encoding:\r\n"), 501},
        {"chunked in HTTP/1.0", "POST /webhooks/telegram/ops HTTP/1.0\r\n" + chunked + "\r\n0\r\n\r\n", 400},
        // The chunks.
        {"a chunk extension", post(chunked, "3;a=b\r\nabc\r\n0\r\n\r\n"), 400},
        {"a blank after the size", post(chunked, "3 \r\nabc\r\n0\r\n\r\n"), 400},
        {"a chunk without a size", post(chunked, "\r\nabc\r\n0\r\n\r\n"), 400},
        {"a size with 0x", post(chunked, "0x3\r\nabc\r\n0\r\n\r\n"), 400},
        {"a negative size", post(chunked, "-3\r\nabc\r\n0\r\n\r\n"), 400},
        {"a size of nine digits", post(chunked, "000000003\r\nabc\r\n0\r\n\r\n"), 400},
        {"a size beyond the bound", post(chunked, "100001\r\n"), 413},
        {"a size that wraps around", post(chunked, "FFFFFFFF\r\n"), 413},
        {"a chunk longer than its size", post(chunked, "3\r\nabcd\r\n0\r\n\r\n"), 400},
        {"a bare feed after the size", post(chunked, "3\nabc\r\n0\r\n\r\n"), 400},
        {"a bare feed after the data", post(chunked, "3\r\nabc\n0\r\n\r\n"), 400},
        {"a bare return at the end", post(chunked, "3\r\nabc\r\n0\r\n\rx"), 400},
        {"a trailer", post(chunked, "0\r\nX-Telegram-Bot-Api-Secret-Token: a\r\n\r\n"), 400},
        {"a trailer announced", post("Trailer: X-A\r\n" + chunked, "0\r\n\r\n"), 400},
        // Headers.
        {"no Host", "GET /livez HTTP/1.1\r\n\r\n", 400},
        {"two Hosts", "GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        {"an empty Host", "GET /livez HTTP/1.1\r\nHost:\r\n\r\n", 400},
        {"a Host with a path", "GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
        {"a Host with a user", "GET /livez HTTP/1.1\r\nHost: b@a\r\n\r\n", 400},
        {"two secret tokens", post("X-Telegram-Bot-Api-Secret-Token: a\r\nx-telegram-bot-api-secret-token: b\r\n"),
         400},
        {"two signatures", post("X-Slack-Signature: v0=a\r\nX-Slack-Signature: v0=a\r\n"), 400},
        {"two timestamps", post("X-Signature-Timestamp: 1\r\nX-Signature-Timestamp: 2\r\n"), 400},
        {"two of a header nobody knows", post("X-New: 1\r\nX-New: 2\r\n"), 400},
        {"a folded line", post("X-A: b\r\n c\r\n"), 400},
        {"a line folded by a tab", post("X-A: b\r\n\tc\r\n"), 400},
        {"a fold before the first header", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
        {"a blank before the colon", post("Content-Length : 3\r\n"), 400},
        {"a line without a colon", post("Content-Length\r\n"), 400},
        {"a header without a name", post(": 3\r\n"), 400},
        {"a name that is no token", post("Content[Length]: 3\r\n"), 400},
        {"a name beyond ASCII", post("X-\xC3\xA4: 3\r\n"), 400},
        {"a NUL in a value", post(std::string{"X-A: b\0c\r\n", 10}), 400},
        {"a NUL in a name", post(std::string{"X-A\0: b\r\n", 9}), 400},
        {"an escape in a value", post("X-A: \x1B[2J\r\n"), 400},
        {"a DEL in a value", post("X-A: \x7F\r\n"), 400},
        {"a vertical tab before chunked", post("Transfer-Encoding: \vchunked\r\n"), 400},
        {"a bare return in a value", post("X-A: b\rContent-Length: 3\r\n"), 400},
        {"a bare feed in a value", post("X-A: b\nContent-Length: 3\r\n"), 400},
        {"bare feeds alone", "GET /livez HTTP/1.1\nHost: a\n\n", 400},
        {"an expectation", post("Expect: 100-continue\r\nContent-Length: 3\r\n"), 417},
        {"an upgrade", post("Connection: Upgrade\r\nUpgrade: websocket\r\n"), 400},
        {"an upgrade that Connection does not name", post("Upgrade: h2c\r\n"), 400},
        {"an upgrade that is only named", post("Connection: close, upgrade\r\n"), 400},
        // The request line.
        {"the absolute form", get("http://a/livez"), 400},
        {"the authority form", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 501},
        {"the asterisk form", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"a target without a slash", get("livez"), 400},
        {"an empty target", get(""), 400},
        {"a fragment", get("/livez#a"), 400},
        {"a target beyond ASCII", get("/\xC3\xA4"), 400},
        {"a blank in the target", get("/a b"), 400},
        {"two blanks", "GET  /livez HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"a blank at the end of the line", "GET /livez HTTP/1.1 \r\nHost: a\r\n\r\n", 400},
        {"a tab as separator", "GET\t/livez HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"a trace", "TRACE /livez HTTP/1.1\r\nHost: a\r\n\r\n", 501},
        {"a method that is no token", "G(T /livez HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"no version", "GET /livez\r\n\r\n", 400},
        {"version 0.9", get("/livez", "HTTP/0.9"), 505},
        {"version 1.2", get("/livez", "HTTP/1.2"), 505},
        {"version 2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {"a version with two digits", get("/livez", "HTTP/1.10"), 400},
        {"a version in small letters", get("/livez", "http/1.1"), 400},
        {"an empty line first", "\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"a TLS hello", std::string{"\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03", 11}, 400},
    };
}

}  // namespace countersign::gateway
