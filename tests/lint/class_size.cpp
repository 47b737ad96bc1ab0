// SPDX-License-Identifier: Apache-2.0
#include "tests/lint/class_size.hpp"

#include <regex>

namespace countersign::lint {

namespace {

// Comments, literals and directives contain no declarations, but may contain brackets.
std::string bare(std::string_view source) {
    static const std::regex left_out{
        R"re(//[^\n]*|/\*[^]*?\*/|R"(\w*)\([^]*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'|(^|\n)[ \t]*#[^\n]*)re"};
    return std::regex_replace(std::string{source}, left_out, " ");
}

// The name of the function that `statement` declares; empty if it declares none.
std::string function_name(std::string statement) {
    static const std::regex attributes{R"(\[\[[^\]]*\]\])"};
    static const std::regex arguments{R"(<[^<>]*>)"};
    static const std::regex no_function{R"(^\s*(using|typedef|friend|enum|class|struct|static_assert)\b|\boperator\b)"};
    static const std::regex head{R"(^([^=(]*[\w>&*\s])\b(\w+)\s*\()"};
    statement = std::regex_replace(statement, attributes, "");
    if (std::regex_search(statement, no_function)) return {};
    for (std::string before; before != statement;) {
        before = statement;
        statement = std::regex_replace(before, arguments, "");
    }
    std::smatch found;
    return std::regex_search(statement, found, head) ? found[2].str() : std::string{};
}

class Scanner {
public:
    explicit Scanner(std::string text) : text_{std::move(text)} {}

    std::vector<ClassSize> sizes() {
        body({});
        return std::move(sizes_);
    }

private:
    // Reads up to the closing bracket. Without a name it is the body of a namespace, or the file.
    void body(const std::string& name) {
        static const std::regex opens_class{R"(\b(?:class|struct)\s+(\w+)[^()=;]*$)"};
        static const std::regex opens_namespace{R"(^\s*(inline\s+)?namespace\b[^()]*$)"};
        static const std::regex access{R"(^\s*(public|protected|private)\s*$)"};
        ClassSize size{.name = name};
        std::string statement;
        const auto ends = [&] {
            const auto function = name.empty() ? std::string{} : function_name(statement);
            const bool counts = !function.empty() && function != name && function != "explicit";
            if (counts) ++size.functions;
            statement.clear();
            return counts;
        };
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            std::smatch found;
            if (c == '}') {
                break;
            } else if (c == ';') {
                ends();
            } else if (c == ':' && std::regex_match(statement, access)) {
                statement.clear();
            } else if (c != '{') {
                statement += c;
            } else if (std::regex_search(statement, opens_namespace)) {
                statement.clear();
                body({});
            } else if (std::regex_search(statement, found, opens_class) &&
                       statement.find("enum") == std::string::npos) {
                const auto inner = found[1].str();
                statement.clear();
                body(inner);
            } else {
                skip_brackets();
                // A member's initialiser continues; a function's body ends its declaration.
                const auto next = text_.find_first_not_of(" \n\t", at_);
                const bool goes_on =
                    next != std::string::npos && std::string_view{",{;"}.find(text_[next]) != std::string_view::npos;
                if (!goes_on) ends();
            }
        }
        if (!name.empty()) sizes_.push_back(std::move(size));
    }

    void skip_brackets() {
        for (std::size_t depth = 1; depth > 0 && at_ < text_.size(); ++at_) {
            if (text_[at_] == '{') ++depth;
            if (text_[at_] == '}') --depth;
        }
    }

    std::string text_;
    std::size_t at_ = 0;
    std::vector<ClassSize> sizes_;
};

}  // namespace

std::vector<ClassSize> class_sizes(std::string_view source) { return Scanner{bare(source)}.sizes(); }

}  // namespace countersign::lint
