// SPDX-License-Identifier: Apache-2.0
// Words of ours, with what others wrote among them kept apart: a platform must not read a link, a name or a style into
// the latter. Every card and answer is made of it, and each platform maps it to what it has.
#pragma once

#include "channels/catalogue.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels {

// Plain and bold are our own words only. What others wrote, sanitised, or what is to be copied, is code, or pre for
// whole lines. A mention calls somebody, by the id that the platform knows them by.
enum class TextStyle { plain, bold, code, pre, mention };

// What stands in a place of the catalogue's words.
struct Insert {
    std::string_view name;
    std::string text;
    TextStyle style = TextStyle::code;
    std::string principal = {};  // of a mention
};

class Phrase {
public:
    Phrase() = default;
    explicit Phrase(std::string_view words) { plain(words); }
    Phrase(Language language, Key key, std::initializer_list<Insert> inserts = {}) { say(language, key, inserts); }

    // The catalogue's words, behind what is there.
    Phrase& say(Language language, Key key, std::initializer_list<Insert> inserts = {});
    Phrase& append(const Phrase& other) {
        pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
        return *this;
    }
    Phrase& plain(std::string_view words) { return add({TextStyle::plain, std::string{words}}); }
    Phrase& bold(std::string_view words) { return add({TextStyle::bold, std::string{words}}); }
    Phrase& code(std::string_view text) { return add({TextStyle::code, std::string{text}}); }
    Phrase& pre(std::string_view text, std::string_view syntax = {}) {
        return add({TextStyle::pre, std::string{text}, std::string{syntax}});
    }

    struct Piece {
        TextStyle style = TextStyle::plain;
        std::string text;
        std::string detail = {};  // the principal of a mention; the syntax of a pre, for example "diff"
        friend bool operator==(const Piece&, const Piece&) = default;
    };
    [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
    // All of it, where a platform knows no styles.
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const auto& piece : pieces_) all += piece.text;
        return all;
    }

private:
    Phrase& add(Piece piece) {
        pieces_.push_back(std::move(piece));
        return *this;
    }

    std::vector<Piece> pieces_;
};

}  // namespace countersign::channels
