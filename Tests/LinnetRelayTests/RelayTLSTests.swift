import Foundation
import LinnetSystem
import Testing

@testable import LinnetRelay

/// TLS between a real relay and libcurl.
@Suite(.timeLimit(.minutes(3)))
struct RelayTLSTests {
    /// A certificate for 127.0.0.1 that vouches for itself, and its key, which guard nothing.
    private static let identity = RelayIdentity(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBbDCCARKgAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFsaW5uZXQg
            cmVsYXkgdGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMDk5MTIzMTIzNTk1OVowHDEa
            MBgGA1UEAwwRbGlubmV0IHJlbGF5IHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMB
            BwNCAAQWY16ld45/GmqzMQPcIJo2trX7p0zKQGEyTxU1Tc6Gb70mpo4p8ZZoOZ4E
            FX1t7nFtA/XnNF2+oXys18vY6h/oo0MwQTAPBgNVHREECDAGhwR/AAABMA8GA1Ud
            EwEB/wQFMAMBAf8wHQYDVR0OBBYEFIb3lLentAMhZY64/ZQ4UuBTlr7WMAoGCCqG
            SM49BAMCA0gAMEUCIQD27atZl1Vi+zQx0PCx0Ows90EtYk18+wRy2k8TRYifXgIg
            RP3PIJTipl4kFYa7t0vmVUxEHSENWZ4QvkAj93jNt5Y=
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggDsENmiwZr0rgUA+
            rxLpoEkvIYjq9BeEZchErEa+FMShRANCAAQWY16ld45/GmqzMQPcIJo2trX7p0zK
            QGEyTxU1Tc6Gb70mpo4p8ZZoOZ4EFX1t7nFtA/XnNF2+oXys18vY6h/o
            -----END PRIVATE KEY-----
            """)

    private let fixture = RelayFixture()

    private func access(_ password: String, authority: String) -> MailboxAccess {
        let plain = RelayFixture.access("phone", password)
        return MailboxAccess(
            user: plain.user, password: plain.password, region: plain.region,
            authority: Array(authority.utf8))
    }

    @Test func `a relay with a certificate is asked over TLS, and by those who trust it`()
        async throws
    {
        let password = try fixture.add("phone")
        defer { fixture.remove() }
        let identity = Self.identity
        let relay = try await Relay.serve(fixture.path, at: "127.0.0.1:0", identity: identity)
        let address = "relay+https://\(relay.address)"
        let store = try MailboxAddress.open(
            address, access(password, authority: identity.certificate))
        let stranger = try MailboxAddress.open(address, access(password, authority: ""))
        let plain = try RelayFixture.store(relay, "phone", password)
        let name = RelayFixture.name(1)
        let bytes = [UInt8](repeating: 9, count: 2 << 20)
        let found = try await outcome { () throws(MailboxError) in
            try store.put(bytes, name)
            return try store.get(name, upTo: 4 << 20)
        }.get()
        #expect(found == bytes)
        let news = try #require(store.newsTeller)
        let number = try await outcome { () throws(MailboxError) in
            try news.news(since: nil, until: StopFlag())
        }.get()
        #expect(number == 1)
        guard
            case .failure(.insecure) = await outcome({ () throws(MailboxError) in
                try stranger.list("h", upTo: 1)
            })
        else {
            Issue.record("a certificate that nobody vouches for is taken")
            return await relay.close()
        }
        let clear = await outcome { () throws(MailboxError) in try plain.list("h", upTo: 1) }
        #expect(throws: MailboxError.self) { _ = try clear.get() }
        await relay.close()
    }

    /// Makes a certificate of 127.0.0.1 with openssl.
    private func certificate(_ number: Int) throws -> RelayIdentity {
        let paths = ["certificate", "key"].map { "\(fixture.path)/\(number)-\($0).pem" }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=linnet relay", "-addext",
            "subjectAltName=IP:127.0.0.1", "-set_serial", "\(number)", "-out", paths[0],
            "-keyout", paths[1],
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
        return RelayIdentity(certificate: texts[0], key: texts[1])
    }

    private func store(
        _ relay: Relay, _ password: String, trusting identity: RelayIdentity
    ) throws -> any Mailbox {
        try MailboxAddress.open(
            "relay+https://\(relay.address)",
            access(password, authority: identity.certificate))
    }

    @Test func `a renewed certificate is shown to new connections, and what goes on ends well`()
        async throws
    {
        let password = try fixture.add("phone")
        let other = try fixture.add("laptop")
        defer { fixture.remove() }
        let (first, second) = (try certificate(1), try certificate(2))
        let relay = try await Relay.serve(fixture.path, at: "127.0.0.1:0", identity: first)
        let before = try store(relay, password, trusting: first)
        let after = try store(relay, password, trusting: second)
        let listed = await outcome { () throws(MailboxError) in try before.list("h", upTo: 9) }
        #expect(try listed.get().isEmpty)
        let news = try #require(try store(relay, password, trusting: first).newsTeller)
        async let waited = outcome { () throws(MailboxError) in
            try news.news(since: 0, until: StopFlag())
        }
        let mixed = RelayIdentity(certificate: second.certificate, key: first.key)
        await #expect(throws: RelayError.badCertificate) { try await relay.renew(mixed) }
        try await relay.renew(second)
        let put = await outcome { () throws(MailboxError) in
            try after.put([1, 2], RelayFixture.name(1))
        }
        try put.get()
        // The wait was over with the certificate, or heard of what was put over the new one.
        _ = await waited
        let fooled = try store(relay, other, trusting: first)
        let late = await outcome { () throws(MailboxError) in try fooled.list("h", upTo: 9) }
        guard case .failure(.insecure) = late else {
            Issue.record("the certificate that was replaced is still shown")
            return await relay.close()
        }
        await relay.close()
    }

    @Test func `a relay without a certificate takes none`() async throws {
        _ = try fixture.add("phone")
        let identity = Self.identity
        try await fixture.serving { relay in
            _ = await #expect(throws: RelayError.badCertificate) { try await relay.renew(identity) }
        }
    }
}
