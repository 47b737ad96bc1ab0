// SPDX-License-Identifier: Apache-2.0
// A lossless JSON value: numbers keep their lexeme, objects keep their order and duplicates, and each value knows which
// bytes of the text it was read from.
//
// Used where exactness matters: hashed arguments, events, records. Not designed for bulk data.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace countersign::json {

class Value;

// A number as written. One created from an integer is plain decimal.
struct Number {
    std::string lexeme;
    friend bool operator==(const Number&, const Number&) = default;
};

using Array = std::vector<Value>;

// Members in the original order. `find` returns the first of that name; the reader reports duplicates.
class Object {
public:
    using Member = std::pair<std::string, Value>;
    Object();
    Object(std::initializer_list<Member> members);
    Object(const Object&);
    Object(Object&&) noexcept;
    Object& operator=(const Object&);
    Object& operator=(Object&&) noexcept;
    ~Object();

    [[nodiscard]] const Value* find(std::string_view name) const;
    void add(std::string name, Value value);
    [[nodiscard]] const std::vector<Member>& members() const { return members_; }
    [[nodiscard]] std::vector<Member>& members() { return members_; }
    [[nodiscard]] bool empty() const;
    friend bool operator==(const Object&, const Object&);

private:
    std::vector<Member> members_;
};

class Value {
public:
    Value() = default;                                          // null
    Value(std::nullptr_t) {}                                    // NOLINT(google-explicit-constructor)
    Value(std::same_as<bool> auto truth) : data_{truth} {}      // NOLINT(google-explicit-constructor)
    Value(Number number) : data_{std::move(number)} {}          // NOLINT(google-explicit-constructor)
    Value(std::string text) : data_{std::move(text)} {}         // NOLINT(google-explicit-constructor)
    Value(std::string_view text) : data_{std::string{text}} {}  // NOLINT(google-explicit-constructor)
    Value(const char* text) : data_{std::string{text}} {}       // NOLINT(google-explicit-constructor)
    Value(Array array) : data_{std::move(array)} {}             // NOLINT(google-explicit-constructor)
    Value(Object object) : data_{std::move(object)} {}          // NOLINT(google-explicit-constructor)
    template <std::integral Integer>
        requires(!std::same_as<Integer, bool>)
    Value(Integer integer) : data_{Number{std::to_string(integer)}} {}  // NOLINT(google-explicit-constructor)

    // Null if the value is of another kind.
    [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&data_); }
    [[nodiscard]] const Number* number() const { return std::get_if<Number>(&data_); }
    [[nodiscard]] const std::string* string() const { return std::get_if<std::string>(&data_); }
    [[nodiscard]] const Array* array() const { return std::get_if<Array>(&data_); }
    [[nodiscard]] const Object* object() const { return std::get_if<Object>(&data_); }
    [[nodiscard]] Array* array() { return std::get_if<Array>(&data_); }
    [[nodiscard]] Object* object() { return std::get_if<Object>(&data_); }
    [[nodiscard]] std::string* string() { return std::get_if<std::string>(&data_); }
    [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(data_); }

    // The bytes of the text it was read from: [begin, end). Both are zero for a value that wasn't read.
    struct Span {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    [[nodiscard]] Span span() const { return span_; }
    void set_span(Span span) { span_ = span; }

    // Ignores spans: equal values have the same lexemes and member order.
    friend bool operator==(const Value& left, const Value& right) { return left.data_ == right.data_; }

private:
    std::variant<std::monostate, bool, Number, std::string, Array, Object> data_;
    Span span_;
};

}  // namespace countersign::json
