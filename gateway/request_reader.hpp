// SPDX-License-Identifier: Apache-2.0
// RequestReader: bytes in, one request after the other out. No socket and no clock: the session brings both, a fuzzer
// brings bytes.
//
// Two readers must agree on every request: the strict check of the raw bytes, which says where head and body end, and
// Beast's parser, which gets exactly those bytes. Where they differ the request is refused.
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
        head,      // waits for bytes of a head
        judging,   // the head is there: accept() or refuse() it before its body is read
        body,      // waits for bytes of the body
        complete,  // take() it
        refused,   // for good: what follows on this connection cannot be trusted to be a request
    };

    explicit RequestReader(const Bounds& bounds);  // borrows
    ~RequestReader();
    RequestReader(const RequestReader&) = delete;
    RequestReader& operator=(const RequestReader&) = delete;

    // Bytes that come while a request is judged or complete belong to the next one.
    Stage push(std::string_view bytes);
    // Precondition: judging. The route's own bound on the body binds from here on.
    Stage accept(std::size_t body_bytes_max);
    void refuse(Refusal refusal);

    struct Message {
        std::vector<HttpHeader> headers;
        std::string body;
    };
    // Precondition: complete. The next request begins.
    Message take();

    [[nodiscard]] Stage stage() const { return stage_; }
    [[nodiscard]] const Head& head() const { return head_; }  // from judging on, until take()
    [[nodiscard]] const Refusal& refusal() const { return refusal_; }
    // No byte of the next request has come.
    [[nodiscard]] bool untouched() const { return stage_ == Stage::head && buffer_.empty(); }
    [[nodiscard]] std::size_t buffered() const { return buffer_.size(); }
    // Precondition: judging. What came along with the head.
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
    std::string buffer_;  // not given to the parser yet
    HeadScan head_scan_;
    std::size_t head_bytes_ = 0;
    Head head_;
    Refusal refusal_;
    std::size_t scanned_ = 0;   // of the buffer: known to be of this body
    std::uint64_t unseen_ = 0;  // of a sized body: not scanned yet
    std::optional<ChunkScan> chunk_scan_;
    std::unique_ptr<Parser> parser_;
};

}  // namespace countersign::gateway
