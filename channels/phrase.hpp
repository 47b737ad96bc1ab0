// SPDX-License-Identifier: Apache-2.0
// A few words of ours, with what others wrote among them kept apart: a platform must not read a link, a name or a style
// into the latter.
#pragma once

#include "channels/catalogue.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels {

// What stands in a place of the catalogue's words. Whatever is not our own word is code.
struct Insert {
    std::string_view name;
    std::string text;
    bool ours = false;
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
    Phrase& plain(std::string_view words) { return add(false, words); }  // our own words only
    // What others wrote, sanitised, or what is to be copied.
    Phrase& code(std::string_view text) { return add(true, text); }

    struct Piece {
        bool is_code = false;
        std::string text;
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
    Phrase& add(bool is_code, std::string_view text) {
        pieces_.push_back({is_code, std::string{text}});
        return *this;
    }

    std::vector<Piece> pieces_;
};

}  // namespace countersign::channels
