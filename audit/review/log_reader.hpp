// SPDX-License-Identifier: Apache-2.0
// LogReader: reads a log for a reviewer, from any position to its end or line by line.
//
// It only reads, and works next to a running hub. It verifies no signatures; the verifier does.
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
        std::uint64_t next_seq = 0;  // the number of the first record after the position
    };
    // Reads every complete batch after the position, which moves to the end of the last one.
    [[nodiscard]] Result<void> walk(Position& from, const Walking& walking);

    // Finds the records between two positions that name a wanted request, and passes their heads to `named` in log
    // order. Only those lines are parsed; the others are searched as text.
    using Wanted = std::function<bool(const Ulid&)>;
    using Named = std::function<void(const Ulid&, const RecordHead&)>;
    [[nodiscard]] Result<void> mentions(const Position& from, const Position& to, const Wanted& wanted,
                                        const Named& named);

    // The line at this position, with its signature and without its LF. Errc::malformed if no line begins there.
    [[nodiscard]] Result<std::string> line(const Position& at);
    // The record of that line.
    [[nodiscard]] Result<Record> record(const Position& at);
    [[nodiscard]] Result<std::uint64_t> segment_bytes(std::uint64_t segment);
    // A text that is too long for its record, see read_long_text.
    [[nodiscard]] Result<std::string> long_text(const Record& record) {
        return read_long_text(*files_, directory_, record.seq, record.text("textFile"));
    }

    // Position of the first unreadable line, or the first number that is out of order.
    [[nodiscard]] const std::optional<std::string>& damage() const { return damage_; }

private:
    [[nodiscard]] Result<File*> open(std::uint64_t segment);

    FileSystem* files_;
    std::string directory_;
    std::unique_ptr<File> file_;  // the last segment that was read
    std::uint64_t open_segment_ = 0;
    std::optional<std::string> damage_;
};

}  // namespace countersign::audit::review
