import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetSystem

/// The addresses of stores over HTTP, and the accounts with them.
struct StoreAddressTests {
    private func account(
        _ user: String = "ada", _ password: String? = "p", region: String = "us-east-1",
        authority: String = ""
    ) -> MailboxAccess {
        MailboxAccess(
            user: user,
            password: password.map { SharedSecret(SecretBytes(copying: Array($0.utf8))) },
            region: region, authority: Array(authority.utf8))
    }

    @Test func `StoreAddress names hosts and paths as requests have them`() throws {
        let dav = try StoreAddress("dav+https://Cloud.example:8443/remote.php/dav/a%20b/me@x/")
        #expect(dav.kind == .dav && !dav.isPlain && dav.host == "Cloud.example:8443")
        #expect(dav.path == ["remote.php", "dav", "a%20b", "me@x"])
        #expect(
            dav.url(["h"], isCollection: true)
                == "https://Cloud.example:8443/remote.php/dav/a%20b/me@x/h/")
        let root = try StoreAddress("dav+https://host:443")
        #expect(root.host == "host" && root.path.isEmpty)
        #expect(root.url([], isCollection: true) == "https://host/")
        #expect(root.url(["h", "x"]) == "https://host/h/x")
        let s3 = try StoreAddress("s3+http://[::1]:9000/bucket/a/b")
        #expect(s3.kind == .s3 && s3.isPlain && s3.host == "[::1]:9000")
        #expect(s3.path == ["bucket", "a", "b"])
        let relay = try StoreAddress("relay+https://host:8443/front")
        #expect(
            relay.kind == .relay && relay.url(["v1", "h", ""]) == "https://host:8443/front/v1/h/")
        #expect(try StoreAddress("relay+http://[::1]:9").url(["v1"]) == "http://[::1]:9/v1")
        #expect(try StoreAddress("relay:host:9").url(["v1"]) == "https://host:9/v1")
        #expect(try StoreAddress("relay:127.0.0.1:9").url(["v1"]) == "http://127.0.0.1:9/v1")
        #expect(MailboxAddress.tellsNews("relay+https://host:9") && !MailboxAddress.tellsNews("x"))
        #expect(MailboxAddress.tellsNews("relay:host:9") && MailboxAddress.isRemote("relay:host"))
        for local in ["localhost", "127.0.0.1:80", "127.255.0.9"] {
            #expect(try StoreAddress("dav+http://\(local)/").isPlain)
        }
    }

    @Test(arguments: [
        "dav+https://", "dav+https:///a", "dav+https://host:0/", "dav+https://host:65536/",
        "dav+https://host:/", "dav+https://host:+1/", "dav+https://ho st/", "dav+https://host//a",
        "dav+https://host/../a", "dav+https://host/a/./b", "dav+https://host/a%2", "s3+https://h/",
        "dav+https://host/a\nb", "s3+https://h/b%20c", "s3+https://h", "dav+https://[::1",
        "dav+https://[::1]x/", "ftp://host/a", "https://host/a", "dav+https://höst/", "dav://h/",
        "dav+https://-h/",
        "relay:", "relay://h", "dav+https://h/" + String(repeating: "a", count: 1_024),
    ]) func `what is no address is refused`(text: String) {
        #expect(throws: MailboxError.badAddress(text)) { _ = try StoreAddress(text) }
        #expect(throws: MailboxError.badAddress(text)) { _ = try MailboxAddress.open(text) }
    }

    @Test(arguments: ["dav+http://host/", "s3+http://127.0.0.1.example/b", "dav+http://128.0.0.1"])
    func `an address without TLS is for this machine alone`(text: String) {
        #expect(throws: MailboxError.plainAddress) { _ = try StoreAddress(text) }
    }

    @Test(arguments: [
        "dav+https://ada:secret@host/", "https://ada:secret@host/", "s3+https://key@host/b",
        "dav+https://host/a?token=secret", "s3+https://host/b#secret", "ada:secret@host",
    ]) func `an address that may hold a password is refused and not repeated`(text: String) {
        #expect(throws: MailboxError.secretInAddress) { _ = try MailboxAddress.open(text) }
        #expect(!MailboxError.secretInAddress.description.contains("secret@"))
    }

    @Test func `MailboxAddress opens stores with the accounts that they need`() throws {
        _ = try MailboxAddress.open("dav+https://host/a")
        _ = try MailboxAddress.open("dav+https://host/a", account())
        _ = try MailboxAddress.open("s3+https://host/b", account("test:tester"))
        let pem = "-----BEGIN CERTIFICATE-----\n"
        _ = try MailboxAddress.open("dav+https://host", account("", nil, authority: pem))
        let wrong: [(String, MailboxAccess?)] = [
            ("s3+https://host/b", nil), ("s3+https://host/b", account("", nil)),
            ("s3+https://host/b", account("a/b")), ("dav+https://host", account("a:b")),
            ("dav+https://host", account("a b")), ("dav+https://host", account("a\r\nb")),
            ("dav+https://host", account("ada", nil)), ("dav+https://host", account("", "p")),
            ("dav+https://host", account(String(repeating: "a", count: 257))),
            ("s3+https://host/b", account(region: "")),
            ("s3+https://host/b", account(region: "a\nb")),
            ("dav+https://host", account(authority: "no certificate")),
            (
                "dav+https://host",
                account(authority: pem + String(repeating: "a", count: 65_536))
            ),
            ("folder:/tmp", account()),
        ]
        for (address, access) in wrong {
            let error = #expect(throws: MailboxError.self) {
                _ = try MailboxAddress.open(address, access)
            }
            guard case .badAccount = error else {
                Issue.record("\(address): \(String(describing: error))")
                continue
            }
        }
        #expect(MailboxAddress.isRemote("s3+https://host/b"))
        #expect(!MailboxAddress.isRemote("folder:/a"))
    }

    @Test func `MailboxAccess comes back as it was kept`() throws {
        for access in [account(region: "eu-1", authority: "pem"), account("", nil)] {
            var writer = CBORWriter()
            access.write(to: &writer)
            var reader = CBORReader(writer.bytes)
            let again = try MailboxAccess.read(from: &reader)
            try reader.finish()
            #expect(again.user == access.user && again.region == access.region)
            #expect(again.authority == access.authority)
            #expect(again.password?.bytes.exposed() == access.password?.bytes.exposed())
            for count in 0..<writer.bytes.count {
                #expect(throws: WireError.self) {
                    var reader = CBORReader(Array(writer.bytes.prefix(count)))
                    _ = try MailboxAccess.read(from: &reader)
                }
            }
        }
    }
}
