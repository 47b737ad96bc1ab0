// SPDX-License-Identifier: Apache-2.0
#include "audit/review/review.hpp"

#include "audit/segment.hpp"

#include <algorithm>

namespace countersign::audit::review {
namespace {

LogReader::Position position_of(const RecordAt& at) { return {.segment = at.segment, .offset = at.offset}; }

// Errc::stale: the log has something else at that place than the index says.
Error moved(const RecordAt& at) { return {Errc::stale, "record " + std::to_string(at.seq) + " is not where it was"}; }

}  // namespace

Result<Review> Review::open(Settings settings) {
    Review review{std::move(settings)};
    review.indexed_ = review.load();
    const auto known = review.catalogue().records().size();
    if (auto read = review.extend(); !read) return read.error();
    const auto records = review.catalogue().records().size();
    // Few records are walked faster than a file is written, so that one is not written for each look at a running hub.
    const auto& keeping = review.settings_.keeping;
    if (records >= keeping.records_min && records - known >= keeping.records_step) review.save();
    return review;
}

bool Review::load() {
    const auto& keeping = settings_.keeping;
    if (keeping.directory.empty()) return false;
    const auto bytes = read_whole(settings_.files, keeping.directory + "/" + keeping.name, keeping.bytes_max);
    if (!bytes) return false;
    auto index = decode_index(*bytes);
    if (!index || !fits_the_log(*index)) return false;
    index_ = std::move(*index);
    return true;
}

// The same segments, and the same last line where it was. That nothing in between was changed is for `verify` to say.
bool Review::fits_the_log(const Index& index) {
    const auto& [end, segment_bytes, last_line] = index.covered;
    const auto count = count_segments(settings_.files, settings_.directory);
    if (!count || end.segment >= *count) return false;
    for (std::uint64_t number = 0; number < end.segment; ++number) {
        const auto bytes = reader_.segment_bytes(number);
        if (!bytes || *bytes != segment_bytes[number]) return false;
    }
    const auto& last = index.catalogue.records().back();
    const auto line = reader_.line(position_of(last));
    return line && security::sha256(*line) == last_line;
}

Result<void> Review::extend() {
    auto& [catalogue, covered] = index_;
    const auto from = covered.end.segment;
    const auto next_seq = catalogue.records().empty() ? 0 : catalogue.records().back().seq + 1;
    auto read = reader_.walk(covered.end, {.record =
                                               [&](const BatchRecord& one, std::uint64_t segment) {
                                                   catalogue.take(one.record,
                                                                  {.segment = static_cast<std::uint32_t>(segment),
                                                                   .offset = static_cast<std::uint32_t>(one.offset)});
                                               },
                                           .progress = settings_.progress,
                                           .next_seq = next_seq});
    if (!read) return read;
    for (auto number = from; number < covered.end.segment; ++number) {
        const auto bytes = reader_.segment_bytes(number);
        if (!bytes) return bytes.error();
        covered.segment_bytes.push_back(*bytes);
    }
    return {};
}

// Not synced, and not alone with its name: a file that is torn or written by two at once has no right digest, and is
// made anew. Whatever fails, the answer is there without it.
void Review::save() {
    const auto& [directory, name, records_min, records_step, bytes_max] = settings_.keeping;
    if (directory.empty() || reader_.damage() || catalogue().records().empty()) return;
    const auto last = reader_.line(position_of(catalogue().records().back()));
    if (!last) return;
    index_.covered.last_line = security::sha256(*last);
    const auto bytes = encode_index(catalogue(), index_.covered);
    if (bytes.size() > bytes_max) return;
    auto& files = settings_.files;
    if (!files.make_directory(directory)) return;
    const auto path = directory + "/" + name;
    {
        auto file = files.open(path + ".new", FileSystem::Mode::create);
        if (!file || !write_all(**file, 0, bytes)) return;
    }
    if (!files.rename(path + ".new", path)) return;
}

Result<void> Review::rebuild() {
    reader_ = LogReader{settings_.files, settings_.directory};
    index_ = {};
    indexed_ = false;
    if (auto read = extend(); !read) return read;
    if (catalogue().records().size() >= settings_.keeping.records_min) save();
    return {};
}

Result<Account> Review::read(const Life& life) {
    Account account;
    for (const auto& at : catalogue().records_of(life)) {
        auto record = reader_.record(position_of(at));
        if (!record || record->seq != at.seq || record->kind != catalogue().text(at.kind)) return moved(at);
        account.facts.take(*record, {.segment = at.segment, .offset = at.offset});
        account.records.push_back(std::move(*record));
    }
    const bool one = account.facts.lives().size() == 1;
    const auto& first = catalogue().records()[life.first_record];
    if (!one || account.facts.records_of(account.life()).size() != account.records.size()) return moved(first);
    if (!same(life, catalogue(), account.life(), account.facts)) return moved(first);
    return account;
}

Result<Review::Found> Review::each(const Filter& filter, std::size_t newest,
                                   const std::function<bool(const Account&)>& take) {
    Found found;
    std::optional<std::uint64_t> last_given;  // by its record: what was given out is not given again after a rebuild
    for (bool rebuilt = false;; rebuilt = true) {
        const auto fitting = select(catalogue(), filter);
        found.fitting = fitting.size();
        const auto skipped = newest == 0 || fitting.size() <= newest ? 0 : fitting.size() - newest;
        std::optional<Error> stale;
        for (auto place = fitting.begin() + static_cast<std::ptrdiff_t>(skipped); place != fitting.end(); ++place) {
            const auto& life = catalogue().lives()[*place];
            const auto seq = catalogue().records()[life.first_record].seq;
            if (last_given && seq <= *last_given) continue;
            const auto account = read(life);
            if (!account) {
                stale = account.error();
                break;
            }
            last_given = seq;
            ++found.given;
            if (!take(*account)) return found;
        }
        if (!stale) return found;
        if (rebuilt) return Error{Errc::damaged, stale->detail};
        if (auto read_again = rebuild(); !read_again) return read_again.error();
    }
}

Result<Account> Review::account(const Ulid& id) {
    for (bool rebuilt = false;; rebuilt = true) {
        const auto* life = find(id);
        if (life == nullptr) return Error{Errc::unknown_request, "there is no request " + id.str() + " in the log"};
        auto found = read(*life);
        if (found) return found;
        if (rebuilt) return Error{Errc::damaged, found.error().detail};
        if (auto read_again = rebuild(); !read_again) return read_again.error();
    }
}

Result<Record> Review::record(std::uint64_t seq) {
    for (bool rebuilt = false;; rebuilt = true) {
        const auto* at = catalogue().record(seq);
        if (at == nullptr) return Error{Errc::unknown_request, "there is no record " + std::to_string(seq)};
        auto found = reader_.record(position_of(*at));
        if (found && found->seq == seq) return found;
        if (rebuilt) return Error{Errc::damaged, moved(*at).detail};
        if (auto read_again = rebuild(); !read_again) return read_again.error();
    }
}

}  // namespace countersign::audit::review
