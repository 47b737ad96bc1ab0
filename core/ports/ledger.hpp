// SPDX-License-Identifier: Apache-2.0
// Ledger: one port for taking a request and logging it.
//
// What a resolved await promises: the record, covered by a signed checkpoint, is on disk. Once any write or sync failed
// the ledger is poisoned: every later call is refused with Errc::unavailable, for the life of the process (I1).
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

// What to write. The ledger adds v, seq, prevRoot, synced, ts, mono and bootId.
struct LogEntry {
    std::string kind;  // "request", "decision", "ended" …; audit/FORMAT.md has the list
    json::Object fields;
    // A text too long for a record: kept in a file beside the log, named by its hash, on disk before the record is. The
    // record names it as textFile.
    struct LongText {
        std::string hash;
        std::string text;
    };
    std::optional<LongText> long_text;
};

// A delivery of a platform that changed something: an attempt that decided or voted.
struct HandledDelivery {
    std::string channel;
    std::string delivery;
    friend bool operator==(const HandledDelivery&, const HandledDelivery&) = default;
};

// How soon somebody needs it. Records are in the order of the calls all the same.
enum class Haste {
    now,
    soon,  // nobody waits for it: it may go along with the next that somebody waits for, log_linger_max later at most
};

using Settled = std::variant<Error, Receipt, Winner>;

class Ledger {
public:
    virtual ~Ledger() = default;
    // Somebody will soon wait for a record: a ledger that sleeps may wake up for it. Promises nothing.
    virtual void expect() {}
    virtual boost::asio::awaitable<Result<Receipt>> append(LogEntry entry, Haste haste) = 0;
    // Takes the request and writes its one terminal record. The taking happens before the first suspension: whoever
    // comes second, also while the first is still being written, gets the winner.
    virtual boost::asio::awaitable<Settled> settle(Ulid request, Winner winner, LogEntry terminal) = 0;
    [[nodiscard]] virtual Result<void> health() const = 0;
    // A request was refused because of bad health, and can have no terminal record: what is shown of it should still be
    // true after a restart. Promises nothing.
    virtual void note_unlogged(const Ulid& /*request*/) {}
    // Called on the owner's thread when the log is poisoned, once.
    virtual void on_poisoned(std::function<void(const Error&)> handler) = 0;
};

}  // namespace countersign
