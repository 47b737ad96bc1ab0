// SPDX-License-Identifier: Apache-2.0
// Reads the members of one object and remembers the first invalid one.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"
#include "core/ulid.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::json {

class Fields {
public:
    // Borrows `value`.
    explicit Fields(const Value& value) : object_{value.object()} {
        if (object_ == nullptr) wrong_ = "an object";
    }

    std::string text(std::string_view name) {
        const auto* value = find(name);
        const auto* string = value == nullptr ? nullptr : value->string();
        if (string == nullptr) return fail(name), std::string{};
        return *string;
    }
    bool truth(std::string_view name) {
        const auto* value = find(name);
        const auto* boolean = value == nullptr ? nullptr : value->boolean();
        if (boolean == nullptr) return fail(name), false;
        return *boolean;
    }
    std::int64_t integer(std::string_view name) {
        const auto* value = find(name);
        const auto* number = value == nullptr ? nullptr : value->number();
        std::int64_t result = 0;
        if (number == nullptr) return fail(name), result;
        const auto* end = number->lexeme.data() + number->lexeme.size();
        if (std::from_chars(number->lexeme.data(), end, result).ptr != end) fail(name);
        return result;
    }
    Ulid ulid(std::string_view name) {
        const auto id = Ulid::parse(text(name));
        if (!id) return fail(name), Ulid{};
        return *id;
    }
    // A word of an enumeration. `named` parses it: named(std::string_view) → optional.
    template <class Enum> Enum word(std::string_view name, std::optional<Enum> (*named)(std::string_view)) {
        const auto found = named(text(name));
        if (!found) fail(name);
        return found.value_or(Enum{});
    }
    const Array& array(std::string_view name) {
        static const Array none;
        const auto* value = find(name);
        const auto* array = value == nullptr ? nullptr : value->array();
        if (array == nullptr) return fail(name), none;
        return *array;
    }
    std::vector<std::string> texts(std::string_view name) {
        std::vector<std::string> result;
        for (const auto& element : array(name)) {
            if (const auto* string = element.string()) {
                result.push_back(*string);
            } else {
                fail(name);
            }
        }
        return result;
    }
    const Value& value(std::string_view name) {
        static const Value none;
        const auto* found = find(name);
        if (found == nullptr) return fail(name), none;
        return *found;
    }
    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

    void fail(std::string_view name) {
        if (wrong_.empty()) wrong_ = name;
    }
    // The first invalid member; empty if all are valid.
    [[nodiscard]] const std::string& wrong() const { return wrong_; }

private:
    [[nodiscard]] const Value* find(std::string_view name) const {
        return object_ == nullptr ? nullptr : object_->find(name);
    }
    const Object* object_;
    std::string wrong_;
};

}  // namespace countersign::json
