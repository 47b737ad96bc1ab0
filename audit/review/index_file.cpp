// SPDX-License-Identifier: Apache-2.0
#include "audit/review/index_file.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace countersign::audit::review {
namespace {

// SHA-256 of all that follows, this head, then the tables in its order; each text behind its length. The digest is
// against accidents: whoever can write here can make one.
struct Head {
    std::array<char, 8> magic{'C', 'S', 'R', 'E', 'V', 'I', 'E', 'W'};
    std::uint64_t version = 1;  // goes up with every change of a table, or of what the fold makes of a record
    std::uint64_t segment = 0;
    std::uint64_t offset = 0;
    security::Digest last_line{};
    std::uint64_t segments = 0;
    std::uint64_t lives = 0;
    std::uint64_t records = 0;
    std::uint64_t incidents = 0;
    std::uint64_t texts = 0;
};
static_assert(std::has_unique_object_representations_v<Head>);

template <class T> void put(std::string& out, std::span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T>);
    if (values.empty()) return;
    out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());  // NOLINT: bytes as they are
}

// Takes values from the front, as long as there are as many as it says.
class Source {
public:
    explicit Source(std::string_view bytes) : rest_{bytes} {}

    template <class T> [[nodiscard]] bool take(std::vector<T>& values, std::uint64_t count) {
        if (count > rest_.size() / sizeof(T)) return false;
        values.resize(static_cast<std::size_t>(count));
        return take(values.data(), values.size() * sizeof(T));
    }
    [[nodiscard]] bool take(void* into, std::size_t bytes) {
        if (bytes > rest_.size()) return false;
        if (bytes > 0) std::memcpy(into, rest_.data(), bytes);
        rest_.remove_prefix(bytes);
        return true;
    }
    [[nodiscard]] bool take(std::string& text) {
        std::uint32_t length = 0;
        if (!take(&length, sizeof length) || length > rest_.size()) return false;
        text = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return true;
    }
    [[nodiscard]] bool empty() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

// Text 0 is the empty one without being written.
bool take_texts(Source& source, Strings& strings, std::uint64_t count) {
    for (std::uint64_t i = 1; i < count; ++i) {
        std::string text;
        if (!source.take(text)) return false;
        strings.add(std::move(text));
    }
    return strings.size() == count;
}

bool leads_somewhere(const Life& life, const Catalogue::Tables& tables) {
    const auto texts = tables.strings.size();
    const auto records = tables.records.size();
    return life.agent < texts && life.tool < texts && life.session < texts && life.channels < texts &&
           life.decided_by < texts && life.voters < texts && life.first_record < records &&
           life.last_record < records && life.settled <= 1 + static_cast<unsigned>(Outcome::indeterminate) &&
           life.decider <= Decider::grant && life.forward <= Forward::unknown && life.shown <= 1;
}

bool leads_somewhere(const Incident& incident, const Catalogue::Tables& tables) {
    const auto texts = tables.strings.size();
    return incident.kind <= IncidentKind::unreadable && incident.agent < texts && incident.tool < texts &&
           incident.why < texts;
}

// A chain that only goes backwards has an end; numbers that ascend can be searched.
bool leads_backwards(const std::vector<RecordAt>& records, std::size_t texts, std::uint64_t segments) {
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto& at = records[i];
        if (at.kind >= texts || at.segment > segments) return false;
        if (at.previous != no_record && at.previous >= i) return false;
        if (i > 0 && at.seq <= records[i - 1].seq) return false;
    }
    return true;
}

bool leads_somewhere(const Catalogue::Tables& tables, std::uint64_t segments) {
    return leads_backwards(tables.records, tables.strings.size(), segments) &&
           std::ranges::all_of(tables.lives, [&](const Life& life) { return leads_somewhere(life, tables); }) &&
           std::ranges::all_of(tables.incidents, [&](const Incident& one) { return leads_somewhere(one, tables); });
}

}  // namespace

std::string encode_index(const Catalogue& catalogue, const Covered& covered) {
    const auto& strings = catalogue.strings();
    const Head head{.segment = covered.end.segment,
                    .offset = covered.end.offset,
                    .last_line = covered.last_line,
                    .segments = covered.segment_bytes.size(),
                    .lives = catalogue.lives().size(),
                    .records = catalogue.records().size(),
                    .incidents = catalogue.incidents().size(),
                    .texts = strings.size()};
    std::string bytes(sizeof(security::Digest), '\0');
    put(bytes, std::span{&head, 1});
    put(bytes, std::span{covered.segment_bytes});
    put(bytes, std::span{catalogue.lives()});
    put(bytes, std::span{catalogue.records()});
    put(bytes, std::span{catalogue.incidents()});
    for (Strings::Id id = 1; id < strings.size(); ++id) {
        const auto text = strings.at(id);
        const auto length = static_cast<std::uint32_t>(text.size());
        put(bytes, std::span{&length, 1});
        bytes += text;
    }
    const auto digest = security::sha256(std::string_view{bytes}.substr(sizeof(security::Digest)));
    std::memcpy(bytes.data(), digest.data(), digest.size());
    return bytes;
}

Result<Index> decode_index(std::string_view bytes) {
    const Error no_index{Errc::malformed, "no index of this version"};
    Source source{bytes};
    security::Digest digest{};
    if (!source.take(digest.data(), digest.size())) return no_index;
    if (security::sha256(bytes.substr(digest.size())) != digest) return no_index;
    Head head;
    if (!source.take(&head, sizeof head)) return no_index;
    if (head.magic != Head{}.magic || head.version != Head{}.version || head.segments != head.segment) return no_index;
    Covered covered{.end = {.segment = head.segment, .offset = head.offset}, .last_line = head.last_line};
    Catalogue::Tables tables;
    const bool whole = source.take(covered.segment_bytes, head.segments) && source.take(tables.lives, head.lives) &&
                       source.take(tables.records, head.records) && source.take(tables.incidents, head.incidents) &&
                       take_texts(source, tables.strings, head.texts) && source.empty();
    if (!whole || tables.records.empty() || !leads_somewhere(tables, head.segments)) return no_index;
    return Index{.catalogue = Catalogue{std::move(tables)}, .covered = std::move(covered)};
}

}  // namespace countersign::audit::review
