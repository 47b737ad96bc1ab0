// SPDX-License-Identifier: Apache-2.0
// Review: finds requests in a log quickly, and returns what the log itself says about them.
//
// It keeps an index, which only tells where to look. Every returned request is read from the log, computed again and
// compared with the index, and the rest of the log is searched for other records that name it. A mismatch discards the
// index. Only reading the whole log could reveal a request that the index omits completely; reviewing without an index
// does that.
#pragma once

#include "audit/file_system.hpp"
#include "audit/review/catalogue.hpp"
#include "audit/review/filter.hpp"
#include "audit/review/index_file.hpp"
#include "audit/review/log_reader.hpp"
#include "core/limits.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace countersign::audit::review {

// Where to store the index, if at all. Only tests change the defaults.
struct Keeping {
    std::string directory;  // created in an existing parent; empty: no index is read or written
    std::string name;
    std::size_t records_min = limits::review_index_records_min;
    std::size_t records_step = limits::review_index_records_step;
    std::size_t bytes_max = limits::review_index_bytes_max;
};

// A request as the log has it.
struct Account {
    std::vector<Record> records;  // oldest first
    Catalogue facts;              // computed from these records alone
    [[nodiscard]] const Life& life() const { return facts.lives().front(); }
};

class Review {
public:
    struct Settings {
        FileSystem& files;
        std::string directory;  // of the log
        Keeping keeping = {};
        Watch progress = {};
    };
    // Borrows the file system. Fails only if the log cannot be read; an unreadable index is ignored.
    [[nodiscard]] static Result<Review> open(Settings settings);

    [[nodiscard]] const Catalogue& catalogue() const { return index_.catalogue; }
    // Not const: a lookup builds the table for later ones.
    [[nodiscard]] const Life* find(const Ulid& id) { return index_.catalogue.find(id); }

    struct Found {
        std::size_t fitting = 0;  // how many match
        std::size_t given = 0;    // how many were passed on: the newest of them
    };
    // Calls `take` for the newest matching requests, at most `newest` (0: all), in the order in which they were
    // requested. Stops when `take` returns false.
    [[nodiscard]] Result<Found> each(const Filter& filter, std::size_t newest,
                                     const std::function<bool(const Account&)>& take);
    // One request. Errc::unknown_request if there is none with this id.
    [[nodiscard]] Result<Account> account(const Ulid& id);
    // One record by its number. Errc::unknown_request if there is none.
    [[nodiscard]] Result<Record> record(std::uint64_t seq);
    [[nodiscard]] Result<std::string> long_text(const Record& record) { return reader_.long_text(record); }

    // Where the log could not be read, if so. Such a log gets no index, so each review finds the damage again.
    [[nodiscard]] const std::optional<std::string>& damage() const { return reader_.damage(); }
    // Whether an index was loaded; for tests and benchmarks.
    [[nodiscard]] bool indexed() const { return indexed_; }

private:
    explicit Review(Settings settings)
        : settings_{std::move(settings)}, reader_{settings_.files, settings_.directory} {}
    [[nodiscard]] bool load();
    [[nodiscard]] bool fits_the_log(const Index& index);
    [[nodiscard]] Result<void> extend();
    void save();
    // Reads the log from its beginning. Only once: then the index has been replaced.
    [[nodiscard]] Result<void> rebuild();
    [[nodiscard]] Result<Account> read(const Life& life);
    // Errc::stale if the log has more records about one of these requests (indices into lives()) than the index says.
    [[nodiscard]] Result<void> nothing_left_out(std::span<const std::uint32_t> places);

    Settings settings_;
    LogReader reader_;
    Index index_;
    LogReader::Position end_;  // after the last line in the catalogue
    bool indexed_ = false;
};

}  // namespace countersign::audit::review
