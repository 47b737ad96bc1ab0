// SPDX-License-Identifier: Apache-2.0
// Reads the members of an event and remembers the first error, with the member's full name.
//
// After an error every read returns an empty value, so parsing code needs no branches and checks once at the end. Error
// texts contain names and numbers, but no agent text except member names.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"
#include "security/redact/redactor.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes::event {

// State shared by all Fields of one event: its bytes, its first error and the redactor. Fields borrow it.
struct Reading {
    std::string_view line;
    const security::Redactor& redactor;
    std::optional<Error> fault;
};

class Fields {
public:
    // `object` may be null after an error.
    Fields(Reading& reading, const json::Object* object, std::string path)
        : reading_{&reading}, object_{object}, path_{std::move(path)} {}

    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
    [[nodiscard]] const json::Value* find(std::string_view name) const;

    // Required. `bytes_min` is 1 if an empty text would be meaningless.
    std::string text(std::string_view name, std::size_t bytes_max, std::size_t bytes_min = 1);
    // Like text(), but refuses invalid Unicode: the text goes back byte for byte or not at all (I14).
    std::string exact_text(std::string_view name, std::size_t bytes_max);
    // Empty if the member is missing.
    std::string optional_text(std::string_view name, std::size_t bytes_max);
    std::vector<std::string> texts(std::string_view name, std::size_t count_max, std::size_t bytes_max);
    bool flag(std::string_view name, bool otherwise);
    std::optional<std::uint64_t> positive_integer(std::string_view name, std::uint64_t max);
    const json::Object* object(std::string_view name);
    const json::Array* array(std::string_view name, std::size_t count_min, std::size_t count_max);
    // The element of an array of objects, named "name[index].".
    Fields element(std::string_view name, const json::Array& array, std::size_t index);
    Fields child(std::string_view name);

    // The text as shown to people: redacted, on one line or several, and still within its bound.
    std::string shown_line(std::string_view name, const std::string& text, std::size_t bytes_max);
    std::string shown_block(std::string_view name, const std::string& text, std::size_t bytes_max);
    // For names that must be identical on both sides: fails unless the text can be shown unchanged.
    std::string shown_as_is(std::string_view name, const std::string& text);

    void fail(std::string_view name, std::string_view what, Errc code = Errc::malformed);
    [[nodiscard]] bool failed() const { return reading_->fault.has_value(); }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const security::Redactor& redactor() const { return reading_->redactor; }
    [[nodiscard]] std::string_view raw(const json::Value& value) const;

private:
    const json::Value* required(std::string_view name);
    std::string bounded(std::string_view name, const json::Value& value, std::size_t bytes_min, std::size_t bytes_max);

    Reading* reading_;
    const json::Object* object_;
    std::string path_;  // "", "subject." or "options[1]."
};

}  // namespace countersign::runtimes::event
