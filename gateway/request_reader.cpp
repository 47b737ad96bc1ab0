// SPDX-License-Identifier: Apache-2.0
#include "gateway/request_reader.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace countersign::gateway {

namespace asio = boost::asio;
namespace http = boost::beast::http;

struct RequestReader::Parser : http::request_parser<http::string_body> {};

RequestReader::RequestReader(const Bounds& bounds) : bounds_{bounds} {}
RequestReader::~RequestReader() = default;

RequestReader::Stage RequestReader::push(std::string_view bytes) {
    if (stage_ == Stage::refused) return stage_;
    buffer_ += bytes;
    return advance();
}

void RequestReader::refuse(Refusal refusal) {
    stage_ = Stage::refused;
    refusal_ = refusal;
    buffer_.clear();
}

RequestReader::Stage RequestReader::advance() {
    if (stage_ == Stage::head) find_head();
    if (stage_ == Stage::body) read_body();
    return stage_;
}

void RequestReader::find_head() {
    const auto found = head_scan_.look(buffer_, bounds_);
    if (const auto* refusal = std::get_if<Refusal>(&found)) return refuse(*refusal);
    const auto* end = std::get_if<HeadScan::End>(&found);
    if (end == nullptr) return;
    head_bytes_ = end->bytes;
    auto read = read_head(std::string_view{buffer_}.substr(0, head_bytes_), bounds_);
    if (const auto* refusal = std::get_if<Refusal>(&read)) return refuse(*refusal);
    head_ = std::get<Head>(std::move(read));
    stage_ = Stage::judging;
}

RequestReader::Stage RequestReader::accept(std::size_t body_bytes_max) {
    const auto length = head_.length.value_or(0);
    parser_ = std::make_unique<Parser>();
    parser_->eager(true);
    parser_->header_limit(static_cast<std::uint32_t>(bounds_.head_bytes));
    // The parser checks a length with the head, which must be read in any case.
    parser_->body_limit(std::max<std::uint64_t>(body_bytes_max, length));
    stage_ = Stage::body;
    unseen_ = length;
    chunk_scan_.reset();
    if (head_.chunked) chunk_scan_.emplace(body_bytes_max);
    scanned_ = 0;
    feed(head_bytes_);
    if (stage_ == Stage::body && !readers_agree()) refuse({400, "the head can be read in two ways"});
    if (stage_ == Stage::body && length > body_bytes_max) refuse({413, "the body is too large"});
    return advance();
}

bool RequestReader::readers_agree() const {
    if (!parser_->is_header_done()) return false;
    const auto& message = parser_->get();
    const auto fields = static_cast<std::size_t>(std::distance(message.begin(), message.end()));
    const auto length = parser_->content_length();
    return message.method_string() == head_.method && message.target() == head_.target && fields == head_.headers &&
           parser_->chunked() == head_.chunked && length.has_value() == head_.length.has_value() &&
           (!length || *length == *head_.length) && (message.version() == 11 || !head_.keep_alive);
}

void RequestReader::read_body() {
    scan_body();
    if (stage_ != Stage::body) return;
    if (scanned_ > 0) feed(scanned_);
    const bool ended = chunk_scan_ ? chunk_scan_->done() : unseen_ == 0;
    if (stage_ != Stage::body || (!ended && !parser_->is_done())) return;
    // Both readers must end at the same byte, and no header may have been added after the body.
    if (!ended || !parser_->is_done() || scanned_ != 0 || !readers_agree()) {
        return refuse({400, "the body can be read in two ways"});
    }
    stage_ = Stage::complete;
}

void RequestReader::scan_body() {
    auto fresh = std::string_view{buffer_}.substr(scanned_);
    if (chunk_scan_) {
        if (const auto refusal = chunk_scan_->take(fresh)) return refuse(*refusal);
    } else {
        const auto piece = std::min<std::uint64_t>(unseen_, fresh.size());
        unseen_ -= piece;
        fresh.remove_prefix(static_cast<std::size_t>(piece));
    }
    scanned_ = buffer_.size() - fresh.size();
}

// The parser may leave the beginning of a chunk size for the next call.
void RequestReader::feed(std::size_t bytes) {
    boost::system::error_code error;
    const auto taken = parser_->is_done() ? 0 : parser_->put(asio::const_buffer{buffer_.data(), bytes}, error);
    buffer_.erase(0, taken);
    scanned_ -= std::min(scanned_, taken);
    if (error == http::error::body_limit) return refuse({413, "the body is too large"});
    if (error && error != http::error::need_more) refuse({400, "the request cannot be read"});
}

std::vector<HttpHeader> RequestReader::headers() const {
    std::vector<HttpHeader> headers;
    headers.reserve(head_.headers);
    for (const auto& field : parser_->get()) {
        headers.push_back({std::string{field.name_string()}, std::string{field.value()}});
    }
    return headers;
}

RequestReader::Message RequestReader::take() {
    Message message{.headers = headers(), .body = std::move(parser_->get().body())};
    parser_.reset();
    head_ = {};
    head_scan_ = {};
    stage_ = Stage::head;
    return message;
}

}  // namespace countersign::gateway
