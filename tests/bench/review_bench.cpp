// SPDX-License-Identifier: Apache-2.0
// How fast a reviewer gets an answer from a log of a million records: by reading all of it, by building the index, and
// with the index.
//
//   review_bench [directory] [records]     a place for about a gigabyte; the current directory if none is given
#include "audit/note.hpp"
#include "audit/review/review.hpp"
#include "audit/review/row.hpp"
#include "audit/review/search.hpp"
#include "audit/review/statistics.hpp"
#include "audit/segment.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <malloc.h>
#include <random>
#include <sys/resource.h>

namespace {

using namespace countersign;
using namespace countersign::audit;
using namespace countersign::audit::review;
namespace fs = std::filesystem;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "review_bench: %s\n", what);
    std::exit(1);
}

// A log as a hub writes it, without waiting for its disk.
class Writer {
public:
    explicit Writer(std::string directory)
        : directory_{std::move(directory)},
          signer_{std::move(*NoteSigner::make(
              "bench.example/log", std::move(*security::Ed25519SigningKey::from_seed(security::Secret::random(32)))))} {
        require(posix_file_system().make_directory(directory_).has_value(), "cannot make a directory");
    }
    void append(const std::string& kind, json::Object fields) {
        const auto json = encode_record({.kind = kind, .fields = std::move(fields), .long_text = {}},
                                        {.seq = range_.size(),
                                         .prev_root = root_,
                                         .synced = range_.size(),
                                         .ts = now,
                                         .mono = BootTime{now.time_since_epoch()},
                                         .boot_id = "94fae3e9-c1c9-4da7-9dbb-99f90ff8f3af"});
        require(json.has_value(), "a record that cannot be written");
        range_.append(leaf_hash(*json));
        root_ = range_.root();
        bytes_ += *json;
        if (range_.size() % 16 == 0) {
            bytes_ +=
                "\t" + signer_.sign(checkpoint_text(signer_.key().name(), {.size = range_.size(), .root = root_}));
        }
        bytes_ += "\n";
        if (bytes_.size() >= limits::segment_bytes && range_.size() % 16 == 0) flush();
    }
    void flush() {
        auto file = posix_file_system().open(directory_ + "/" + segment_name(segment_++), FileSystem::Mode::create);
        require(file && write_all(**file, 0, bytes_), "cannot write");
        bytes_.clear();
    }
    [[nodiscard]] std::uint64_t records() const { return range_.size(); }
    WallTime now{std::chrono::milliseconds{1'763'258'400'000}};

private:
    std::string directory_;
    NoteSigner signer_;
    CompactRange range_;
    Hash root_ = CompactRange{}.root();
    std::string bytes_;
    std::uint64_t segment_ = 0;
};

class Requests {
public:
    explicit Requests(Writer& log) : log_{log} {}
    void one() {
        std::array<std::uint8_t, 10> random{};
        for (auto& byte : random) byte = static_cast<std::uint8_t>(random_());
        const auto id = Ulid{log_.now, random}.str();
        const auto ref = "ops/-1001234567890//" + std::to_string(random_() % 100'000) + "#0";
        log_.append("request",
                    naming(id, {{"runtime", "claude"},
                                {"cwd", "/srv/shop"},
                                {"risk", "high"},
                                {"riskRule", "deletes files"},
                                {"route", "prod"},
                                {"deciders", json::Array{"alice", "bob"}},
                                {"required", 1},
                                {"summary", "rm -rf build"},
                                {"displayText", "tool:\n    Bash\ncall:\n    rm -rf build\n" + std::string(300, 'x')},
                                {"displayHash", hash}}));
        log_.append("presented", {{"requestId", id}, {"ref", ref}, {"whole", true}});
        log_.now += std::chrono::milliseconds{random_() % 60'000};
        if (random_() % 10 == 0) {
            log_.append("ended", naming(id, {{"outcome", "expired"}, {"reason", "nobody decided in time"}}));
        } else {
            log_.append("decision", naming(id, {{"decision", random_() % 5 == 0 ? "denied" : "allowed"},
                                                {"decidedBy", pick({"alice", "bob", "carol", "policy:read-only"})},
                                                {"channel", pick({"ops", "desk", "phone"})},
                                                {"decisionLatencyMs", random_() % 60'000},
                                                {"principal", "telegram:77"},
                                                {"votes", json::Array{}}}));
        }
        log_.append("forwarded", {{"requestId", id}, {"decisionSeq", log_.records() - 1}});
        log_.append("concluded", {{"requestId", id}, {"ref", ref}});
        ++asked_;
        if (asked_ % 20 == 0) ++session_;
    }

private:
    std::string pick(const std::vector<const char*>& values) { return values[random_() % values.size()]; }
    json::Object naming(const std::string& id, json::Object fields) {
        fields.add("requestId", id);
        fields.add("agentId", "prod-" + std::to_string(asked_ % 12));
        fields.add("sessionKey", "0f8fad5b-d9cb-469f-a165-" + std::to_string(700'000'000'000 + session_));
        fields.add("toolName", asked_ % 3 == 0 ? "Edit" : "Bash");
        fields.add("argsHash", hash);
        return fields;
    }
    static constexpr const char* hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    Writer& log_;
    std::mt19937_64 random_{1};
    std::uint64_t asked_ = 0;
    std::uint64_t session_ = 0;
};

double measured(const char* what, const std::function<std::size_t()>& work) {
    const auto start = std::chrono::steady_clock::now();
    const auto count = work();
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%-44s %9.1f ms   %zu\n", what, seconds * 1000, count);
    return seconds;
}

Review opened(const std::string& directory, Keeping keeping) {
    auto log = Review::open({.files = posix_file_system(), .directory = directory, .keeping = std::move(keeping)});
    require(log && !log->damage(), "the log cannot be read");
    return std::move(*log);
}

std::size_t listed(Review& log, const Filter& filter, std::size_t newest) {
    const auto found = log.each(filter, newest, [](const Account& account) { return !row_of(account).id.empty(); });
    require(found.has_value(), "the list failed");
    return found->fitting;
}

long peak_mebibytes() {
    rusage usage{};
    (void)::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

}  // namespace

int main(int argc, char** argv) {
    (void)::mallopt(M_MMAP_THRESHOLD, 1024 * 1024);  // as `audit list` does
    auto pattern = std::string{argc > 1 ? argv[1] : "."} + "/review_bench-XXXXXX";
    require(::mkdtemp(pattern.data()) != nullptr, "cannot make a directory");
    const auto directory = pattern + "/audit";
    const auto wanted = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000ULL;
    Writer writer{directory};
    measured("writing a log (records)", [&] {
        Requests requests{writer};
        while (writer.records() < wanted) requests.one();
        while (writer.records() % 16 != 0) writer.append("heartbeat", {});
        writer.flush();
        return writer.records();
    });
    const Keeping keeping{.directory = pattern + "/cache", .name = "review"};
    measured("first look: read all, write the index",
             [&] { return opened(directory, keeping).catalogue().lives().size(); });
    std::printf("%-44s %9ld MiB\n", "  memory at most", peak_mebibytes());
    std::printf("%-44s %9.1f MiB\n", "  index",
                static_cast<double>(fs::file_size(keeping.directory + "/review")) / 1048576);
    measured("index read and checked", [&] { return opened(directory, keeping).catalogue().lives().size(); });
    const auto with_index = [&](const Filter& filter, std::size_t newest) {
        auto log = opened(directory, keeping);
        require(log.indexed(), "there is no index");
        return listed(log, filter, newest);
    };
    measured("list, newest 50 (fitting)", [&] { return with_index({}, 50); });
    measured("list --agent --tool --outcome, newest 50",
             [&] { return with_index({.agent = "prod-1*", .tool = "Bash", .outcomes = {Outcome::denied}}, 50); });
    measured("list --session of one, all", [&] { return with_index({.session = "*-700000000100"}, 0); });
    measured("show by the end of an id", [&] {
        auto log = opened(directory, keeping);
        const auto id = log.catalogue().lives()[1000].id.str();
        const auto named = look_up(log.catalogue(), id.substr(20));
        require(named && log.account(std::get<std::vector<Ulid>>(*named).front()), "not found");
        return std::get<std::vector<Ulid>>(*named).size();
    });
    measured("stats", [&] { return statistics(opened(directory, keeping).catalogue(), {}).counts.requests; });
    measured("coverage", [&] { return coverage(opened(directory, keeping).catalogue(), {}).size(); });
    measured("the same list without an index", [&] {
        auto log = opened(directory, {});
        return listed(log, {.agent = "prod-1*", .tool = "Bash", .outcomes = {Outcome::denied}}, 50);
    });
    std::printf("%-44s %9ld MiB\n", "memory at most, over all", peak_mebibytes());
    fs::remove_all(pattern);
    return 0;
}
