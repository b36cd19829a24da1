import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeCertificateTests {
    private let home = TestHome()

    @Test func `two devices show each other that they hold the same`() async throws {
        let nodes = try await group("laptop", "phone", in: home)
        let before = try await nodes[1].certificate()
        try await nodes[0].set("medication", "a", ["name": "A"], durability: .relaxed)
        try await nodes[0].sync()
        let laptop: ConvergenceCertificate = try await nodes[0].certificate()
        let phone = try await nodes[1].certificate()
        #expect(laptop.agrees(with: phone) && !laptop.agrees(with: before))
        #expect(try await laptop.visibleDigest == nodes[0].digest())
        let read = try await nodes[1].certificate(reading: laptop.bytes)
        #expect(read.device.id == nodes[0].id && read.agrees(with: phone))
        #expect(read.signedMilliseconds == laptop.signedMilliseconds)
        await stop(nodes)
        // Offline, long after, by whoever knows the members.
        let reopened = try await Node.open(at: home("laptop"))
        #expect(try await reopened.certificate(reading: phone.bytes).agrees(with: laptop))
        await reopened.stop()
    }

    @Test func `a certificate is of one moment, also when records change while it is made`()
        async throws
    {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        for part in 0..<4 {
            var transaction = Transaction()
            for number in 0..<1_000 {
                transaction.set("medication", "m\(part)-\(number)", ["name": "N"])
            }
            try await node.commit(transaction)
        }
        let before = try await node.certificate()
        async let made = node.certificate()
        // The node does other things between the steps of the reading.
        try await node.set("medication", "m0-0", ["name": "changed"])
        let certificate = try await made
        let after = try await node.certificate()
        let (isOld, isNew) = (certificate.agrees(with: before), certificate.agrees(with: after))
        #expect(isOld != isNew, "it is that of one of both moments")
        #expect(try await after.visibleDigest == node.digest())
        await node.stop()
    }

    @Test func `connected devices sign for each other, and keep it`() async throws {
        let nodes = try await group("laptop", "phone", in: home)
        try await nodes[0].set("medication", "a", ["name": "A"], durability: .relaxed)
        let agreements = try await nodes[0].exchangeCertificates()
        #expect(agreements.count == 1 && agreements[0].holds)
        #expect(agreements[0].own.device.id == nodes[0].id)
        #expect(agreements[0].theirs.device.name == "phone")
        let seen = try await nodes[1].agreements()
        #expect(seen.map(\.own) == agreements.map(\.theirs))
        await stop(nodes)
        let reopened = try await Node.open(at: home("laptop"))
        #expect(try await reopened.agreements() == agreements)
        let phone = try await reopened.status().devices.first { !$0.isSelf }
        #expect(phone?.agreedMilliseconds == agreements[0].theirs.signedMilliseconds)
        await #expect(throws: LinnetError.notStarted) {
            try await reopened.exchangeCertificates()
        }
        await reopened.stop()
    }

    @Test func `a certificate that was altered or is of strangers proves nothing`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let stranger = try await Node.create(at: home("other"), name: "Other", kind: .other)
        let bytes = try await node.certificate().bytes
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            await #expect(throws: LinnetError.badCertificate) {
                try await node.certificate(reading: altered)
            }
        }
        await #expect(throws: LinnetError.badCertificate) {
            try await node.certificate(reading: Array(bytes.dropLast()))
        }
        await #expect(throws: LinnetError.badCertificate) {
            try await node.certificate(reading: stranger.certificate().bytes)
        }
        let outside = try await Node.createToJoin(at: home("new"), name: "New", kind: .other)
        await #expect(throws: LinnetError.notAMember) { try await outside.certificate() }
        for node in [node, stranger, outside] { await node.stop() }
    }
}
