// SPDX-License-Identifier: Apache-2.0
// Catalogue: what a log says about each request, computed from its records in order.
//
// Only this class knows which record changes what. An index is a catalogue in a file, and a single request is a
// catalogue of its own records, so the two can be compared.
#pragma once

#include "audit/record.hpp"
#include "audit/review/life.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace countersign::audit::review {

class Catalogue {
public:
    // The position of a record.
    struct Where {
        std::uint32_t segment = 0;
        std::uint32_t offset = 0;
    };
    // Errc::too_large if the record's number is too large for a catalogue, which is then unchanged.
    [[nodiscard]] Result<void> take(const Record& record, const Where& where);

    // In the order in which they were requested.
    [[nodiscard]] const std::vector<Life>& lives() const { return lives_; }
    // In log order.
    [[nodiscard]] const std::vector<RecordAt>& records() const { return records_; }
    [[nodiscard]] const std::vector<Incident>& incidents() const { return incidents_; }
    // Pauses of at least review_pause_min, in log order.
    [[nodiscard]] const std::vector<Pause>& pauses() const { return pauses_; }
    // Precondition: there is at least one record.
    [[nodiscard]] const Latest& latest() const { return latest_; }
    [[nodiscard]] std::string_view text(Strings::Id id) const { return strings_.at(id); }
    [[nodiscard]] const Strings& strings() const { return strings_; }
    // In the order in which they were added.
    [[nodiscard]] std::vector<std::string_view> texts(Sets::Id set) const;
    [[nodiscard]] const Sets& sets() const { return sets_; }

    // The records of a request, oldest first.
    [[nodiscard]] std::vector<RecordAt> records_of(const Life& life) const;
    // The request with this id, if there is one.
    [[nodiscard]] const Life* find(const Ulid& id);
    // The record with this number, if there is one. Precondition: numbers ascend, as they do in an undamaged log.
    [[nodiscard]] const RecordAt* record(std::uint64_t seq) const;

    struct Tables {
        Strings strings;
        Sets sets;
        std::vector<Life> lives;
        std::vector<RecordAt> records;
        std::vector<Incident> incidents;
        std::vector<Pause> pauses;
        Latest latest;
    };
    Catalogue() = default;
    // Precondition: every index in the tables is valid, and every chain of records goes backwards.
    explicit Catalogue(Tables tables)
        : strings_{std::move(tables.strings)},
          sets_{std::move(tables.sets)},
          lives_{std::move(tables.lives)},
          records_{std::move(tables.records)},
          incidents_{std::move(tables.incidents)},
          pauses_{std::move(tables.pauses)},
          latest_{tables.latest} {}

private:
    [[nodiscard]] Life* life_of(const Record& record);
    void begin(Life& life, const Record& record);
    void fold(Life& life, const Record& record);
    void settle(Life& life, const Record& record, std::string_view outcome);
    void note_incident(const Record& record, const Life* life);
    void note_time(const Record& record);
    [[nodiscard]] Strings::Id text_of(const Record& record, std::string_view name);
    [[nodiscard]] Sets::Id with(Sets::Id set, std::string_view part);

    Strings strings_;
    Sets sets_;
    std::vector<Life> lives_;
    std::vector<RecordAt> records_;
    std::vector<Incident> incidents_;
    std::vector<Pause> pauses_;
    Latest latest_;
    NumberTable by_id_;          // built when a request is first looked up
    std::size_t looked_up_ = 0;  // how many requests it covers
};

// Whether two catalogues say the same about a request, wherever its records are.
[[nodiscard]] bool same(const Life& left, const Catalogue& left_in, const Life& right, const Catalogue& right_in);

}  // namespace countersign::audit::review
