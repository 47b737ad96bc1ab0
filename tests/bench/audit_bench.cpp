// SPDX-License-Identifier: Apache-2.0
// The cost of the log, relative to its disk and in the same run: appends per second with 1, 8 and 64 waiters, as a
// ratio to a bare group commit with as many waiters that only writes and syncs; the slowest appends, as a ratio to the
// slowest bare syncs; the speed of verification; the memory for writing and verifying. It also measures how long a
// cache line travels from one processor to another: without a shared cache it takes four times as long, and a record,
// which the owner's thread makes and the writer thread hashes, has nine of them.
//
// A disk has slow seconds, which would distort the result of the measurement that they hit. So the three measurements
// take turns, a quarter of a second each.
//
//   audit_bench [directory] [records] [waiters]     a place on the disk to measure (default: the current directory);
//                                                   the length of the log to write and verify; only this number of
//                                                   waiters
#include "audit/log.hpp"
#include "audit/segment.hpp"
#include "audit/verifier.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace countersign;
using namespace countersign::audit;
namespace asio = boost::asio;

constexpr int rounds = 12;
constexpr int bare_syncs = 1'000;  // per round

// Appends per round: about as long as the bare syncs, and in total several segments if many wait.
constexpr int appends_of(int waiters) { return 500 + waiters * 600; }

constexpr std::size_t line_bytes = 700;

class RealClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
    [[nodiscard]] BootTime boot() const override {
        return BootTime{
            std::chrono::floor<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())};
    }
    asio::awaitable<void> sleep_until(BootTime when) override {
        asio::steady_timer timer{co_await asio::this_coro::executor, when - boot()};
        co_await timer.async_wait(asio::use_awaitable);
    }
};

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "audit_bench: %s\n", what);
    std::exit(1);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Building the entry is the caller's work, so most of it is done once.
LogEntry decision(int number) {
    static const LogEntry example{
        .kind = "decision",
        .fields = {{"requestId", "01JCABCDEFGHJKMNPQRSTVWXYZ"},
                   {"agentId", "claude"},
                   {"sessionKey", "0f8fad5b-d9cb-469f-a165-70867728950e"},
                   {"toolName", "Bash"},
                   {"argsHash", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                   {"decision", "allowed"},
                   {"decidedBy", "alice"},
                   {"decidedAt", "2025-11-16T02:00:00.000Z"},
                   {"channel", "ops"},
                   {"decisionLatencyMs", {}}},
        .long_text = {}};
    auto entry = example;
    entry.fields.members().back().second = number;
    return entry;
}

struct Measured {
    double rate = 0;  // per second
    double p99 = 0;   // microseconds
};

double p99_of(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() * 99 / 100];
}

// Measures only inside a round.
class Stopwatch {
public:
    void start() {
        begin_ = std::chrono::steady_clock::now();
        rounds_.emplace_back();
    }
    void stop() { seconds_ += seconds_since(begin_); }
    void took(std::chrono::steady_clock::time_point since) { rounds_.back().push_back(seconds_since(since) * 1e6); }
    // Over all rounds together.
    [[nodiscard]] Measured measured() const {
        std::vector<double> micros;
        for (const auto& round : rounds_) micros.insert(micros.end(), round.begin(), round.end());
        return {.rate = static_cast<double>(micros.size()) / seconds_, .p99 = p99_of(micros)};
    }
    [[nodiscard]] double p99_of_round(std::size_t round) const { return p99_of(rounds_[round]); }

private:
    std::chrono::steady_clock::time_point begin_;
    double seconds_ = 0;
    std::vector<std::vector<double>> rounds_;  // microseconds
};

// The median of the rounds' ratios, so that a disturbance of the machine affects only one round.
double p99_ratio(const Stopwatch& of, const Stopwatch& to) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < rounds; ++i) ratios.push_back(of.p99_of_round(i) / to.p99_of_round(i));
    std::ranges::sort(ratios);
    return (ratios[rounds / 2 - 1] + ratios[rounds / 2]) / 2;
}

std::unique_ptr<File> zeros(const std::string& path, std::size_t bytes) {
    auto file = posix_file_system().open(path, FileSystem::Mode::create);
    require(file.has_value(), "cannot create a file");
    require(write_all(**file, 0, std::string(bytes, '\0')).has_value(), "cannot write");
    require((*file)->sync().has_value(), "cannot sync");
    return std::move(*file);
}

// The lower bound for one waiter: a line of the same length, repeatedly written over zeros and synced.
class BareLoop {
public:
    explicit BareLoop(const std::string& path) : file_{zeros(path, std::size_t{rounds} * bare_syncs * line_bytes)} {}
    void round() {
        const std::string line(line_bytes, 'x');
        watch_.start();
        for (int i = 0; i < bare_syncs; ++i, offset_ += line_bytes) {
            const auto start = std::chrono::steady_clock::now();
            require(write_all(*file_, offset_, line).has_value(), "cannot write");
            require(file_->sync().has_value(), "cannot sync");
            watch_.took(start);
        }
        watch_.stop();
    }
    [[nodiscard]] const Stopwatch& watch() const { return watch_; }

private:
    std::unique_ptr<File> file_;
    std::uint64_t offset_ = 0;
    Stopwatch watch_;
};

// The lower bound for many waiters: all waiting lines in one write and one sync, by a separate thread, as the log does
// it, but without records, tree or signature.
class BareGroup {
public:
    BareGroup(const std::string& path, int appends, asio::io_context& owner)
        : file_{zeros(path, std::size_t{rounds} * appends * line_bytes)}, owner_{owner}, thread_{[this] { run(); }} {}
    ~BareGroup() {
        {
            const std::lock_guard lock{mutex_};
            end_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }
    BareGroup(const BareGroup&) = delete;
    BareGroup& operator=(const BareGroup&) = delete;

    asio::awaitable<void> append() {
        co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(
            [this](auto handler) {
                {
                    const std::lock_guard lock{mutex_};
                    waiting_.emplace_back([handler = std::make_shared<decltype(handler)>(
                                               std::move(handler))]() mutable { std::move (*handler)(); });
                }
                wake_.notify_one();
            },
            asio::use_awaitable);
    }

private:
    using Waiting = std::vector<std::function<void()>>;
    void run() {
        std::uint64_t offset = 0;
        for (;;) {
            Waiting batch;
            {
                std::unique_lock lock{mutex_};
                wake_.wait(lock, [this] { return end_ || !waiting_.empty(); });
                if (waiting_.empty()) return;
                std::swap(batch, waiting_);
            }
            const std::string lines(batch.size() * line_bytes, 'x');
            require(write_all(*file_, offset, lines).has_value(), "cannot write");
            require(file_->sync().has_value(), "cannot sync");
            offset += lines.size();
            asio::post(owner_, [batch = std::move(batch)] {
                for (const auto& waiter : batch) waiter();
            });
        }
    }

    std::unique_ptr<File> file_;
    asio::io_context& owner_;
    std::mutex mutex_;
    std::condition_variable wake_;
    Waiting waiting_;
    bool end_ = false;
    std::thread thread_;
};

// As many appends at once as there are waiters, each repeated when it was answered.
template <class Append> void round_of(asio::io_context& context, Stopwatch& watch, int waiters, Append append) {
    context.restart();
    const auto guard = asio::make_work_guard(context);
    int left = appends_of(waiters);
    int running = waiters;
    watch.start();
    for (int i = 0; i < waiters; ++i) {
        asio::co_spawn(
            context,
            [&]() -> asio::awaitable<void> {
                while (left > 0) {
                    const auto number = left--;
                    const auto start = std::chrono::steady_clock::now();
                    co_await append(number);
                    watch.took(start);
                }
                if (--running == 0) context.stop();
            },
            asio::detached);
    }
    context.run();
    watch.stop();
}

asio::awaitable<void> append_one(Log& log, int number) {
    const auto receipt = co_await log.append(decision(number));
    require(receipt.has_value(), "an append failed");
}

std::unique_ptr<Log> open_log(const std::string& directory, RealClock& clock, asio::io_context& context) {
    auto log = Log::open({.directory = directory,
                          .origin = "bench.example/log",
                          .key = std::move(*security::Ed25519SigningKey::from_seed(security::Secret::random(32))),
                          .boot_id = "bench",
                          .start = {},
                          .clock = clock,
                          .files = posix_file_system(),
                          .executor = context.get_executor()});
    require(log.has_value(), "cannot open a log");
    return std::move(*log);
}

void close_log(Log& log, asio::io_context& context) {
    context.restart();
    asio::co_spawn(
        context,
        [](Log& closing) -> asio::awaitable<void> {
            const auto closed = co_await closing.close();
            require(closed.has_value(), "cannot close the log");
        }(log),
        asio::detached);
    context.run();
}

void compare(const std::string& directory, int waiters) {
    asio::io_context context{1};
    RealClock clock;
    BareLoop bare{directory + "/bare"};
    BareGroup group{directory + "/group", appends_of(waiters), context};
    const auto log = open_log(directory + "/log" + std::to_string(waiters), clock, context);
    Stopwatch group_watch;
    Stopwatch log_watch;
    for (int i = 0; i < rounds; ++i) {
        bare.round();
        round_of(context, group_watch, waiters, [&](int) { return group.append(); });
        round_of(context, log_watch, waiters, [&](int number) { return append_one(*log, number); });
    }
    close_log(*log, context);
    const auto floor = bare.watch().measured();
    const auto grouped = group_watch.measured();
    const auto logged = log_watch.measured();
    std::printf("bare write + fdatasync                   %8.0f /s   p99 %6.0f us\n", floor.rate, floor.p99);
    std::printf("bare group commit, %2d waiting            %8.0f /s   p99 %6.0f us, %.2f of the bare sync's a round\n",
                waiters, grouped.rate, grouped.p99, p99_ratio(group_watch, bare.watch()));
    std::printf("log, %2d waiting                          %8.0f /s   p99 %6.0f us, %.2f of the bare sync's a round\n",
                waiters, logged.rate, logged.p99, p99_ratio(log_watch, bare.watch()));
    std::printf("  %.0f %% of the bare group commit; p99 %.2f of the bare sync's in all rounds together\n",
                100 * logged.rate / grouped.rate, logged.p99 / floor.p99);
}

std::size_t memory_kib() {
    std::ifstream status{"/proc/self/status"};
    std::string word;
    while (status >> word && word != "VmHWM:") {}
    std::size_t kib = 0;
    status >> kib;
    return kib;
}

// In a separate process, so that its peak memory is that of the log alone.
void write_long_log_as_a_hub_does(const std::string& directory, std::uint64_t records) {
    const auto child = ::fork();
    require(child >= 0, "cannot fork");
    if (child != 0) {
        int status = 0;
        require(::waitpid(child, &status, 0) == child && status == 0, "the long log was not written");
        return;
    }
    asio::io_context context{1};
    RealClock clock;
    const auto log = open_log(directory, clock, context);
    auto left = records;
    for (int i = 0; i < 64; ++i) {
        asio::co_spawn(
            context,
            [&]() -> asio::awaitable<void> {
                while (left > 0) co_await append_one(*log, static_cast<int>(left--));
            },
            asio::detached);
    }
    context.run();
    close_log(*log, context);
    std::printf("write, %llu records          %zu MiB at most\n", static_cast<unsigned long long>(records),
                memory_kib() / 1024);
    std::fflush(stdout);
    ::_exit(0);
}

// A long log, made without syncs: batches of 16 records of 500 bytes.
void write_long_log(const std::string& directory, std::uint64_t records) {
    auto& files = posix_file_system();
    auto key = security::Ed25519SigningKey::from_seed(security::Secret::random(32));
    require(key.has_value(), "cannot make a key");
    const auto signer = NoteSigner::make("bench.example/log", std::move(*key));
    require(signer && files.make_directory(directory), "cannot make a directory");
    require(replace(files, directory, "log.vkey", signer->key().vkey() + "\n").has_value(), "cannot write");
    CompactRange range;
    std::string bytes;
    std::uint64_t segment = 0;
    for (std::uint64_t seq = 0; seq < records; ++seq) {
        const Stamp stamp{.seq = seq, .prev_root = range.root(), .synced = seq - seq % 16, .boot_id = "bench"};
        const auto json = encode_record(decision(static_cast<int>(seq)), stamp);
        require(json.has_value(), "cannot make a record");
        range.append(leaf_hash(*json));
        bytes += *json;
        const bool last = seq + 1 == records;
        if (last || seq % 16 == 15) {
            bytes += "\t" + signer->sign(checkpoint_text("bench.example/log", {range.size(), range.root()}));
        }
        bytes += '\n';
        if (!last && (seq % 16 != 15 || bytes.size() < limits::segment_bytes - limits::log_batch_bytes_max)) continue;
        require(replace(files, directory, segment_name(segment++), bytes).has_value(), "cannot write");
        bytes.clear();
    }
}

// CPU time of one thread, so that other work of the machine doesn't matter.
double processor_seconds() {
    timespec now{};
    require(::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0, "no clock");
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Nanoseconds, one way.
double line_travels() {
    constexpr int throws = 100'000;
    std::atomic<int> ball = 0;
    std::thread other{[&] {
        for (int i = 1; i < 2 * throws; i += 2) {
            while (ball != i) {}
            ball = i + 1;
        }
    }};
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 2 * throws; i += 2) {
        ball = i + 1;
        while (ball != i + 2) {}
    }
    const auto seconds = seconds_since(start);
    other.join();
    return seconds * 1e9 / (2 * throws);
}

// Runs first, so that the peak memory is that of the verifier.
void verify_long_log(const std::string& directory, std::uint64_t records) {
    write_long_log(directory, records);
    const auto start = processor_seconds();
    const auto found = verify(posix_file_system(), directory, {.key = std::nullopt});
    const auto seconds = processor_seconds() - start;
    require(found.has_value() && found->ok(), "the long log does not verify");
    std::printf("verify, %llu records         %8.0f records/s, %zu MiB at most\n",
                static_cast<unsigned long long>(records), static_cast<double>(records) / seconds, memory_kib() / 1024);
}

}  // namespace

int main(int argc, char** argv) {
    auto pattern = std::string{argc > 1 ? argv[1] : "."} + "/audit_bench-XXXXXX";
    require(::mkdtemp(pattern.data()) != nullptr, "cannot make a directory");
    const auto records = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
    write_long_log_as_a_hub_does(pattern + "/written", records);
    verify_long_log(pattern + "/long", records);
    if (std::thread::hardware_concurrency() > 1) {
        std::printf("a line of memory, to another processor      %5.0f ns\n", line_travels());
    }
    const int only = argc > 3 ? std::atoi(argv[3]) : 0;
    for (const int waiters : {1, 8, 64}) {
        if (only == 0 || only == waiters) compare(pattern, waiters);
    }
    for (const int waiters : {1, 64}) {
        if (only != 0 && only != waiters) continue;
        const auto start = std::chrono::steady_clock::now();
        const auto found =
            verify(posix_file_system(), pattern + "/log" + std::to_string(waiters), {.key = std::nullopt});
        const double seconds = seconds_since(start);
        require(found.has_value() && found->ok(), "the log does not verify");
        std::printf("verify, %5llu signatures    %8.0f records/s\n", static_cast<unsigned long long>(found->signatures),
                    static_cast<double>(found->records) / seconds);
    }
    std::filesystem::remove_all(pattern);
    return 0;
}
