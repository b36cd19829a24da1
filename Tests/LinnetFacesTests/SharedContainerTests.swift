import LinnetCrypto
import LinnetFaces
import LinnetMedication
import Testing

/// A container in memory stands for the directory that an app and its widgets share.
struct SharedContainerTests {
    private let snapshot = FaceCase.snapshot([FaceCase.dose("A", 20)])

    private func key(_ byte: UInt8) -> SigningKey {
        SigningKey(seed: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    @Test func `a widget reads what the app left`() throws {
        var container = MemoryContainer()
        #expect(container.reading(at: FaceCase.noon) == .refused(.missing))
        let sealed = try SealedSnapshot(snapshot, by: key(1))
        container.publish(sealed, isInForeground: true)
        #expect(container.reading(at: FaceCase.noon) == .read(snapshot))
        #expect(container.reading(trusting: sealed.publicKey, at: FaceCase.noon) == .read(snapshot))
        #expect(container.bytes(of: .foreground) == [])
        container.publish(sealed)
        #expect(container.bytes(of: .foreground) == nil)
    }

    @Test func `a widget that trusts one key believes no other`() throws {
        var container = MemoryContainer()
        try container.publish(snapshot)
        #expect(container.reading(at: FaceCase.noon) == .read(snapshot))
        let other = key(1).publicKey
        #expect(
            container.reading(trusting: other, at: FaceCase.noon) == .refused(.wrongSigner))
        container.replace(.key, with: Array("no key\n".utf8))
        #expect(container.reading(at: FaceCase.noon) == .refused(.wrongSigner))
        container.replace(.key, with: nil)
        #expect(container.reading(at: FaceCase.noon) == .refused(.missing))
    }

    @Test func `the key is written before the snapshot that it signs`() throws {
        struct Recorder: SharedContainer {
            typealias Failure = Never
            var written: [SharedFile] = []
            var memory = MemoryContainer()
            func bytes(of file: SharedFile) -> [UInt8]? { memory.bytes(of: file) }
            mutating func replace(_ file: SharedFile, with bytes: [UInt8]?) {
                if bytes != nil { written.append(file) }
                memory.replace(file, with: bytes)
            }
        }
        var container = Recorder()
        container.publish(try SealedSnapshot(snapshot, by: key(1)))
        container.publish(try SealedSnapshot(snapshot, by: key(1)))
        container.publish(try SealedSnapshot(snapshot, by: key(2)))
        #expect(container.written == [.key, .snapshot, .snapshot, .key, .snapshot])
    }

    @Test func `a container that cannot be read has no snapshot`() {
        struct Broken: SharedContainer {
            struct Closed: Error {}
            typealias Failure = Closed
            func bytes(of file: SharedFile) throws(Closed) -> [UInt8]? { throw Closed() }
            mutating func replace(_ file: SharedFile, with bytes: [UInt8]?) throws(Closed) {
                throw Closed()
            }
        }
        #expect(Broken().reading(at: FaceCase.noon) == .refused(.missing))
        var broken = Broken()
        #expect(throws: Broken.Closed.self) {
            try broken.publish(try SealedSnapshot(snapshot, by: key(1)))
        }
    }
}
