// SPDX-License-Identifier: Apache-2.0
// RequestReader: takes bytes and returns one request after the other. No socket and no clock: the connection supplies
// both, and a fuzzer supplies bytes.
//
// Two readers must agree on every request: the strict check of the raw bytes, which determines where head and body end,
// and Beast's parser, which gets exactly those bytes. If they disagree, the request is refused.
#pragma once

#include "core/http_message.hpp"
#include "gateway/chunked.hpp"
#include "gateway/framing.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::gateway {

class RequestReader {
public:
    enum class Stage {
        head,      // needs more bytes of the head
        judging,   // the head is complete: call accept() or refuse() before its body is read
        body,      // needs more bytes of the body
        complete,  // call take()
        refused,   // final: later bytes on this connection cannot be trusted to be a request
    };

    explicit RequestReader(const Bounds& bounds);  // borrows
    ~RequestReader();
    RequestReader(const RequestReader&) = delete;
    RequestReader& operator=(const RequestReader&) = delete;

    // Bytes that arrive while a request is being judged or is complete belong to the next request.
    Stage push(std::string_view bytes);
    // Precondition: judging. The route's body limit applies from here on. A larger body is refused with 413, but only
    // after both readers agreed on the head, which is then in headers().
    Stage accept(std::size_t body_bytes_max);
    void refuse(Refusal refusal);

    struct Message {
        std::vector<HttpHeader> headers;
        std::string body;
    };
    // Precondition: complete. Then the next request begins.
    Message take();
    // Precondition: both readers agreed on the head, and take() was not called since.
    [[nodiscard]] std::vector<HttpHeader> headers() const;

    [[nodiscard]] Stage stage() const { return stage_; }
    [[nodiscard]] const Head& head() const { return head_; }  // valid from judging until take()
    [[nodiscard]] const Refusal& refusal() const { return refusal_; }
    // Whether no byte of the next request has arrived.
    [[nodiscard]] bool untouched() const { return stage_ == Stage::head && buffer_.empty(); }
    [[nodiscard]] std::size_t buffered() const { return buffer_.size(); }
    // Precondition: judging. The number of bytes that arrived after the head.
    [[nodiscard]] std::size_t behind_head() const { return buffer_.size() - head_bytes_; }

private:
    struct Parser;
    Stage advance();
    void find_head();
    void read_body();
    void scan_body();
    void feed(std::size_t bytes);
    [[nodiscard]] bool readers_agree() const;

    const Bounds& bounds_;
    Stage stage_ = Stage::head;
    std::string buffer_;  // not passed to the parser yet
    HeadScan head_scan_;
    std::size_t head_bytes_ = 0;
    Head head_;
    Refusal refusal_;
    std::size_t scanned_ = 0;   // how many bytes of the buffer are known to belong to this body
    std::uint64_t unseen_ = 0;  // how many bytes of a body with a length were not scanned yet
    std::optional<ChunkScan> chunk_scan_;
    std::unique_ptr<Parser> parser_;
};

}  // namespace countersign::gateway
