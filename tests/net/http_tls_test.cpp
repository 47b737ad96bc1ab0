// SPDX-License-Identifier: Apache-2.0
// Which certificates are accepted, and HTTP/2.
#include "net/child.hpp"
#include "tests/net/http_fixture.hpp"
#include "tests/net/scratch_directory.hpp"

#include <boost/asio/ip/tcp.hpp>

namespace countersign::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing_tools::Authority;
using testing_tools::Identity;

class HttpTlsTest : public HttpTest {
protected:
    HttpTlsTest() { client = std::make_unique<CurlHttpClient>(io.get_executor(), ca_file); }

    static std::string url(std::uint16_t port, const std::string& host = "localhost") {
        return "https://" + host + ":" + std::to_string(port) + secret_target;
    }
    Error refusal_of(const Identity& identity) {
        HttpServer server{io, identity};
        const auto error = failure({.url = url(server.port())});
        EXPECT_TRUE(server->seen.empty()) << "nothing was said to it";
        return error;
    }

    Authority authority{"Authority of a test"};
    testing_tools::ScratchDirectory directory;
    std::string ca_file = directory.file("ca.pem", authority.certificate());
};

TEST_F(HttpTlsTest, TheRightNameFromTheGivenAuthorityIsAccepted) {
    HttpServer server{io, authority.issue("localhost")};
    const auto answer = send({.url = url(server.port())});
    ASSERT_TRUE(answer) << describe(answer.error());
    EXPECT_EQ(answer->body, "ok");
    EXPECT_EQ(answer->version, 1) << "this server does not speak HTTP/2";
}

TEST_F(HttpTlsTest, AKeptTlsConnectionServesTheNextCall) {
    HttpServer server{io, authority.issue("localhost")};
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(send({.url = url(server.port())}));
    EXPECT_EQ(server->accepted, 1U);
}

TEST_F(HttpTlsTest, AnotherNameIsRefused) {
    const auto error = refusal_of(authority.issue("other.test"));
    EXPECT_EQ(error.code, Errc::bad_signature);
    EXPECT_THAT(error.detail, testing::AllOf(HasSubstr("localhost"), HasSubstr("another name")));

    HttpServer server{io, authority.issue("localhost")};
    EXPECT_EQ(failure({.url = url(server.port(), "127.0.0.1")}).code, Errc::bad_signature) << "a name is no address";
}

TEST_F(HttpTlsTest, AnUnknownAuthorityIsRefused) {
    const auto error = refusal_of(Authority{"Somebody else"}.issue("localhost"));
    EXPECT_EQ(error.code, Errc::bad_signature);
    EXPECT_THAT(error.detail, HasSubstr("localhost"));
}

TEST_F(HttpTlsTest, AnotherAuthorityWithTheSameNameIsRefused) {
    EXPECT_EQ(refusal_of(Authority{"Authority of a test"}.issue("localhost")).code, Errc::away);
}

TEST_F(HttpTlsTest, OurAuthorityIsNotAmongTheSystems) {
    client = std::make_unique<CurlHttpClient>(io.get_executor());
    EXPECT_EQ(refusal_of(authority.issue("localhost")).code, Errc::bad_signature);
}

TEST_F(HttpTlsTest, AnExpiredCertificateIsRefusedWithThatReason) {
    const auto error = refusal_of(authority.issue("localhost", -48h));
    EXPECT_EQ(error.code, Errc::bad_signature);
    EXPECT_THAT(error.detail, HasSubstr("expired"));
}

TEST_F(HttpTlsTest, ACertificateThatIsNotValidYetIsRefused) {
    EXPECT_EQ(refusal_of(authority.issue("localhost", 48h)).code, Errc::bad_signature);
}

TEST_F(HttpTlsTest, AServerWithoutTlsIsRefused) {
    HttpServer server{io};
    const auto call = begin({.url = url(server.port())});
    run_until([&] { return server->open == 1; });
    server.say("HTTP/1.1 400 This is plain\r\n\r\n");
    const auto result = finish(call);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::away);
    EXPECT_TRUE(server->seen.empty());
}

TEST_F(HttpTlsTest, AMissingFileOfAuthoritiesIsReported) {
    HttpServer server{io, authority.issue("localhost")};
    client = std::make_unique<CurlHttpClient>(io.get_executor(), directory.path() + "/none.pem");
    EXPECT_EQ(failure({.url = url(server.port())}).code, Errc::bad_config);
}

TEST_F(HttpTlsTest, ACancelledHandshakeIsClosed) {
    HttpServer server{io};  // sends nothing in reply to a TLS hello, which has no line end
    server->answer = [](const Seen&) { return Reply{"", Reply::Then::hold}; };
    const auto call = begin({.url = url(server.port())});
    run_until([&] { return server->open == 1; });
    call->cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return call->cancelled && server->open == 0; });
}

// A real HTTP/2 server.
class Http2Test : public HttpTlsTest {
protected:
    Http2Test() {
        const auto identity = authority.issue("localhost");
        static_cast<void>(directory.file("hello", "hello over two"));
        auto started =
            Child::start(io.get_executor(), {.argv = {"/usr/sbin/nghttpd", "--verbose", "--address=127.0.0.1",
                                                      "--htdocs=" + directory.path(), std::to_string(port),
                                                      directory.file("key.pem", identity.key),
                                                      directory.file("cert.pem", identity.certificate)}});
        if (!started) throw std::runtime_error{describe(started.error())};
        nghttpd = std::move(*started);
        asio::co_spawn(io, listen(nghttpd, said), [](const std::exception_ptr&) {});
    }
    ~Http2Test() override { nghttpd->close_output(); }
    static asio::awaitable<void> listen(std::shared_ptr<Child> child, std::shared_ptr<std::string> said) {
        for (;;) {
            const auto bytes = co_await child->read();
            if (!bytes || bytes->empty()) co_return;
            *said += *bytes;
        }
    }
    static std::uint16_t free_port() {
        asio::io_context io;
        return asio::ip::tcp::acceptor{io, {asio::ip::address_v4::loopback(), 0}}.local_endpoint().port();
    }
    [[nodiscard]] std::string hello() const { return "https://localhost:" + std::to_string(port) + "/hello"; }
    [[nodiscard]] int said_times(std::string_view text) const {
        int times = 0;
        for (auto at = said->find(text); at != std::string::npos; at = said->find(text, at + 1)) ++times;
        return times;
    }
    // The server needs some time to start.
    void wait_for_it() {
        const auto give_up = std::chrono::steady_clock::now() + 20s;
        while (!send({.url = hello()}) && std::chrono::steady_clock::now() < give_up) {}
    }

    std::uint16_t port = free_port();
    std::shared_ptr<std::string> said = std::make_shared<std::string>();
    std::shared_ptr<Child> nghttpd;
};

TEST_F(Http2Test, ConcurrentFirstCallsShareOneConnection) {
    wait_for_it();
    client = std::make_unique<CurlHttpClient>(io.get_executor(), ca_file);
    std::vector<std::shared_ptr<Call>> calls;
    for (int i = 0; i < 50; ++i) calls.push_back(begin({.url = hello()}));
    for (const auto& call : calls) {
        const auto answer = finish(call);
        ASSERT_TRUE(answer) << describe(answer.error());
        EXPECT_EQ(answer->version, 2);
        EXPECT_EQ(answer->status, 200);
        EXPECT_EQ(answer->body, "hello over two");
        EXPECT_NE(find_header(*answer, "content-length"), nullptr);
    }
    run_until([&] { return said_times(":path: /hello") == 51; });  // including the one that found it listening
    EXPECT_THAT(*said, HasSubstr("[id=2]"));
    EXPECT_THAT(*said, testing::Not(HasSubstr("[id=3]"))) << "a second connection of this client";
}

TEST_F(Http2Test, I13_TheBoundAppliesOverHttp2AndOtherCallsContinue) {
    wait_for_it();
    EXPECT_TRUE(send({.url = hello(), .answer_bytes_max = 14}));
    EXPECT_EQ(failure({.url = hello(), .answer_bytes_max = 13}).code, Errc::too_large);
    EXPECT_TRUE(send({.url = hello()}));
}

}  // namespace
}  // namespace countersign::net
