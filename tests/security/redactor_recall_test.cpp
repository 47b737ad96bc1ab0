// SPDX-License-Identifier: Apache-2.0
// Recall and false positives of the redactor on the generated corpus.
#include "tests/security/redactor_fixture.hpp"

#include "tests/fakes/secret_corpus.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace countersign::security {
namespace {

using fakes::Sample;

double share(const fakes::Count& count) {
    return count.samples == 0 ? 1.0 : static_cast<double>(count.right) / static_cast<double>(count.samples);
}

// The first failures by format: enough to see what broke.
std::string some(const std::vector<Sample>& wrong) {
    std::set<std::string> seen;
    std::string text;
    for (const auto& sample : wrong) {
        if (!seen.insert(sample.context + sample.what).second || seen.size() > 20) continue;
        text += "\n[" + sample.context + "] " + sample.what + ": " + sample.text + "\n => " +
                redactor().text(sample.text, sample.kind);
    }
    return text;
}

TEST(RedactorRecall, I6_NineOfTenGeneratedSecretsAreHiddenInEveryContext) {
    for (const std::uint64_t seed : {1, 2}) {
        std::vector<Sample> wrong;
        const auto all = fakes::measure(redactor(), seed, &wrong);
        ASSERT_GT(all.back().secrets.samples, 5000U);
        for (const auto& one : all) EXPECT_GE(share(one.secrets), 0.90) << one.context << some(wrong);
        EXPECT_GE(share(all.back().secrets), 0.97) << some(wrong);
    }
}

TEST(RedactorRecall, AtMostOneOfAHundredInnocentTextsIsChanged) {
    for (const std::uint64_t seed : {1, 2}) {
        std::vector<Sample> wrong;
        const auto all = fakes::measure(redactor(), seed, &wrong);
        std::erase_if(wrong, [](const Sample& sample) { return !sample.secret.empty(); });
        ASSERT_GT(all.back().innocents.samples, 1000U);
        EXPECT_GE(share(all.back().innocents), 0.99) << some(wrong);
    }
}

TEST(RedactorRecall, TheCorpusIsTheSameForTheSameSeedAndEachSampleContainsItsSecret) {
    const auto first = fakes::secret_samples(7);
    const auto again = fakes::secret_samples(7);
    const auto other = fakes::secret_samples(8);
    ASSERT_EQ(first.size(), again.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].text, again[i].text);
        EXPECT_TRUE(contains(first[i].text, first[i].secret)) << first[i].text;
        EXPECT_FALSE(first[i].secret.empty()) << first[i].what;
    }
    EXPECT_NE(first.front().text, other.front().text);
}

TEST(RedactorRecall, I6_ATokenIsHiddenInEveryPlaceReportedByOutsiders) {
    const auto hex40 = body(40, hex_digits, 3);
    const std::array uuids{body(8, hex_digits, 1) + "-1111-4111-a111-" + body(12, hex_digits, 2),
                           body(8, hex_digits, 3) + "-2222-4222-a222-" + body(12, hex_digits, 4)};
    struct Example {
        std::string text;
        std::string secret;
    };
    const std::vector<Example> examples{
        {"the admin password is hunter2x", "hunter2x"},
        {"The root password for db1 is Tr0ub4dor&3", "Tr0ub4dor"},
        {"db.example.com:5432:app:bob:hunter2x", "hunter2x"},
        {"*:*:*:postgres:hunter2x\n", "hunter2x"},
        {"https://outlook.office.com/webhook/" + uuids[0] + "@" + uuids[1] + "/IncomingWebhook/" +
             body(32, hex_digits) + "/" + uuids[0],
         body(32, hex_digits)},
        {"wandb login " + hex40, hex40},
        {"wandb login --relogin " + hex40, hex40},
        {"echo " + body(75, alnum, 5) + "AZDO" + body(4), body(75, alnum, 5)},
        {"az devops login <<< " + body(52, lower_alnum, 9), body(52, lower_alnum, 9)},
        {"vault token lookup s." + body(24, alnum, 12), body(24, alnum, 12)},
        {"echo hvs." + body(90), body(90)},
        {"kubeadm join 10.0.0.1:6443 --token a1b2c3.0123456789abcdef", "0123456789abcdef"},
        {"echo a1b2c3.k3j4h5g6f7d8s9a0", "k3j4h5g6f7d8s9a0"},
        {"curl -H 'Jenkins-Crumb:" + body(64, hex_digits) + "' http://ci", body(64, hex_digits)},
        {"-H \"Jenkins-Crumb: " + body(32, hex_digits) + "\"", body(32, hex_digits)},
        {"echo da2-" + body(26, lower_alnum), body(26, lower_alnum)},
        {"echo fc-" + body(32, hex_digits), body(32, hex_digits)},
        {"echo scp-live-" + body(32, hex_digits), body(32, hex_digits)},
    };
    for (const auto& example : examples) expect_hidden(example.text, example.secret);
}

}  // namespace
}  // namespace countersign::security
