// SPDX-License-Identifier: Apache-2.0
#include "audit/log.hpp"

#include "audit/unlogged.hpp"
#include "security/encoding.hpp"

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

namespace countersign::audit {

namespace asio = boost::asio;

namespace {

// The deadline is measured in pieces, and only time in which we run counts: a laptop that slept did not lose its disk.
constexpr int watch_pieces = 5;
constexpr auto watch_piece = std::chrono::milliseconds{limits::log_sync_max} / watch_pieces;

// On a single processor, a busy loop would block the thread it waits for.
bool others_can_run() {
    static const bool several = std::thread::hardware_concurrency() > 1;
    return several;
}

std::size_t room_for(Log::Room room) {
    const auto reserved = room == Log::Room::terminal ? limits::log_queue_terminals_max : 0;
    return limits::log_queue_records_max + reserved;
}

bool is_event(const LogEntry& entry) { return entry.kind != "heartbeat" && entry.kind != "anchor"; }

// Advice for the operator. Nothing is retried: only a restart finds out what is really on disk.
std::string remedy_for(const std::string& failure) {
    const auto is = [&failure](std::errc code) {
        return failure.find(std::make_error_code(code).message()) != std::string::npos;
    };
    // std::errc has no value for EDQUOT.
    const bool full =
        is(std::errc::no_space_on_device) || failure.find(std::generic_category().message(EDQUOT)) != std::string::npos;
    return full ? "restart Countersign after freeing space" : "restart Countersign when this is fixed";
}

// Passes reports to the owner's thread.
std::function<void(WriterThread::Report)> reporting(asio::any_io_executor executor, std::weak_ptr<Log*> log,
                                                    void (*deliver)(Log&, WriterThread::Report)) {
    return [executor = std::move(executor), log = std::move(log), deliver](WriterThread::Report report) {
        asio::post(executor, [log, deliver, report = std::move(report)]() mutable {
            if (const auto alive = log.lock()) deliver(**alive, std::move(report));
        });
    };
}

}  // namespace

template <class Handler> struct Log::WaiterFor final : Log::Waiter {
    WaiterFor(Handler given, const asio::any_io_executor& owners)
        : handler{std::move(given)},
          executor{asio::get_associated_executor(handler, owners)},
          at_home{executor == owners} {}
    // On the owner's thread, where most waiters run, this is a plain call.
    void answer(Result<Receipt> result) override {
        if (at_home) return std::move(handler)(std::move(result));
        asio::dispatch(executor, [handler = std::move(handler), result = std::move(result)]() mutable {
            std::move(handler)(std::move(result));
        });
    }
    Handler handler;
    asio::any_io_executor executor;
    bool at_home;
};

Result<std::unique_ptr<Log>> Log::open(Options options) {
    auto signer = NoteSigner::make(options.origin, std::move(options.key));
    if (!signer) return signer.error();
    const Stamp now{.ts = options.clock.wall(), .mono = options.clock.boot(), .boot_id = options.boot_id};
    auto recovered = recover({.files = options.files, .directory = options.directory, .signer = *signer, .now = now});
    if (!recovered) return recovered.error();
    BatchWriter writer{{.files = options.files,
                        .directory = options.directory,
                        .signer = std::move(*signer),
                        .boot_id = options.boot_id,
                        .segment_bytes = options.segment_bytes,
                        .checkpoint_pause = options.checkpoint_pause,
                        .errands = options.errands},
                       std::move(recovered->end)};
    std::deque<Item> items;
    if (const auto prepared = prepare_unlogged(options.files, options.directory); !prepared) return prepared.error();
    const auto unlogged = read_unlogged(options.files, options.directory);
    if (!unlogged) return unlogged.error();
    for (auto& entry : recovered->replay.close(*unlogged, now.ts)) {
        items.push_back({.entry = std::move(entry), .ts = now.ts, .mono = now.mono});
    }
    if (recovered->checkpoint_missing) options.start.add("checkpoint", "missing");
    items.push_back({.entry = {.kind = "start", .fields = std::move(options.start), .long_text = {}},
                     .ts = now.ts,
                     .mono = now.mono});
    if (const auto written = writer.write_every(std::move(items)); !written) return written.error();
    // From now on a missing checkpoint file means that it was deleted: a crash cannot remove it.
    if (const auto kept = writer.write_checkpoint(); !kept) return kept.error();
    forget_unlogged(options.files, options.directory, *unlogged);
    auto earlier = recovered->replay.finish(now);
    return std::unique_ptr<Log>{new Log{options, std::move(writer), std::move(recovered->removed), std::move(earlier)}};
}

Log::Log(Options& options, BatchWriter writer, std::optional<Tail> removed, Replayed earlier)
    : files_{options.files},
      directory_{options.directory},
      clock_{options.clock},
      executor_{options.executor},
      checkpoint_{writer.checkpoint()},
      removed_{std::move(removed)},
      earlier_{std::move(earlier)},
      tasks_{executor_,
             [this](const std::string& what) { poison({Errc::internal, "the log's watch ended: " + what}); }},
      alive_{std::make_shared<Log*>(this)},
      writer_{std::move(writer), options.linger,
              reporting(executor_, alive_,
                        [](Log& log, WriterThread::Report report) { log.reported(std::move(report)); })} {}

Log::~Log() = default;

asio::awaitable<Result<Receipt>> Log::append(LogEntry entry, Room room, Haste haste) {
    return enqueue(std::move(entry), room, haste);
}

// No coroutine of its own, which would add a tenth to the cost of an append.
asio::awaitable<Result<Receipt>> Log::enqueue(LogEntry entry, std::optional<Room> room, Haste haste) {
    return asio::async_initiate<const asio::use_awaitable_t<>&, void(Result<Receipt>)>(
        [this, room, haste](auto handler, LogEntry given) {
            if (auto why = room ? refusal(*room) : std::nullopt) {
                return asio::post(executor_, [handler = std::move(handler), why = std::move(*why)]() mutable {
                    std::move(handler)(std::move(why));
                });
            }
            line_up(std::move(handler), is_event(given));
            writer_.push({.entry = std::move(given), .ts = clock_.wall(), .mono = clock_.boot(), .haste = haste});
            if (haste == Haste::now) keep_awake();
        },
        asio::use_awaitable, std::move(entry));
}

std::optional<Error> Log::refusal(Room room) const {
    if (const auto healthy = health(); !healthy) return healthy.error();
    if (closing_) return Error{Errc::unavailable, "the audit log is being closed"};
    if (waiting_.size() >= room_for(room)) return Error{Errc::busy, "too many records wait for the audit log"};
    return std::nullopt;
}

asio::awaitable<Result<Receipt>> Log::finish() {
    return asio::async_initiate<const asio::use_awaitable_t<>&, void(Result<Receipt>)>(
        [this](auto handler) {
            line_up(std::move(handler), false);
            writer_.finish();
        },
        asio::use_awaitable);
}

// Reports arrive on this thread, so none can arrive before the waiter is queued.
template <class Handler> void Log::line_up(Handler handler, bool happened) {
    keep_watch();
    waiting_.push_back(std::make_unique<WaiterFor<Handler>>(std::move(handler), executor_));
    waiting_.back()->happened = happened;
}

asio::awaitable<Result<void>> Log::close() {
    if (std::exchange(closing_, true)) co_return Error{Errc::unavailable, "the audit log is being closed"};
    auto closed = health();
    if (closed) {
        const auto stopped =
            co_await enqueue({.kind = "stop", .fields = {}, .long_text = {}}, std::nullopt, Haste::now);
        if (!stopped) closed = stopped.error();
    }
    if (closed) {
        const auto finished = co_await finish();
        if (!finished) closed = finished.error();
    }
    tasks_.cancel();
    co_await tasks_.join();
    co_return poison_ ? *poison_ : closed;
}

Result<void> Log::health() const {
    if (!poison_) return {};
    return Error{Errc::unavailable, "audit log unavailable: " + poison_->detail + "; " + remedy_for(poison_->detail)};
}

void Log::note_unlogged(const Ulid& request) {
    if (!poison_) return;
    // A disk that does not respond would block the owner's thread too.
    auto noted =
        poison_->code == Errc::timeout ? Result<void>{*poison_} : audit::note_unlogged(files_, directory_, request);
    if (noted || !on_forgotten_) return;
    std::exchange(on_forgotten_, {})(noted.error());
}

void Log::on_poisoned(std::function<void(const Error&)> handler) {
    on_poisoned_.push_back(std::move(handler));
    if (!poison_) return;
    asio::post(executor_, [log = std::weak_ptr{alive_}] {
        if (const auto alive = log.lock()) (*alive)->tell_handler();
    });
}

void Log::reported(WriterThread::Report report) {
    if (poison_) return;  // the writer thread returned after we gave up; all waiters have been refused
    std::vector<std::pair<std::unique_ptr<Waiter>, Result<Receipt>>> answers;
    answers.reserve(report.results.size() + 1);
    if (report.checkpoint) checkpoint_ = std::move(*report.checkpoint);
    const auto root = security::base64(checkpoint_.tree.root);
    for (auto& result : report.results) {
        if (result) {
            result->root = root;
            result->size = checkpoint_.tree.size;
        }
        answers.emplace_back(std::move(waiting_.front()), std::move(result));
        waiting_.pop_front();
    }
    if (report.finished) {
        answers.emplace_back(std::move(waiting_.front()), Receipt{});
        waiting_.pop_front();
    }
    answered_ += answers.size();
    for (const auto& [waiter, result] : answers) happened_ += waiter->happened && result ? 1 : 0;
    // A waiter may append again, so no reference to a member is held across the call.
    {
        const WriterThread::Answering answering{writer_};
        for (auto& [waiter, result] : answers) waiter->answer(std::move(result));
    }
    if (report.checkpoint && on_written_) on_written_();
    if (report.failure) poison(*report.failure);
}

void Log::poison(Error why) {
    if (poison_) return;
    poison_ = std::move(why);
    writer_.abandon();
    auto waiting = std::exchange(waiting_, {});
    tell_handler();
    for (auto& waiter : waiting) waiter->answer(health().error());
}

void Log::tell_handler() {
    for (const auto& handler : std::exchange(on_poisoned_, {})) handler({poison_->code, health().error().detail});
}

// Runs only while records wait, so that an idle process sleeps.
void Log::keep_watch() {
    if (std::exchange(watching_, true)) return;
    tasks_.spawn(watch());
}

asio::awaitable<void> Log::watch() {
    int without_answer = 0;
    do {
        const auto answered_before = answered_;
        co_await clock_.sleep_until(clock_.boot() + watch_piece);
        without_answer = answered_ == answered_before ? without_answer + 1 : 0;
        if (without_answer >= watch_pieces && !waiting_.empty()) {
            poison({Errc::timeout,
                    "the disk did not answer within " + std::to_string(limits::log_sync_max.count()) + " s"});
        }
    } while (!waiting_.empty());
    watching_ = false;
}

// A sync takes about as long as putting a thread to sleep and waking it. For that long, and only while a caller waits,
// the owner's loop polls for the next report instead. It yields to any thread that needs its processor, including the
// kernel thread that the sync waits for.
void Log::keep_awake() {
    if (!others_can_run() || std::exchange(awake_, true)) return;
    tasks_.spawn(awake());
}

void Log::expect() {
    if (others_can_run()) writer_.stir();
}

asio::awaitable<void> Log::awake() {
    auto until = std::chrono::steady_clock::now() + limits::log_awake_max;
    for (auto answered_before = answered_; !waiting_.empty() && std::chrono::steady_clock::now() < until;) {
        std::this_thread::yield();
        co_await asio::post(executor_, asio::use_awaitable);
        if (std::exchange(answered_before, answered_) == answered_) continue;
        until = std::chrono::steady_clock::now() + limits::log_awake_max;
    }
    awake_ = false;
}

void Log::beat(std::chrono::milliseconds interval) { tasks_.spawn(beating(interval)); }

asio::awaitable<void> Log::beating(std::chrono::milliseconds interval) {
    while (!closing_ && health()) {
        const auto answered_before = answered_;
        co_await clock_.sleep_until(clock_.boot() + interval);
        if (answered_ != answered_before || closing_) continue;
        // A full queue is not silence, and a poisoned log reports itself.
        (void)co_await append({.kind = "heartbeat", .fields = {}, .long_text = {}}, Room::ordinary, Haste::soon);
    }
}

}  // namespace countersign::audit
