// SPDX-License-Identifier: Apache-2.0
// Ledger: claims a request for one decision and logs it.
//
// A resolved await means that the record is on disk and covered by a signed checkpoint. Once any write or sync has
// failed, the ledger is poisoned: every later call fails with Errc::unavailable for the life of the process (I1).
#pragma once

#include "core/json/value.hpp"
#include "core/receipt.hpp"
#include "core/result.hpp"
#include "core/ulid.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace countersign {

// A record to write. The ledger adds v, seq, prevRoot, synced, ts, mono and bootId.
struct LogEntry {
    std::string kind;  // "request", "decision", "ended" …; audit/FORMAT.md has the list
    json::Object fields;
    // A text that is too long for a record. It is kept in a file next to the log, named by its hash, and is on disk
    // before the record. The record refers to it as textFile.
    struct LongText {
        std::string hash;
        std::string text;
    };
    std::optional<LongText> long_text;
};

// A platform's delivery whose attempt decided or voted, i.e. changed something.
struct HandledDelivery {
    std::string channel;
    std::string delivery;
    friend bool operator==(const HandledDelivery&, const HandledDelivery&) = default;
};

// How urgent a record is. Records keep the order of the calls either way.
enum class Haste {
    now,
    soon,  // no caller waits for it: it may be written with the next urgent record, at most log_linger_max later
};

using Settled = std::variant<Error, Receipt, Winner>;

class Ledger {
public:
    virtual ~Ledger() = default;
    // A caller will soon wait for a record, so the ledger may wake up its writer thread. This is only a hint.
    virtual void expect() {}
    virtual boost::asio::awaitable<Result<Receipt>> append(LogEntry entry, Haste haste) = 0;
    // Claims the request and writes its one terminal record. The claim happens before the first suspension: every later
    // caller gets the winner, even while the winner's record is still being written.
    virtual boost::asio::awaitable<Settled> settle(Ulid request, Winner winner, LogEntry terminal) = 0;
    [[nodiscard]] virtual Result<void> health() const = 0;
    // A request was refused because the ledger is unhealthy, so it can't get a terminal record. The ledger tries to
    // remember it, so that what people saw of it is still true after a restart. Best effort.
    virtual void note_unlogged(const Ulid& /*request*/) {}
    // `handler` is called once, on the owner thread, when the log becomes poisoned.
    virtual void on_poisoned(std::function<void(const Error&)> handler) = 0;
};

}  // namespace countersign
