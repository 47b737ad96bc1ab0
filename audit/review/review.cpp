// SPDX-License-Identifier: Apache-2.0
#include "audit/review/review.hpp"

#include "audit/segment.hpp"

#include <algorithm>

namespace countersign::audit::review {
namespace {

LogReader::Position position_of(const RecordAt& at) { return {.segment = at.segment, .offset = at.offset}; }

// Errc::stale: the log has another record at this position than the index says.
Error moved(const RecordAt& at) { return {Errc::stale, "record " + std::to_string(at.seq) + " is not where it was"}; }

}  // namespace

Result<Review> Review::open(Settings settings) {
    Review review{std::move(settings)};
    review.indexed_ = review.load();
    const auto known = review.catalogue().records().size();
    if (auto read = review.extend(); !read) return read.error();
    const auto records = review.catalogue().records().size();
    // A few records are read faster than a file is written, so an index is not written for each look at a running hub.
    const auto& keeping = review.settings_.keeping;
    if (records >= keeping.records_min && records - known >= keeping.records_step) review.save();
    return review;
}

bool Review::load() {
    const auto& keeping = settings_.keeping;
    if (keeping.directory.empty()) return false;
    const auto file = settings_.files.open(keeping.directory + "/" + keeping.name, FileSystem::Mode::read);
    if (!file) return false;
    auto index = read_index(**file, keeping.bytes_max);
    if (!index || !fits_the_log(*index)) return false;
    index_ = std::move(*index);
    return true;
}

// The segments before have the same sizes, and the last line is the same and where it was. Only `verify` can prove that
// nothing in between changed. Reading continues after that line, whatever the file claims.
bool Review::fits_the_log(const Index& index) {
    const auto& last = index.catalogue.records().back();
    const auto count = count_segments(settings_.files, settings_.directory);
    if (!count || last.segment >= *count) return false;
    for (std::uint64_t number = 0; number < last.segment; ++number) {
        const auto bytes = reader_.segment_bytes(number);
        if (!bytes || *bytes != index.covered.segment_bytes[number]) return false;
    }
    const auto line = reader_.line(position_of(last));
    if (!line || security::sha256(*line) != index.covered.last_line) return false;
    end_ = {.segment = last.segment, .offset = last.offset + line->size() + 1};
    return true;
}

Result<void> Review::extend() {
    auto& catalogue = index_.catalogue;
    const auto next_seq = catalogue.records().empty() ? 0 : catalogue.records().back().seq + std::uint64_t{1};
    std::optional<Error> past;
    const auto take = [&](const BatchRecord& one, std::uint64_t segment) {
        const auto taken = catalogue.take(one.record, {.segment = static_cast<std::uint32_t>(segment),
                                                       .offset = static_cast<std::uint32_t>(one.offset)});
        if (!taken && !past) past = taken.error();
    };
    auto read = reader_.walk(end_, {.record = take, .progress = settings_.progress, .next_seq = next_seq});
    if (!read) return read;
    // A number too large for any real log is damage, which the reader has reported.
    if (past && !reader_.damage()) return *past;
    return {};
}

// Not synced, and its name may be shared: if the file is torn or two processes write it, its digest is wrong and it is
// rebuilt. Errors are ignored, because the review works without an index.
void Review::save() {
    const auto& [directory, name, records_min, records_step, bytes_max] = settings_.keeping;
    if (directory.empty() || reader_.damage() || catalogue().records().empty()) return;
    const auto last = reader_.line(position_of(catalogue().records().back()));
    if (!last) return;
    index_.covered = {.segment_bytes = {}, .last_line = security::sha256(*last)};
    for (std::uint64_t number = 0; number < catalogue().records().back().segment; ++number) {
        const auto bytes = reader_.segment_bytes(number);
        if (!bytes) return;
        index_.covered.segment_bytes.push_back(*bytes);
    }
    if (index_bytes(catalogue(), index_.covered) > bytes_max) return;
    auto& files = settings_.files;
    if (!files.make_directory(directory)) return;
    const auto path = directory + "/" + name;
    {
        auto file = files.open(path + ".new", FileSystem::Mode::create);
        if (!file || !write_index(**file, catalogue(), index_.covered)) return;
    }
    if (!files.rename(path + ".new", path)) return;
}

Result<void> Review::rebuild() {
    reader_ = LogReader{settings_.files, settings_.directory};
    index_ = {};
    end_ = {};
    indexed_ = false;
    if (auto read = extend(); !read) return read;
    if (catalogue().records().size() >= settings_.keeping.records_min) save();
    return {};
}

Result<Account> Review::read(const Life& life) {
    Account account;
    for (const auto& at : catalogue().records_of(life)) {
        auto record = reader_.record(position_of(at));
        if (!record || record->seq != at.seq) return moved(at);
        if (!account.facts.take(*record, {.segment = at.segment, .offset = at.offset})) return moved(at);
        account.records.push_back(std::move(*record));
    }
    const bool one = account.facts.lives().size() == 1;
    const auto& first = catalogue().records()[life.first_record];
    if (!one || account.facts.records_of(account.life()).size() != account.records.size()) return moved(first);
    if (!same(life, catalogue(), account.life(), account.facts)) return moved(first);
    return account;
}

// Catches a decided request that looks open or expired because the index omits a record about it: the log after the
// request's first record is searched for its id.
Result<void> Review::nothing_left_out(std::span<const std::uint32_t> places) {
    if (!indexed_ || places.empty()) return {};
    const auto& lives = catalogue().lives();
    const auto& records = catalogue().records();
    std::vector<std::uint32_t> named(lives.size());
    std::vector<bool> asked_for(lives.size());
    auto first = records[lives[places.front()].first_record];
    for (const auto place : places) {
        asked_for[place] = true;
        first = std::ranges::min(first, records[lives[place].first_record], {}, &RecordAt::seq);
    }
    std::optional<std::uint64_t> unknown;
    const auto wanted = [&](const Ulid& id) {
        const auto* life = find(id);
        return life == nullptr || asked_for[static_cast<std::size_t>(life - lives.data())];
    };
    const auto count = [&](const Ulid& id, const RecordHead& head) {
        const auto* life = find(id);
        const bool before = life == nullptr || head.seq < records[life->first_record].seq;
        if (!before) ++named[static_cast<std::size_t>(life - lives.data())];
        if (before && head.kind == "request") unknown = head.seq;
    };
    if (auto read = reader_.mentions(position_of(first), end_, wanted, count); !read) return read;
    if (unknown) return Error{Errc::stale, "record " + std::to_string(*unknown) + " is not in the index"};
    for (const auto place : places) {
        if (named[place] != catalogue().records_of(lives[place]).size()) {
            return moved(records[lives[place].first_record]);
        }
    }
    return {};
}

Result<Review::Found> Review::each(const Filter& filter, std::size_t newest,
                                   const std::function<bool(const Account&)>& take) {
    Found found;
    std::optional<std::uint64_t> last_given;  // by first record, so that nothing is passed on twice after a rebuild
    for (bool rebuilt = false;; rebuilt = true) {
        const auto fitting = select(catalogue(), filter);
        found.fitting = fitting.size();
        const auto skipped = newest == 0 || fitting.size() <= newest ? 0 : fitting.size() - newest;
        const auto whole = nothing_left_out(std::span{fitting}.subspan(skipped));
        if (!whole && whole.error().code != Errc::stale) return whole.error();
        std::optional<Error> stale;
        if (!whole) stale = whole.error();
        for (auto place = fitting.begin() + static_cast<std::ptrdiff_t>(skipped); place != fitting.end() && !stale;
             ++place) {
            const auto& life = catalogue().lives()[*place];
            const auto seq = catalogue().records()[life.first_record].seq;
            if (last_given && seq <= *last_given) continue;
            const auto account = read(life);
            if (!account) {
                stale = account.error();
                continue;
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
        const auto place = static_cast<std::uint32_t>(life - catalogue().lives().data());
        const auto whole = nothing_left_out({&place, 1});
        auto found = whole ? read(*life) : Result<Account>{whole.error()};
        if (found) return found;
        if (rebuilt || found.error().code != Errc::stale) return Error{Errc::damaged, found.error().detail};
        if (auto read_again = rebuild(); !read_again) return read_again.error();
    }
}

Result<Record> Review::record(std::uint64_t seq) {
    for (bool rebuilt = false;; rebuilt = true) {
        const auto* at = catalogue().record(seq);
        // Numbers have no gaps: if one below the last is missing, the index omitted it.
        const bool left_out = at == nullptr && indexed_ && seq <= catalogue().records().back().seq;
        if (at == nullptr && !left_out) {
            return Error{Errc::unknown_request, "there is no record " + std::to_string(seq)};
        }
        auto found = left_out ? Result<Record>{Error{Errc::stale, {}}} : reader_.record(position_of(*at));
        if (found && found->seq == seq) return found;
        if (rebuilt) return Error{Errc::damaged, moved(*at).detail};
        if (auto read_again = rebuild(); !read_again) return read_again.error();
    }
}

}  // namespace countersign::audit::review
