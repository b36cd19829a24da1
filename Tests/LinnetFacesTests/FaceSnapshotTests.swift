import LinnetCrypto
import LinnetFaces
import LinnetMedication
import LinnetWire
import Testing

struct FaceSnapshotTests {
    private var key: SigningKey { SigningKey(seed: SecretBytes(copying: Array(0..<32))) }
    private let snapshot = FaceCase.snapshot(
        FaceCase.usualDoses + [
            FaceCase.dose("Ibuprofen", 15, .snoozed(until: FaceCase.at(hour: 16)))
        ],
        alerts: [FaceAlert(kind: "newer", subject: "Ramipril", detail: "4 days left")])

    private func error(
        _ bytes: [UInt8], key other: [UInt8]? = nil, at now: Instant = FaceCase.noon
    ) -> FacesError? {
        if case .refused(let error) = SnapshotReading(
            bytes, publicKey: other ?? key.publicKey, at: now)
        {
            error
        } else {
            nil
        }
    }

    @Test func `what is sealed is read with the public key alone`() throws {
        let bytes = try snapshot.sealed(by: key)
        #expect(
            SnapshotReading(bytes, publicKey: key.publicKey, at: FaceCase.noon)
                == .read(snapshot))
        #expect(try snapshot.sealed(by: key) == bytes)
    }

    @Test func `every changed bit is noticed`() throws {
        let bytes = try snapshot.sealed(by: key)
        for place in stride(from: 0, to: bytes.count, by: 1) {
            var changed = bytes
            changed[place] ^= 1 << UInt8(place % 8)
            #expect(error(changed) != nil, "byte \(place)")
        }
    }

    @Test func `every part of a snapshot is refused`() throws {
        let bytes = try snapshot.sealed(by: key)
        for count in bytes.indices { #expect(error(Array(bytes[..<count])) == .malformed) }
        #expect(error(bytes + [0]) == .malformed)
    }

    @Test func `another device's snapshot is refused, and so is a false name`() throws {
        let bytes = try snapshot.sealed(by: key)
        let other = SigningKey(seed: SecretBytes(copying: Array(1..<33)))
        #expect(error(bytes, key: other.publicKey) == .wrongSigner)
        #expect(error(try snapshot.sealed(by: other)) == .wrongSigner)
        var forged = CBORReader(bytes)
        try forged.array(exactly: 5)
        _ = try forged.text()
        _ = try forged.unsigned()
        _ = try forged.bytes()
        let rest = Array(bytes[forged.offset...])
        var writer = CBORWriter()
        writer.array(5)
        writer.text("linnet-faces")
        writer.unsigned(FaceSnapshot.version)
        writer.bytes(other.publicKey)
        #expect(error(writer.bytes + rest, key: other.publicKey) == .badSignature)
    }

    @Test func `a newer version is told from damage`() throws {
        var writer = CBORWriter()
        writer.array(2)
        writer.text("linnet-faces")
        writer.unsigned(FaceSnapshot.version + 1)
        #expect(error(writer.bytes) == .unknownVersion(FaceSnapshot.version + 1))
    }

    @Test func `a snapshot is believed from when it was made until it expires`() throws {
        let bytes = try snapshot.sealed(by: key)
        let expires = snapshot.expires
        #expect(error(bytes, at: expires.advanced(byMilliseconds: -1)) == nil)
        #expect(error(bytes, at: expires) == .expired)
        #expect(error(bytes, at: FaceCase.noon.advanced(byMilliseconds: -60_000)) == nil)
        #expect(error(bytes, at: FaceCase.noon.advanced(byMilliseconds: -60_001)) == .fromTheFuture)
        #expect(error(bytes, at: Instant(milliseconds: .min)) == .fromTheFuture)
        #expect(error(bytes, at: Instant(milliseconds: .max)) == .expired)
        #expect(
            SnapshotReading(nil, publicKey: key.publicKey, at: FaceCase.noon) == .refused(.missing))
    }

    /// Signed by the right key, and still nonsense: the reader is the last one who can notice.
    @Test func `nonsense that the right device signed is refused and traps nobody`() throws {
        var state: UInt64 = 1
        let good = try snapshot.sealed(by: key)
        var reader = CBORReader(good)
        try reader.array(exactly: 5)
        _ = try reader.text()
        _ = try reader.unsigned()
        _ = try reader.bytes()
        let body = try reader.bytes()
        var read = 0
        for _ in 0..<800 {
            var changed = body
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                changed[Int(state >> 33) % body.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            var writer = CBORWriter()
            writer.array(5)
            writer.text("linnet-faces")
            writer.unsigned(FaceSnapshot.version)
            writer.bytes(key.publicKey)
            writer.bytes(changed)
            writer.bytes(key.sign(.snapshot, key.publicKey + changed))
            let now = FaceCase.noon
            let reading = SnapshotReading(writer.bytes, publicKey: key.publicKey, at: now)
            if case .read = reading { read += 1 }
            for face in FaceCase.faces {
                let content = FaceSource(face.kind, reading).entry(at: now).content
                _ = TextFace(content, face.family, at: now).lines
            }
            _ = NextDoseProvider(reading).timeline(in: TimelineContext(family: .small), at: now)
        }
        // Changed texts are well-formed snapshots; the rest is refused.
        #expect(read > 0 && read < 800)
    }

    @Test func `facts that no reader takes are not sealed`() throws {
        var large = snapshot
        large.facts.doses = Array(repeating: FaceCase.dose("Metformin", 14), count: 5_000)
        #expect(throws: FacesError.tooLarge) { try large.sealed(by: key) }
        var long = snapshot
        long.frontier = String(repeating: "a", count: 2_000)
        #expect(throws: FacesError.tooLarge) { try long.sealed(by: key) }
    }
}
