// SPDX-License-Identifier: Apache-2.0
// Requests and answers against a real server.
#include "core/limits.hpp"
#include "tests/net/http_fixture.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace countersign::net {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class HttpClientTest : public HttpTest {
protected:
    HttpServer server{io};
    const Seen& last() { return server->seen.back(); }
};

TEST_F(HttpClientTest, AnAnswerHasStatusHeadersAndBody) {
    server->answer = [](const Seen&) { return Reply{http(418, "short\n", "X-Thing:  one \r\nX-THING: two\r\n")}; };
    const auto answer = send({.url = plain_url(server)});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 418);
    EXPECT_EQ(answer->version, 1);
    EXPECT_EQ(answer->body, "short\n");
    EXPECT_EQ(answer->headers,
              (std::vector<HttpHeader>{{"x-thing", "one"}, {"x-thing", "two"}, {"content-length", "6"}}));
    EXPECT_EQ(last().line, "GET " + secret_target + " HTTP/1.1");
}

TEST_F(HttpClientTest, EveryMethodSendsItsBodyUnchanged) {
    const std::string body{"{\"a\":\"\0\r\n\xc3\xa4\"}", 14};
    for (const auto method : {HttpMethod::post, HttpMethod::put, HttpMethod::patch}) {
        ASSERT_TRUE(send({.method = method,
                          .url = plain_url(server),
                          .headers = {{"Content-Type", "application/json"}, {"X-Empty", ""}},
                          .body = body}));
        EXPECT_THAT(last().line, testing::StartsWith(std::string{name(method)} + " "));
        EXPECT_EQ(last().body, body);
        EXPECT_THAT(last().head, AllOf(HasSubstr("\r\nContent-Type: application/json\r\n"),
                                       HasSubstr("\r\nX-Empty:\r\n"), HasSubstr("\r\nUser-Agent: countersign/"),
                                       Not(HasSubstr("Expect")), Not(HasSubstr("Accept-Encoding"))));
    }
    ASSERT_TRUE(send({.method = HttpMethod::remove, .url = plain_url(server)}));
    EXPECT_THAT(last().line, testing::StartsWith("DELETE "));
}

TEST_F(HttpClientTest, AnEmptyPostHasALengthAndNoDefaultContentType) {
    ASSERT_TRUE(send({.method = HttpMethod::post, .url = plain_url(server)}));
    EXPECT_THAT(last().head, AllOf(HasSubstr("\r\nContent-Length: 0\r\n"), Not(HasSubstr("Content-Type"))));
}

TEST_F(HttpClientTest, AFormIsSentAsMultipart) {
    ASSERT_TRUE(send({.method = HttpMethod::post,
                      .url = plain_url(server),
                      .body = Form{{"chat_id", "77"}, {"document", "whole\r\ntext", "call \"1\".txt", "text/plain"}}}));
    EXPECT_THAT(last().head, HasSubstr("Content-Type: multipart/form-data; boundary="));
    EXPECT_THAT(last().body,
                AllOf(HasSubstr("Content-Disposition: form-data; name=\"chat_id\"\r\n\r\n77\r\n"),
                      HasSubstr("name=\"document\"; filename=\"call %221%22.txt\"\r\nContent-Type: text/plain\r\n\r\n"
                                "whole\r\ntext\r\n")));
}

TEST_F(HttpClientTest, ARedirectIsReturnedAndNotFollowed) {
    server->answer = [](const Seen&) { return Reply{http(302, "", "Location: /elsewhere\r\n")}; };
    const auto answer = send({.url = plain_url(server)});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 302);
    EXPECT_EQ(server->seen.size(), 1U);
}

TEST_F(HttpClientTest, RetryAfterOfARefusalIsReadable) {
    server->answer = [](const Seen&) { return Reply{http(429, "{}", "Retry-After: 30\r\n")}; };
    const auto answer = send({.url = plain_url(server)});
    ASSERT_TRUE(answer);
    EXPECT_EQ(retry_after(*answer), 30s);
}

// Linux treats a connection to 0.0.0.0 as one to itself, so the server would receive it.
TEST_F(HttpClientTest, HttpToANonLoopbackAddressIsRefusedBeforeOpeningASocket) {
    for (const auto* host : {"0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "localhost.", "127.0.0.1.test"}) {
        const auto url = "http://" + std::string{host} + ":" + std::to_string(server.port()) + secret_target;
        EXPECT_EQ(failure({.url = url}).code, Errc::unsupported) << host;
    }
    io.poll();
    EXPECT_EQ(server->accepted, 0U);
}

TEST_F(HttpClientTest, HttpToLoopbackIsAnswered) {
    for (const auto* host : {"127.0.0.1", "localhost", "127.1", "0x7f000001"}) {
        const auto url = "http://" + std::string{host} + ":" + std::to_string(server.port()) + secret_target;
        EXPECT_TRUE(send({.url = url})) << host;
    }
}

TEST_F(HttpClientTest, OtherSchemesAreRefused) {
    for (const auto* url :
         {"file:///etc/SECRET", "ftp://127.0.0.1/SECRET", "gopher://127.0.0.1/SECRET", "unix://host/SECRET"}) {
        EXPECT_EQ(failure({.url = url}).code, Errc::unsupported) << url;
    }
}

TEST_F(HttpClientTest, CredentialsBeforeTheHostAreRefused) {
    const auto url = "http://SECRET:SECRET@127.0.0.1:" + std::to_string(server.port()) + "/";
    EXPECT_EQ(failure({.url = url}).code, Errc::malformed);
    EXPECT_EQ(server->accepted, 0U);
}

TEST_F(HttpClientTest, AProxyInTheEnvironmentIsNotUsed) {
    HttpServer proxy{io};
    const auto address = "http://127.0.0.1:" + std::to_string(proxy.port());
    for (const auto* variable : {"http_proxy", "ALL_PROXY", "all_proxy"}) ::setenv(variable, address.c_str(), 1);
    EXPECT_TRUE(send({.url = plain_url(server)}));
    for (const auto* variable : {"http_proxy", "ALL_PROXY", "all_proxy"}) ::unsetenv(variable);
    EXPECT_EQ(proxy->accepted, 0U);
    EXPECT_EQ(server->accepted, 1U);
}

TEST_F(HttpClientTest, AKeptConnectionServesTheNextCall) {
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(send({.url = plain_url(server)}));
    EXPECT_EQ(server->seen.size(), 10U);
    EXPECT_EQ(server->accepted, 1U);
}

TEST_F(HttpClientTest, AKeptConnectionThatTheServerClosedIsReplaced) {
    ASSERT_TRUE(send({.url = plain_url(server)}));
    server.close_all();
    run_until([&] { return server->open == 0; });
    ASSERT_TRUE(send({.method = HttpMethod::post, .url = plain_url(server), .body = "again"}));
    EXPECT_EQ(server->accepted, 2U);
}

TEST_F(HttpClientTest, ManyConcurrentCallsAreAllAnsweredEvenThoseThatWaitForAConnection) {
    constexpr int count = 2 * limits::http_connections_max;
    server->answer = [](const Seen& seen) { return Reply{http(200, seen.body)}; };
    std::vector<std::shared_ptr<Call>> calls;
    for (int i = 0; i < count; ++i) {
        calls.push_back(begin({.method = HttpMethod::post, .url = plain_url(server), .body = std::to_string(i)}));
    }
    for (int i = 0; i < count; ++i) {
        const auto answer = finish(calls[i]);
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->body, std::to_string(i)) << "each gets its own";
    }
}

TEST_F(HttpClientTest, EveryConnectionOfABurstIsReusedByTheNext) {
    const auto burst = [&] {
        std::vector<std::shared_ptr<Call>> calls;
        for (int i = 0; i < 20; ++i) calls.push_back(begin({.url = plain_url(server)}));
        for (const auto& call : calls) EXPECT_TRUE(finish(call));
    };
    burst();
    const auto connections = server->accepted;
    EXPECT_GT(connections, 8U);
    ASSERT_TRUE(send({.url = plain_url(server)}));  // a quiet moment
    burst();
    EXPECT_EQ(server->accepted, connections);
}

TEST_F(HttpClientTest, AHeldAnswerDelaysNoOtherCall) {
    server->answer = [](const Seen& seen) {
        return seen.body == "poll" ? Reply{"", Reply::Then::hold} : Reply{http(200, "ok")};
    };
    const auto poll = begin({.method = HttpMethod::post, .url = plain_url(server), .body = "poll"});
    run_until([&] { return !server->seen.empty(); });
    EXPECT_TRUE(send({.url = plain_url(server)}));
    EXPECT_FALSE(poll->ended());
}

TEST_F(HttpClientTest, AChildInheritsNoSocket) {
    server->answer = [](const Seen&) { return Reply{"", Reply::Then::hold}; };
    const auto call = begin({.url = plain_url(server)});
    run_until([&] { return !server->seen.empty(); });
    int found = 0;
    for (int number = 3; number < 256; ++number) {
        sockaddr_in peer{};
        socklen_t size = sizeof peer;
        if (::getpeername(number, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
        if (peer.sin_family != AF_INET || ntohs(peer.sin_port) != server.port()) continue;
        ++found;
        EXPECT_NE(::fcntl(number, F_GETFD) & FD_CLOEXEC, 0);
    }
    EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace countersign::net
