// SPDX-License-Identifier: Apache-2.0
// A log on an in-memory disk, with a clock moved by hand and a fixed key.
#pragma once

#include "audit/ledger.hpp"
#include "audit/log.hpp"
#include "audit/log_scan.hpp"
#include "audit/verifier.hpp"
#include "tests/audit/memory_file_system.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace countersign::audit {

inline const std::string origin = "audit.example/bridge1";
inline const std::string directory = "state/audit";

// The key whose seed counts up from the given byte; 0 is the log's.
inline security::Ed25519SigningKey signing_key(std::uint8_t first = 0) {
    std::array<std::uint8_t, 32> seed{};
    std::iota(seed.begin(), seed.end(), first);
    return std::move(*security::Ed25519SigningKey::from_seed(security::Secret{seed}));
}
inline NoteSigner signer(std::uint8_t first = 0) { return std::move(*NoteSigner::make(origin, signing_key(first))); }

inline LogEntry entry(std::string kind, json::Object fields = {}) {
    return {.kind = std::move(kind), .fields = std::move(fields), .long_text = {}};
}

struct LogWorld {
    std::deque<boost::asio::io_context> contexts = std::deque<boost::asio::io_context>(1);  // the last one runs
    fakes::FakeClock clock;
    std::unique_ptr<fakes::MemoryFileSystem> disk = std::make_unique<fakes::MemoryFileSystem>();
    std::unique_ptr<Log> log;
    std::size_t segment_bytes = 16 * 1024;
    std::chrono::milliseconds linger = limits::log_linger_max;
    std::chrono::milliseconds checkpoint_pause{0};
    Errands::On errands = Errands::On::callers_thread;  // each call of the disk has a fixed position

    ~LogWorld() { disk->hang(false); }

    // Starts a process: it has its own context, and nothing of an earlier one runs in it.
    Result<void> open(std::uint8_t key = 0, const std::string& name = origin) {
        contexts.emplace_back();
        auto opened = Log::open({.directory = directory,
                                 .origin = name,
                                 .key = signing_key(key),
                                 .boot_id = "boot-1",
                                 .start = {{"version", "0.1.0"}, {"isolation", "same-uid"}},
                                 .clock = clock,
                                 .files = *disk,
                                 .executor = context().get_executor(),
                                 .segment_bytes = segment_bytes,
                                 .linger = linger,
                                 .checkpoint_pause = checkpoint_pause,
                                 .errands = errands});
        if (!opened) return opened.error();
        log = std::move(*opened);
        return {};
    }
    // The process dies. Its writes are still there, synced or not. No pending task of it runs again: a task that had
    // not started would find the log gone.
    void kill() {
        log.reset();
        contexts.emplace_back();
        disk = disk->copy();
    }
    boost::asio::io_context& context() { return contexts.back(); }

    template <class T> T run(boost::asio::awaitable<T> task) {
        std::optional<T> result;
        boost::asio::co_spawn(context(), std::move(task), [&](const std::exception_ptr& exception, T value) {
            if (exception) std::rethrow_exception(exception);
            result.emplace(std::move(value));
        });
        context().restart();
        while (!result) context().run_one();
        return std::move(*result);
    }
    // Starts it; the result is available when the context has run far enough.
    template <class T> std::shared_ptr<std::optional<T>> start(boost::asio::awaitable<T> task) {
        auto result = std::make_shared<std::optional<T>>();
        boost::asio::co_spawn(context(), std::move(task), [result](const std::exception_ptr& exception, T value) {
            if (exception) std::rethrow_exception(exception);
            result->emplace(std::move(value));
        });
        poll();
        return result;
    }
    void poll() {
        context().restart();
        context().poll();
    }
    template <class T> T await(const std::shared_ptr<std::optional<T>>& result) {
        context().restart();
        while (!*result) context().run_one();
        return std::move(**result);
    }

    Result<Receipt> append(LogEntry given) { return run(log->append(std::move(given))); }
    Result<void> close() { return run(log->close()); }

    // All records of the log, read by walking it.
    std::vector<Record> records() {
        std::vector<Record> found;
        const auto key = signer().key();
        const auto walked =
            walk(*disk, directory, key,
                 {.check = Chain::Check::last, .record = [&](const Record& record) { found.push_back(record); }});
        if (!walked || walked->broken) return {};
        return found;
    }
    std::vector<std::string> kinds() {
        std::vector<std::string> found;
        for (const auto& record : records()) found.push_back(record.kind);
        return found;
    }
    Verification verified(const std::optional<NoteKey>& key = signer().key()) {
        auto found = verify(*disk, directory, {.key = key});
        return found ? *found : Verification{};
    }
};

}  // namespace countersign::audit
