// SPDX-License-Identifier: Apache-2.0
#include "channels/order_words.hpp"

#include "channels/guard.hpp"

#include <algorithm>
#include <vector>

namespace countersign::channels {

namespace {

constexpr std::size_t names_shown_max = 3;

// A session with its agent: another one's may have the same name.
std::string name_of(const Asker& who) {
    if (who.session_key.empty()) return who.agent_id;
    return who.agent_id.empty() ? who.session_key : who.agent_id + "/" + who.session_key;
}

std::string who_it_was(const Order& order, const Carried& carried) {
    std::vector<std::string> names;
    for (const auto& who : carried.whom) {
        if (std::ranges::find(names, name_of(who)) == names.end()) names.push_back(name_of(who));
    }
    if (names.empty()) return order.target;
    std::string all = names.front();
    for (std::size_t i = 1; i < std::min(names.size(), names_shown_max); ++i) all += ", " + names[i];
    return names.size() > names_shown_max ? all + ", …" : all;
}

Phrase halt_words(const std::string& name, const Carried& carried, Language language) {
    Phrase words{language, carried.nothing_new ? Key::halted_already : Key::halted, {{"name", name}}};
    const auto add = [&](Key key) { words.plain(" ").say(language, key); };
    if (carried.denied > 0) {
        words.plain(" ").say(language, Key::halt_denied, {{"count", std::to_string(carried.denied), TextStyle::plain}});
    }
    if (carried.revoked > 0) {
        words.plain(" ").say(language, Key::halt_revoked,
                             {{"count", std::to_string(carried.revoked), TextStyle::plain}});
    }
    if (carried.interrupted > 0) add(Key::halt_interrupted);
    if (carried.not_interrupted > 0) add(Key::halt_goes_on);
    if (carried.interrupting > 0) add(Key::halt_interrupting);
    if (!carried.known) add(Key::halt_not_known);
    if (carried.tried_again) {
        add(Key::not_recorded_yet);
    } else if (!carried.nothing_new && !carried.receipt) {
        add(Key::not_recorded);
    }
    return words;
}

Phrase order_refused(const Order& order, const Error& why, Language language) {
    if (order.kind == Order::Kind::halt && why.code == Errc::busy) {
        return {
            language, Key::halts_full, {{"why", displayed_line(why.detail)}, {"command", "countersign resume NAME"}}};
    }
    switch (why.code) {
    case Errc::not_authorised:
        return {language, Key::may_not_order, {{"principal", displayed_line(order.principal)}}};
    case Errc::late:
        return {language, Key::order_late};
    case Errc::unknown_request:
        return {language, Key::no_such_grant};
    case Errc::unavailable:
        return {language, Key::log_unavailable, {{"why", displayed_line(why.detail)}}};
    case Errc::busy:
        return {language, Key::too_busy};
    default:
        return {language, Key::not_done, {{"code", std::string{name(why.code)}}}};
    }
}

}  // namespace

Phrase order_words(const Order& order, const Result<Carried>& carried, Language language) {
    if (!carried) return order_refused(order, carried.error(), language);
    const auto name = displayed_line(who_it_was(order, *carried));
    switch (order.kind) {
    case Order::Kind::halt:
        return halt_words(name, *carried, language);
    case Order::Kind::resume:
        if (carried->nothing_new) return {language, Key::nothing_halted};
        return {language, Key::resumed, {{"name", name}}};
    case Order::Kind::revoke:
        break;
    }
    Phrase words{language, Key::revoked};
    // No restart undoes it: grants do not outlive the process.
    if (!carried->receipt) words.plain(" ").say(language, Key::revoke_not_recorded);
    return words;
}

}  // namespace countersign::channels
