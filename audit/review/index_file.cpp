// SPDX-License-Identifier: Apache-2.0
#include "audit/review/index_file.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace countersign::audit::review {
namespace {

// The file is the SHA-256 of everything after it, this head, then the tables in the head's order. The digest only
// detects accidents: an attacker who can write here can compute it.
struct Head {
    std::array<char, 8> magic{'C', 'S', 'R', 'E', 'V', 'I', 'E', 'W'};
    std::uint64_t version = 5;  // increased with every change of a table or of how records are read
    security::Digest last_line{};
    std::uint64_t segments = 0;
    std::uint64_t lives = 0;
    std::uint64_t records = 0;
    std::uint64_t incidents = 0;
    std::uint64_t pauses = 0;
    std::uint64_t sets = 0;
    std::uint64_t texts = 0;
    std::uint64_t text_bytes = 0;
    Latest latest{};
};
static_assert(std::has_unique_object_representations_v<Head>);

Head head_of(const Catalogue& catalogue, const Covered& covered) {
    return {.last_line = covered.last_line,
            .segments = covered.segment_bytes.size(),
            .lives = catalogue.lives().size(),
            .records = catalogue.records().size(),
            .incidents = catalogue.incidents().size(),
            .pauses = catalogue.pauses().size(),
            .sets = catalogue.sets().size(),
            .texts = catalogue.strings().size(),
            .text_bytes = catalogue.strings().bytes().size(),
            .latest = catalogue.latest()};
}

template <class T> std::string_view bytes_of(const T& values) {
    const std::span all{values};
    static_assert(std::has_unique_object_representations_v<typename decltype(all)::value_type>);
    return {reinterpret_cast<const char*>(all.data()), all.size_bytes()};  // NOLINT: bytes as they are
}

class Sink {
public:
    explicit Sink(File& file) : file_{file} {}
    [[nodiscard]] Result<void> put(std::string_view bytes) {
        if (auto written = write_all(file_, offset_, bytes); !written) return written;
        digest_.update(bytes);
        offset_ += bytes.size();
        return {};
    }
    [[nodiscard]] Result<void> finish() { return write_all(file_, 0, bytes_of(digest_.finish())); }

private:
    File& file_;
    std::uint64_t offset_ = sizeof(security::Digest);
    security::Sha256 digest_;
};

// Reads values from the file, and checks each count against the bytes left.
class Source {
public:
    Source(File& file, std::uint64_t size) : file_{file}, size_{size} {}

    template <class Values> [[nodiscard]] bool take(Values& values, std::uint64_t count) {
        constexpr auto each = sizeof(typename Values::value_type);
        if (count > (size_ - offset_) / each) return false;
        values.resize(static_cast<std::size_t>(count));
        return take(values.data(), values.size() * each);
    }
    [[nodiscard]] bool take(void* into, std::size_t bytes) {
        if (bytes > size_ - offset_) return false;
        const std::span<char> space{static_cast<char*>(into), bytes};
        for (std::size_t filled = 0; filled < bytes;) {
            const auto got = file_.read_some(offset_ + filled, space.subspan(filled));
            if (!got || *got == 0) return false;
            filled += *got;
        }
        if (offset_ >= sizeof(security::Digest)) digest_.update(std::string_view{space.data(), bytes});
        offset_ += bytes;
        return true;
    }
    // Whether everything was read and matches the digest.
    [[nodiscard]] bool ends_with(const security::Digest& digest) {
        return offset_ == size_ && digest_.finish() == digest;
    }

private:
    File& file_;
    std::uint64_t size_;
    std::uint64_t offset_ = 0;
    security::Sha256 digest_;
};

bool leads_somewhere(const Life& life, const Catalogue::Tables& tables) {
    const auto texts = tables.strings.size();
    const auto sets = tables.sets.size();
    const auto records = tables.records.size();
    return life.agent < texts && life.tool < texts && life.session < texts && life.channels < sets &&
           life.decided_by < texts && life.voters < sets && life.first_record < records && life.last_record < records &&
           life.settled <= 1 + static_cast<unsigned>(Outcome::indeterminate) && life.decider <= Decider::demo &&
           life.forward <= Forward::unknown && life.shown <= 1;
}

bool leads_somewhere(const Incident& incident, const Catalogue::Tables& tables) {
    const auto texts = tables.strings.size();
    return incident.kind <= IncidentKind::unreadable && incident.agent < texts && incident.tool < texts &&
           incident.why < texts;
}

bool leads_somewhere(const Latest& latest, const Catalogue::Tables& tables) {
    return latest.boot < tables.strings.size() && latest.stopped <= 1;
}

bool possible(const Pause& pause) {
    return std::chrono::milliseconds{pause.lasted} >= limits::review_pause_min && pause.stopped <= 1;
}

// A chain that only goes backwards ends; ascending numbers can be searched.
bool leads_backwards(const std::vector<RecordAt>& records, std::uint64_t segments) {
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto& at = records[i];
        if (at.segment > segments || at.seq == no_record) return false;
        if (at.previous != no_record && at.previous >= i) return false;
        if (i > 0 && at.seq <= records[i - 1].seq) return false;
    }
    return true;
}

// Also, no set may be larger than the ones we make.
bool leads_backwards(const std::vector<Sets::Set>& sets, std::size_t texts) {
    if (sets.empty() || sets.front() != Sets::Set{}) return false;
    std::vector<std::uint8_t> parts(sets.size());
    static_assert(limits::review_set_parts_max < 255);
    for (std::size_t i = 1; i < sets.size(); ++i) {
        if (sets[i].before >= i || sets[i].last >= texts) return false;
        parts[i] = static_cast<std::uint8_t>(parts[sets[i].before] + 1);
        if (parts[i] > limits::review_set_parts_max + 1) return false;
    }
    return true;
}

bool leads_somewhere(const std::vector<std::uint64_t>& ends, std::uint64_t bytes) {
    return !ends.empty() && ends.front() == 0 && ends.back() == bytes && std::ranges::is_sorted(ends);
}

bool leads_somewhere(const Catalogue::Tables& tables, std::uint64_t segments) {
    return !tables.records.empty() && tables.records.back().segment == segments &&
           leads_somewhere(tables.latest, tables) && std::ranges::all_of(tables.pauses, possible) &&
           leads_backwards(tables.records, segments) &&
           std::ranges::all_of(tables.lives, [&](const Life& life) { return leads_somewhere(life, tables); }) &&
           std::ranges::all_of(tables.incidents, [&](const Incident& one) { return leads_somewhere(one, tables); });
}

}  // namespace

std::uint64_t index_bytes(const Catalogue& catalogue, const Covered& covered) {
    const auto& strings = catalogue.strings();
    return sizeof(security::Digest) + sizeof(Head) + std::span{covered.segment_bytes}.size_bytes() +
           std::span{catalogue.lives()}.size_bytes() + std::span{catalogue.records()}.size_bytes() +
           std::span{catalogue.incidents()}.size_bytes() + std::span{catalogue.pauses()}.size_bytes() +
           std::span{catalogue.sets().all()}.size_bytes() + std::span{strings.ends()}.size_bytes() +
           strings.bytes().size();
}

Result<void> write_index(File& file, const Catalogue& catalogue, const Covered& covered) {
    Sink sink{file};
    const std::array head{head_of(catalogue, covered)};
    for (const auto piece :
         {bytes_of(head), bytes_of(covered.segment_bytes), bytes_of(catalogue.lives()), bytes_of(catalogue.records()),
          bytes_of(catalogue.incidents()), bytes_of(catalogue.pauses()), bytes_of(catalogue.sets().all()),
          bytes_of(catalogue.strings().ends()), std::string_view{catalogue.strings().bytes()}}) {
        if (auto put = sink.put(piece); !put) return put;
    }
    return sink.finish();
}

Result<Index> read_index(File& file, std::uint64_t bytes_max) {
    const Error no_index{Errc::malformed, "no index of this version"};
    const auto size = file.size();
    if (!size) return size.error();
    if (*size > bytes_max) return Error{Errc::too_large, "an index of " + std::to_string(*size) + " bytes"};
    Source source{file, *size};
    security::Digest digest{};
    Head head;
    if (!source.take(digest.data(), digest.size()) || !source.take(&head, sizeof head)) return no_index;
    if (head.magic != Head{}.magic || head.version != Head{}.version) return no_index;
    Covered covered{.last_line = head.last_line};
    Catalogue::Tables tables;
    std::vector<Sets::Set> sets;
    std::vector<std::uint64_t> ends;
    std::string texts;
    const bool whole = source.take(covered.segment_bytes, head.segments) && source.take(tables.lives, head.lives) &&
                       source.take(tables.records, head.records) && source.take(tables.incidents, head.incidents) &&
                       source.take(tables.pauses, head.pauses) && source.take(sets, head.sets) &&
                       source.take(ends, head.texts) && source.take(texts, head.text_bytes) && source.ends_with(digest);
    if (!whole || !leads_somewhere(ends, head.text_bytes) || !leads_backwards(sets, ends.size())) return no_index;
    tables.strings = Strings{std::move(texts), std::move(ends)};
    tables.sets = Sets{std::move(sets)};
    tables.latest = head.latest;
    if (!leads_somewhere(tables, head.segments)) return no_index;
    return Index{.catalogue = Catalogue{std::move(tables)}, .covered = std::move(covered)};
}

}  // namespace countersign::audit::review
