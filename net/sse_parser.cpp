// SPDX-License-Identifier: Apache-2.0
#include "net/sse_parser.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace countersign::net {

Result<void> SseParser::push(std::string_view bytes) {
    while (!bytes.empty() && !failed_) {
        if (std::exchange(after_cr_, false) && bytes.front() == '\n') {  // the second half of a CRLF
            bytes.remove_prefix(1);
            continue;
        }
        const auto end = bytes.find_first_of("\r\n");
        line_ += bytes.substr(0, end);
        failed_ = line_.size() > line_bytes_max_;
        if (failed_ || end == bytes.npos) break;
        after_cr_ = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        end_line();
    }
    if (!failed_) return {};
    line_ = {};
    data_ = {};
    return Error{Errc::too_large, "an event is longer than we take"};
}

std::optional<SseEvent> SseParser::pop() {
    if (events_.empty()) return std::nullopt;
    auto event = std::move(events_.front());
    events_.pop_front();
    return event;
}

void SseParser::end_line() {
    const auto whole = std::exchange(line_, {});
    std::string_view line{whole};
    if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.empty()) return dispatch();
    const auto colon = line.find(':');
    auto value = colon == line.npos ? std::string_view{} : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    field(line.substr(0, colon), value);  // a comment has an empty name
}

void SseParser::field(std::string_view name, std::string_view value) {
    if (name == "data") {
        if (std::exchange(has_data_, true)) data_ += '\n';
        data_ += value;
        failed_ = data_.size() > event_bytes_max_;
    } else if (name == "event") {
        type_ = value;
    } else if (name == "id") {
        const bool usable = value.find('\0') == value.npos && value.size() <= limits::sse_id_bytes_max;
        if (usable) named_id_ = utf8::repaired(value);
    } else if (name == "retry") {
        long wanted = 0;
        const auto* const end = value.data() + value.size();
        const bool digits = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
        if (!digits) return;
        const auto most = limits::sse_retry_max.count();
        const auto read = std::from_chars(value.data(), end, wanted);
        retry_ = std::chrono::milliseconds{read.ec == std::errc{} ? std::min<long>(wanted, most) : most};
    }
}

void SseParser::dispatch() {
    last_id_ = named_id_;
    const bool has_data = std::exchange(has_data_, false);
    auto type = utf8::repaired(std::exchange(type_, {}));
    auto data = utf8::repaired(std::exchange(data_, {}));
    if (!has_data) return;
    if (type.empty()) type = "message";
    events_.push_back({.type = std::move(type), .data = std::move(data), .id = last_id_});
}

}  // namespace countersign::net
