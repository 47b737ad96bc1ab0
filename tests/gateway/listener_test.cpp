// SPDX-License-Identifier: Apache-2.0
// Which addresses a listener may use, and with which certificate.
#include "gateway/listener.hpp"

#include "core/limits.hpp"
#include "tests/gateway/front.hpp"
#include "tests/gateway/hostile_requests.hpp"

#include <gmock/gmock.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace countersign::gateway {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using namespace std::chrono_literals;

const std::string delivery = post("Content-Length: 3\r\n");

// Two key pairs made by the openssl command, once for all tests.
class ListenerTest : public Front {
protected:
    static void SetUpTestSuite() {
        std::string pattern = (fs::temp_directory_path() / "countersign-tls-XXXXXX").string();
        directory() = ::mkdtemp(pattern.data());
        for (const std::string name : {"own", "other"}) {
            const auto command = "cd " + directory().string() +
                                 " && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
                                 " -subj /CN=localhost -keyout " +
                                 name + ".key -out " + name + ".pem 2>/dev/null";
            ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
            fs::permissions(directory() / (name + ".key"), fs::perms::owner_read | fs::perms::owner_write);
        }
    }
    static void TearDownTestSuite() { fs::remove_all(directory()); }
    static fs::path& directory() {
        static fs::path path;
        return path;
    }
    static TlsFiles own() { return {directory() / "own.pem", directory() / "own.key"}; }
    static std::string text_of(const fs::path& path) {
        std::ifstream file{path};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    static fs::path write(const std::string& name, const std::string& text, fs::perms mode = fs::perms::owner_read) {
        const auto path = directory() / name;
        fs::remove(path);
        std::ofstream{path} << text;
        fs::permissions(path, mode);
        return path;
    }
    // Why it can't listen; empty if it can.
    std::string refused(const std::string& address, const std::optional<TlsFiles>& tls = {}) {
        const auto listener = Listener::open(io.get_executor(), address, 0, tls);
        return listener ? "" : listener.error().detail;
    }
    std::string refused(const TlsFiles& files) { return refused("127.0.0.1", files); }
};

TEST_F(ListenerTest, PlainHttpIsOnlyForLoopback) {
    for (const auto* address : {"127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"}) EXPECT_EQ(refused(address), "");
    for (const auto* address : {"0.0.0.0", "::", "192.0.2.1", "::ffff:192.0.2.1", "fe80::1"}) {
        EXPECT_THAT(refused(address), AllOf(HasSubstr("loopback only"), HasSubstr("certificate"))) << address;
    }
    EXPECT_EQ(refused("0.0.0.0", own()), "");
}

TEST_F(ListenerTest, AHostNameIsRefusedAsAnAddress) {
    for (const auto* address : {"", "localhost", "127.0.0.1:80", "*"}) {
        EXPECT_THAT(refused(address), HasSubstr("IP address")) << address;
    }
}

TEST_F(ListenerTest, ATakenPortIsReported) {
    const auto first = Listener::open(io.get_executor(), "127.0.0.1", 0, {});
    ASSERT_TRUE(first);
    const auto second = Listener::open(io.get_executor(), "127.0.0.1", first->port(), {});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Errc::busy);
    EXPECT_THAT(second.error().detail, HasSubstr("another port"));
}

TEST_F(ListenerTest, AnInvalidProxyIsRefused) {
    const auto opened = Server::open(io.get_executor(), {.proxies = {"proxy.example"}}, {},
                                     {.clock = clock, .access = {}, .stray = {}});
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().detail, HasSubstr("IP address"));
}

TEST_F(ListenerTest, ADeliveryArrivesOverTls) {
    open({.tls = own()});
    Peer peer{*this};
    ASSERT_TRUE(peer.handshake());
    EXPECT_EQ(peer.ask(delivery).status, 200U);
    EXPECT_EQ(peer.ask(post("Content-Length: 200000\r\n", std::string(200'000, 'x'))).status, 200U);
    ASSERT_EQ(inbound.messages.size(), 2U);
    EXPECT_EQ(inbound.messages[1].body.size(), 200'000U);
}

TEST_F(ListenerTest, ANewCertificateIsUsedFromTheNextHandshakeOnAndOpenConnectionsRemain) {
    open({.tls = own()});
    Peer before{*this};
    ASSERT_TRUE(before.handshake());
    const auto other = load_tls({directory() / "other.pem", directory() / "other.key"});
    ASSERT_TRUE(other);
    server->show(*other);
    Peer after{*this};
    ASSERT_TRUE(after.handshake());
    EXPECT_NE(after.certificate(), before.certificate());
    EXPECT_EQ(before.ask(delivery).status, 200U);
    EXPECT_EQ(after.ask(delivery).status, 200U);
}

TEST_F(ListenerTest, Tls12IsTheMinimum) {
    open({.tls = own()});
    EXPECT_TRUE(Peer{*this}.handshake(TLS1_2_VERSION));
    EXPECT_FALSE(Peer{*this}.handshake(TLS1_1_VERSION));
}

TEST_F(ListenerTest, ARefusalReachesThePeerOverTlsToo) {
    open({.tls = own()});
    Peer peer{*this};
    ASSERT_TRUE(peer.handshake());
    peer.send(post("Content-Length: 1100000\r\n", std::string(30'000, 'x')));
    EXPECT_EQ(peer.answer().status, 413U);
    EXPECT_TRUE(peer.closed());
    EXPECT_TRUE(until([&] { return server->connections() == 0; }));
}

TEST_F(ListenerTest, PlainHttpOnATlsPortGetsNoAnswer) {
    open({.tls = own()});
    Peer peer{*this};
    EXPECT_EQ(peer.ask(delivery).status, 0U);
    EXPECT_THAT(inbound.messages, IsEmpty());
}

TEST_F(ListenerTest, I13_AnUnfinishedHandshakeEnds) {
    ServerOptions options{.tls = own()};
    options.bounds.head = 50ms;
    open(options);
    Peer peer{*this};
    peer.send("\x16\x03\x01");
    EXPECT_TRUE(peer.closed());
    EXPECT_TRUE(until([&] { return server->connections() == 0; }));
}

TEST_F(ListenerTest, DrainEndsATlsConnectionToo) {
    open({.tls = own()});
    Peer idle{*this};
    ASSERT_TRUE(idle.handshake());
    EXPECT_EQ(idle.ask(delivery).status, 200U);
    Peer shaking{*this};
    shaking.send("\x16\x03\x01");
    ASSERT_TRUE(until([&] { return server->connections() == 2; }));
    begin_drain();
    EXPECT_TRUE(until([&] { return ran && drained; }));
}

TEST_F(ListenerTest, AKeyThatOthersCanReadIsRefused) {
    for (const auto mode : {fs::perms::group_read, fs::perms::others_read}) {
        const auto key = write("open.key", text_of(own().key), fs::perms::owner_read | mode);
        EXPECT_THAT(refused(TlsFiles{own().certificate, key}), HasSubstr("chmod 600"));
    }
    const auto key = write("closed.key", text_of(own().key));
    EXPECT_EQ(refused(TlsFiles{own().certificate, key}), "");
}

TEST_F(ListenerTest, ALinkToTheCurrentFilesIsFollowed) {
    const auto link = directory() / "live.key";
    fs::create_symlink("own.key", link);
    EXPECT_EQ(refused(TlsFiles{own().certificate, link}), "");
    const auto key = write("open.key", text_of(own().key), fs::perms::owner_read | fs::perms::group_read);
    const auto bad = directory() / "bad.key";
    fs::create_symlink(key, bad);
    EXPECT_THAT(refused(TlsFiles{own().certificate, bad}), HasSubstr("chmod 600"));
}

TEST_F(ListenerTest, FilesThatAreNotAPairAreRefusedWithAHint) {
    const auto text = write("text.pem", "this is not a certificate, and it is long enough\n");
    EXPECT_THAT(refused(TlsFiles{directory() / "none.pem", own().key}), HasSubstr("name the PEM file"));
    EXPECT_THAT(refused(TlsFiles{directory(), own().key}), HasSubstr("name the PEM file"));
    EXPECT_THAT(refused(TlsFiles{write("empty.pem", ""), own().key}), HasSubstr("name the PEM file"));
    EXPECT_THAT(refused(TlsFiles{text, own().key}), HasSubstr("export it as PEM"));
    EXPECT_THAT(refused(TlsFiles{own().certificate, directory() / "none.key"}), HasSubstr("does not exist"));
    EXPECT_THAT(refused(TlsFiles{own().certificate, text}), HasSubstr("made together"));
    EXPECT_THAT(refused(TlsFiles{own().certificate, directory() / "other.key"}), HasSubstr("made together"));
}

TEST_F(ListenerTest, AnEncryptedKeyIsRefusedWithoutAskingForItsPassphrase) {
    const auto key = directory() / "encrypted.key";
    const auto command =
        "openssl ec -aes256 -passout pass:abcd -in " + own().key.string() + " -out " + key.string() + " 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
    fs::permissions(key, fs::perms::owner_read);
    EXPECT_THAT(refused(TlsFiles{own().certificate, key}), HasSubstr("without a passphrase"));
}

TEST_F(ListenerTest, ACertificateThatIsNotValidTodayIsRefused) {
    const auto dated = [&](long from, long until_then) {
        std::unique_ptr<FILE, decltype(&std::fclose)> in{std::fopen(own().certificate.c_str(), "r"), std::fclose};
        std::unique_ptr<FILE, decltype(&std::fclose)> key_in{std::fopen(own().key.c_str(), "r"), std::fclose};
        std::unique_ptr<X509, decltype(&X509_free)> made{PEM_read_X509(in.get(), nullptr, nullptr, nullptr), X509_free};
        std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{
            PEM_read_PrivateKey(key_in.get(), nullptr, nullptr, nullptr), EVP_PKEY_free};
        X509_gmtime_adj(X509_getm_notBefore(made.get()), from);
        X509_gmtime_adj(X509_getm_notAfter(made.get()), until_then);
        X509_sign(made.get(), key.get(), EVP_sha256());
        const auto path = directory() / "dated.pem";
        std::unique_ptr<FILE, decltype(&std::fclose)> out{std::fopen(path.c_str(), "w"), std::fclose};
        PEM_write_X509(out.get(), made.get());
        return path;
    };
    EXPECT_EQ(refused(TlsFiles{dated(-3600, 3600), own().key}), "");
    EXPECT_THAT(refused(TlsFiles{dated(-7200, -3600), own().key}), HasSubstr("renew"));
    EXPECT_THAT(refused(TlsFiles{dated(3600, 7200), own().key}), HasSubstr("clock"));
}

TEST_F(ListenerTest, I13_ACertificateFileIsBounded) {
    auto text = text_of(own().certificate);
    text += std::string(limits::gateway_certificate_bytes_max - text.size(), '\n');
    EXPECT_EQ(refused(TlsFiles{write("long.pem", text), own().key}), "");
    EXPECT_THAT(refused(TlsFiles{write("long.pem", text + '\n'), own().key}), HasSubstr("more than"));
}

TEST_F(ListenerTest, NoMessageContainsTheKey) {
    const auto key = text_of(own().key).substr(40, 30);
    const auto shown = refused(TlsFiles{directory() / "other.pem", own().key});
    EXPECT_THAT(shown, AllOf(Not(IsEmpty()), Not(HasSubstr(key))));
}

}  // namespace
}  // namespace countersign::gateway
