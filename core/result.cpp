// SPDX-License-Identifier: Apache-2.0
#include "core/result.hpp"

namespace countersign {

std::string_view name(Errc code) {
    switch (code) {
    case Errc::internal:
        return "internal";
    case Errc::malformed:
        return "malformed";
    case Errc::too_large:
        return "too_large";
    case Errc::unsupported:
        return "unsupported";
    case Errc::bad_signature:
        return "bad_signature";
    case Errc::stale:
        return "stale";
    case Errc::replayed:
        return "replayed";
    case Errc::not_authorised:
        return "not_authorised";
    case Errc::not_shown:
        return "not_shown";
    case Errc::late:
        return "late";
    case Errc::asked_again:
        return "asked_again";
    case Errc::already_decided:
        return "already_decided";
    case Errc::already_voted:
        return "already_voted";
    case Errc::unknown_request:
        return "unknown_request";
    case Errc::unknown_option:
        return "unknown_option";
    case Errc::conflict:
        return "conflict";
    case Errc::undeliverable:
        return "undeliverable";
    case Errc::unavailable:
        return "unavailable";
    case Errc::missing_secret:
        return "missing_secret";
    case Errc::bad_config:
        return "bad_config";
    case Errc::busy:
        return "busy";
    case Errc::timeout:
        return "timeout";
    case Errc::away:
        return "away";
    case Errc::damaged:
        return "damaged";
    }
    return "internal";
}

std::string describe(const Error& error) {
    std::string text{name(error.code)};
    if (!error.detail.empty()) text += ": " + error.detail;
    return text;
}

}  // namespace countersign
