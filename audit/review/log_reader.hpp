// SPDX-License-Identifier: Apache-2.0
// LogReader: the log for somebody who reviews it. Walks it from any place to its end, and reads single lines of it.
//
// It only reads, and works beside a running hub. It checks no signature: `verify` does.
#pragma once

#include "audit/batches.hpp"
#include "audit/file_system.hpp"
#include "audit/long_text.hpp"
#include "audit/progress.hpp"
#include "audit/record_head.hpp"
#include "core/result.hpp"
#include "core/ulid.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace countersign::audit::review {

class LogReader {
public:
    // Borrows the file system.
    LogReader(FileSystem& files, std::string directory) : files_{&files}, directory_{std::move(directory)} {}

    struct Position {
        std::uint64_t segment = 0;
        std::uint64_t offset = 0;
        friend bool operator==(const Position&, const Position&) = default;
    };
    struct Walking {
        std::function<void(const BatchRecord&, std::uint64_t segment)> record;
        Watch progress = {};
        std::uint64_t next_seq = 0;  // the number of the first record behind the position
    };
    // Every complete batch behind the position, which moves behind the last one.
    [[nodiscard]] Result<void> walk(Position& from, const Walking& walking);

    // The head of each record between two places whose line names a request that is wanted, in the order of the log.
    // Only those lines are read; the others are searched.
    using Wanted = std::function<bool(const Ulid&)>;
    using Named = std::function<void(const Ulid&, const RecordHead&)>;
    [[nodiscard]] Result<void> mentions(const Position& from, const Position& to, const Wanted& wanted,
                                        const Named& named);

    // The line that begins there, with its signature and without its LF. Errc::malformed if none does.
    [[nodiscard]] Result<std::string> line(const Position& at);
    // The record of that line.
    [[nodiscard]] Result<Record> record(const Position& at);
    [[nodiscard]] Result<std::uint64_t> segment_bytes(std::uint64_t segment);
    // A text that was too long for its record: read_long_text.
    [[nodiscard]] Result<std::string> long_text(const Record& record) {
        return read_long_text(*files_, directory_, record.seq, record.text("textFile"));
    }

    // Where the first line was that could not be read, or the first number that was not the next one.
    [[nodiscard]] const std::optional<std::string>& damage() const { return damage_; }

private:
    [[nodiscard]] Result<File*> open(std::uint64_t segment);

    FileSystem* files_;
    std::string directory_;
    std::unique_ptr<File> file_;  // the segment that was read last
    std::uint64_t open_segment_ = 0;
    std::optional<std::string> damage_;
};

}  // namespace countersign::audit::review
