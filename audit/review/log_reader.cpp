// SPDX-License-Identifier: Apache-2.0
#include "audit/review/log_reader.hpp"

#include "audit/segment.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace countersign::audit::review {
namespace {

// Most lines are shorter; longer ones take a second read.
constexpr std::size_t first_read_bytes = 4096;

// Otherwise only the verifier would notice a missing record, and a reviewer would not know to run it.
std::string out_of_order(std::uint64_t seq, std::uint64_t wanted) {
    return "record " + std::to_string(seq) + " stands where record " + std::to_string(wanted) + " should be";
}

// Position of the next match. Uses memmem, because a byte-wise search would stop at each quote.
std::size_t next_of(std::string_view bytes, std::string_view wanted, std::size_t from) {
    const auto* found = ::memmem(bytes.data() + from, bytes.size() - from, wanted.data(), wanted.size());
    return found == nullptr ? std::string_view::npos
                            : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
}

// Inside a string the quotes would be escaped. A request named in a nested object is found too; the caller then reads
// the log again.
void search(std::string_view bytes, const LogReader::Wanted& wanted, const LogReader::Named& named) {
    constexpr std::string_view name = "\"requestId\":\"";
    for (auto at = next_of(bytes, name, 0); at != std::string_view::npos; at = next_of(bytes, name, at)) {
        at += name.size();
        const auto id = Ulid::parse(bytes.substr(at, limits::approval_id_chars));
        if (!id || !wanted(*id)) continue;
        const auto begin = bytes.rfind('\n', at) + 1;  // start of the line; 0 if no line precedes it
        const auto end = std::min(bytes.find('\n', at), bytes.size());
        const auto line = split_line(bytes.substr(begin, end - begin));
        const auto head = line ? read_head(line->json) : Result<RecordHead>{line.error()};
        if (head) named(*id, *head);
        at = end;
    }
}

}  // namespace

Result<void> LogReader::mentions(const Position& from, const Position& to, const Wanted& wanted, const Named& named) {
    for (auto segment = from.segment; segment <= to.segment; ++segment) {
        const auto bytes = read_segment(*files_, directory_, segment);
        if (!bytes) return bytes.error();
        const auto end = segment == to.segment ? std::min<std::uint64_t>(to.offset, bytes->size()) : bytes->size();
        const auto begin = segment == from.segment ? std::min<std::uint64_t>(from.offset, end) : 0;
        search(std::string_view{*bytes}.substr(begin, end - begin), wanted, named);
    }
    return {};
}

Result<void> LogReader::walk(Position& from, const Walking& walking) {
    const auto count = count_segments(*files_, directory_);
    if (!count) return count.error();
    auto wanted = walking.next_seq;
    Reading reading{walking.progress, *files_, directory_, "reading", from.segment};
    while (from.segment < *count) {
        const auto bytes = read_segment(*files_, directory_, from.segment);
        if (!bytes) return bytes.error();
        std::optional<std::string> gap;
        const auto read = read_batches(*bytes, from.offset, [&](BatchRecord&& one) {
            if (one.record.seq != wanted && !gap) gap = out_of_order(one.record.seq, wanted);
            wanted = one.record.seq + 1;
            walking.record(one, from.segment);
            reading.record(one.offset);
        });
        if (read.damage && !damage_) damage_ = segment_name(from.segment) + ": " + *read.damage + " cannot be read";
        if (gap && !damage_) damage_ = std::move(gap);
        from.offset = read.end;
        reading.segment(bytes->size());
        // The writer leaves a segment only when its last batch is on disk.
        if (from.segment + 1 == *count) break;
        from = {.segment = from.segment + 1, .offset = 0};
    }
    return {};
}

Result<File*> LogReader::open(std::uint64_t segment) {
    if (file_ == nullptr || open_segment_ != segment) {
        auto opened = files_->open(directory_ + "/" + segment_name(segment), FileSystem::Mode::read);
        if (!opened) return opened.error();
        file_ = std::move(*opened);
        open_segment_ = segment;
    }
    return file_.get();
}

Result<std::uint64_t> LogReader::segment_bytes(std::uint64_t segment) {
    const auto file = open(segment);
    if (!file) return file.error();
    return (*file)->size();
}

Result<std::string> LogReader::line(const Position& at) {
    const auto file = open(at.segment);
    if (!file) return file.error();
    std::string text;
    while (text.size() <= line_bytes_max) {
        const auto filled = text.size();
        text.resize(filled == 0 ? first_read_bytes : line_bytes_max + 1);
        const auto got = (*file)->read_some(at.offset + filled, std::span{text}.subspan(filled));
        if (!got) return got.error();
        text.resize(filled + *got);
        const auto end = text.find('\n', filled);
        if (end != std::string::npos) {
            text.resize(end);
            return text;
        }
        if (*got == 0) break;
    }
    return Error{Errc::malformed, segment_name(at.segment) + ": no line begins at byte " + std::to_string(at.offset)};
}

Result<Record> LogReader::record(const Position& at) {
    const auto text = line(at);
    if (!text) return text.error();
    const auto parts = split_line(*text);
    if (!parts) return parts.error();
    return parse_record(parts->json);
}

}  // namespace countersign::audit::review
