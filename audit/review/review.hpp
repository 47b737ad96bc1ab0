// SPDX-License-Identifier: Apache-2.0
// Review: finds requests in a log, fast, and gives back what the log itself says about them.
//
// It keeps an index, which only says where to look: every request that is given out was read from the log, folded
// anew and compared, and the log from there on was searched for what else names it. What does not fit throws the
// index away. A request that an index leaves out altogether nobody can see without reading the whole log; that is
// what reviewing without one is for.
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

// Where the index is kept, if at all. The defaults are for everybody but tests.
struct Keeping {
    std::string directory;  // made with its parent's permission; empty: no index is read or written
    std::string name;
    std::size_t records_min = limits::review_index_records_min;
    std::size_t records_step = limits::review_index_records_step;
    std::size_t bytes_max = limits::review_index_bytes_max;
};

// A request as the log has it.
struct Account {
    std::vector<Record> records;  // oldest first
    Catalogue facts;              // of these records alone
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
    // Borrows the file system. An error only when the log cannot be read; an index that cannot is done without.
    [[nodiscard]] static Result<Review> open(Settings settings);

    [[nodiscard]] const Catalogue& catalogue() const { return index_.catalogue; }
    // Not const: looking one up prepares the next.
    [[nodiscard]] const Life* find(const Ulid& id) { return index_.catalogue.find(id); }

    struct Found {
        std::size_t fitting = 0;  // how many there are
        std::size_t given = 0;    // how many were given out: the newest of them
    };
    // Calls for each request that fits, in the order in which they were asked, up to `newest` of them (0: all). Stops
    // when it returns false.
    [[nodiscard]] Result<Found> each(const Filter& filter, std::size_t newest,
                                     const std::function<bool(const Account&)>& take);
    // One request. Errc::unknown_request if there is none of that name.
    [[nodiscard]] Result<Account> account(const Ulid& id);
    // One record by its number. Errc::unknown_request if there is none.
    [[nodiscard]] Result<Record> record(std::uint64_t seq);
    [[nodiscard]] Result<std::string> long_text(const Record& record) { return reader_.long_text(record); }

    // Where the log could not be read; nothing if it could. Such a log gets no index: each look finds it again.
    [[nodiscard]] const std::optional<std::string>& damage() const { return reader_.damage(); }
    // Whether an index was read, for tests and benchmarks.
    [[nodiscard]] bool indexed() const { return indexed_; }

private:
    explicit Review(Settings settings)
        : settings_{std::move(settings)}, reader_{settings_.files, settings_.directory} {}
    [[nodiscard]] bool load();
    [[nodiscard]] bool fits_the_log(const Index& index);
    [[nodiscard]] Result<void> extend();
    void save();
    // Reads the log from its beginning, once: an index that was wrong is not asked again.
    [[nodiscard]] Result<void> rebuild();
    [[nodiscard]] Result<Account> read(const Life& life);
    // Errc::stale if the log has more about one of these requests, which are places in lives(), than the index says.
    [[nodiscard]] Result<void> nothing_left_out(std::span<const std::uint32_t> places);

    Settings settings_;
    LogReader reader_;
    Index index_;
    LogReader::Position end_;  // behind the last line that the catalogue has
    bool indexed_ = false;
};

}  // namespace countersign::audit::review
