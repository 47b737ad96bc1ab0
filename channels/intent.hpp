// SPDX-License-Identifier: Apache-2.0
// What somebody meant who pressed or wrote something: the same few things on every platform.
#pragma once

#include "channels/phrase.hpp"
#include "core/attempt.hpp"
#include "core/order.hpp"
#include "core/ports/attempts.hpp"
#include "core/result.hpp"
#include "core/time.hpp"
#include "core/ulid.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <variant>

namespace countersign::channels {

struct Arrival {
    BootTime at;
    bool after_gap = false;  // it may have waited while nobody listened (I16)
};

struct Nothing {};  // not for us, or nothing to say
// Information, e.g. a list. A no to whoever tried to decide is a Refuse.
struct Say {
    Phrase words;
};
// The attempt decides nothing, and the hub never sees it. The only way for a channel to say no by itself, because this
// one leaves a record (I11).
struct Refuse {
    RefusedAttempt attempt;
    Error why;
    Phrase words = {};  // none: nothing is answered
};
struct Decide {
    Attempt attempt;
};
// The three of a question; each holds the attempt that it may become.
struct Pick {
    Attempt attempt;
    std::size_t question = 0;
    std::size_t choice = 0;  // taken, or given back
    // From a list: all that are taken now. Then `choice` says nothing.
    std::optional<std::set<std::size_t>> choices = std::nullopt;
};
struct Write {
    Attempt attempt;
    std::string text;
};
struct Finish {
    Attempt attempt;
};
struct ShowAll {
    Ulid request;
};
// "Deny…" was pressed: the person is asked for words, and a reply with them denies.
struct AskReason {
    Attempt attempt;
};
// A reply to an approval's card decides nothing. One button offers to deny with its words.
struct OfferReason {
    Attempt attempt;
    std::string reason;
};
struct Begin {
    std::string code;  // of /start; empty without one
};
// About no single request: halt, resume, revoke.
struct Instruct {
    Order order;
};
// A code or id that names nothing here, of somebody who could decide: those are counted. The words are the answer as
// long as they are not too many.
struct WrongCode {
    RefusedAttempt attempt;
    Phrase words;
};
using Intent = std::variant<Nothing, Say, Refuse, Decide, Pick, Write, Finish, ShowAll, AskReason, OfferReason, Begin,
                            Instruct, WrongCode>;

}  // namespace countersign::channels
