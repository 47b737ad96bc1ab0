// SPDX-License-Identifier: Apache-2.0
// RFC 8785 is defined by ECMAScript's output, so a real ECMAScript engine is the oracle.
#include "tests/core/random_json.hpp"
#include "tests/fakes/node_oracle.hpp"

#include "core/json/number.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"

#include <gtest/gtest.h>

namespace countersign::json {
namespace {

using Lines = std::vector<std::string>;

// JavaScript compares strings by UTF-16 code units, which is the order that RFC 8785 requires.
constexpr const char* canonicalise = R"js(
const canonical = (value) => {
    if (Array.isArray(value)) return '[' + value.map(canonical).join(',') + ']';
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    return '{' + Object.keys(value).sort().map((k) => JSON.stringify(k) + ':' + canonical(value[k])).join(',') + '}';
};
const lines = require('fs').readFileSync(process.argv[1], 'utf8').split('\n').slice(0, -1);
process.stdout.write(lines.map((line) => canonical(JSON.parse(line)) + '\n').join(''));
)js";

// The decimal values of the lexeme and of the printed form, compared as integers over one power of ten.
constexpr const char* judge_numbers = R"js(
const parts = (text) => {
    const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
    return { mantissa: BigInt(sign + whole + fraction), exponent: Number(exponent) - fraction.length };
};
const same = (left, right) => {
    const a = parts(left), b = parts(right), least = Math.min(a.exponent, b.exponent);
    const scaled = (part) => part.mantissa * 10n ** BigInt(part.exponent - least);
    return scaled(a) === scaled(b);
};
const lines = require('fs').readFileSync(process.argv[1], 'utf8').split('\n').slice(0, -1);
process.stdout.write(lines.map((line) => {
    const printed = JSON.stringify(JSON.parse(line));
    return printed + ' ' + (printed !== 'null' && same(line, printed) ? 'exact' : 'lossy') + '\n';
}).join(''));
)js";

using JsonNode = testing_tools::NodeOracle;

TEST_F(JsonNode, TheCanonicalFormIsTheOneThatNodePrints) {
    RandomJson random{20260101};
    Lines documents;
    for (int i = 0; i < 8000; ++i) documents.push_back(random.document());
    const auto expected = answers(canonicalise, documents);
    ASSERT_EQ(expected.size(), documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const auto document = read(documents[i]);
        ASSERT_TRUE(document) << documents[i] << ": " << describe(document.error());
        ASSERT_EQ(canonical(document->value), expected[i]) << documents[i];
    }
}

TEST_F(JsonNode, NumbersAreExactWhenNodeSaysSo) {
    RandomJson random{20260102};
    Lines lexemes;
    for (int i = 0; i < 20000; ++i) lexemes.push_back(random.number());
    const auto expected = answers(judge_numbers, lexemes);
    ASSERT_EQ(expected.size(), lexemes.size());
    for (std::size_t i = 0; i < lexemes.size(); ++i) {
        const auto form = form_of(lexemes[i]);
        const auto printed = form.canonical.empty() ? "null" : form.canonical;
        ASSERT_EQ(printed + (form.loss ? " lossy" : " exact"), expected[i]) << lexemes[i];
    }
}

}  // namespace
}  // namespace countersign::json
