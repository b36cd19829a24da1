import Glibc
import Linnet
import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PassphraseChangeTests {
    let directory = TemporaryDirectory()
    let home: Home
    let device: DeviceID

    private static let one = passphrase("first of two")
    private static let two = passphrase("second of two")

    private static func passphrase(_ text: String) -> Passphrase {
        guard let passphrase = Passphrase(text) else { preconditionFailure("a bad passphrase") }
        return passphrase
    }

    init() throws {
        home = try Home.open(at: directory.path)
        var entropy = Entropy(seed: SystemEntropy.seed())
        let keys = DeviceKeys(createdMilliseconds: 5, entropy: &entropy)
        device = keys.device
        try KeyFileStore(home).create(
            try KeyFile.encode(keys, passphrase: nil, entropy: &entropy))
    }

    /// The device that the first copy opens to.
    private func opened(_ passphrase: Passphrase?) throws -> DeviceID {
        let loaded = try KeyFileStore.intact(in: home)
        return try KeyFile.decode(loaded.bytes, passphrase: passphrase?.secret).device
    }

    private func isWhole() -> Bool {
        let isLeftOver = unsafe access("\(directory.path)/key.new", F_OK) == 0
        return directory.read("key") == directory.read("key.bak") && !isLeftOver
    }

    @Test func `a passphrase is set, changed and removed, and the keys stay the same`() throws {
        try PassphraseChange.set(Self.one).perform(in: home)
        #expect(try KeyFileStore.needsPassphrase(home))
        #expect(try opened(Self.one) == device)
        #expect(throws: MembershipError.wrongPassphrase) { try opened(Self.two) }
        #expect(throws: MembershipError.passphraseNeeded) { try opened(nil) }
        try PassphraseChange.change(from: Self.one, to: Self.two).perform(in: home)
        #expect(try opened(Self.two) == device)
        #expect(throws: MembershipError.wrongPassphrase) { try opened(Self.one) }
        try PassphraseChange.remove(Self.two).perform(in: home)
        #expect(try opened(nil) == device)
        #expect(isWhole())
    }

    @Test func `a change that does not fit is refused and touches nothing`() throws {
        let plain = directory.read("key")
        for change in [
            PassphraseChange.change(from: Self.one, to: Self.two), .remove(Self.one),
        ] {
            #expect(throws: LinnetError.noPassphrase) { try change.perform(in: home) }
        }
        #expect(directory.read("key") == plain)
        try PassphraseChange.set(Self.one).perform(in: home)
        let sealed = directory.read("key")
        #expect(throws: LinnetError.passphraseExists) {
            try PassphraseChange.set(Self.two).perform(in: home)
        }
        for change in [
            PassphraseChange.change(from: Self.two, to: Self.one), .remove(Self.two),
        ] {
            #expect(throws: LinnetError.wrongPassphrase) { try change.perform(in: home) }
        }
        #expect(directory.read("key") == sealed && isWhole())
    }

    @Test func `the bytes of the old copies are overwritten, not only unlinked`() throws {
        let plain = directory.read("key")
        let old = ["key", "key.bak"].map { unsafe open("\(directory.path)/\($0)", O_RDONLY) }
        defer { old.forEach { close($0) } }
        try PassphraseChange.set(Self.one).perform(in: home)
        for descriptor in old {
            var left = [UInt8](repeating: 0, count: plain.count)
            #expect(unsafe pread(descriptor, &left, left.count, 0) == plain.count)
            // Four bytes in a row may be equal by chance once in four thousand million.
            #expect(!(0..<plain.count - 4).contains { left[$0..<$0 + 4] == plain[$0..<$0 + 4] })
        }
    }

    @Test func `every state that a crash leaves opens, with one passphrase, and is mended`() throws
    {
        let before = directory.read("key")
        try PassphraseChange.set(Self.one).perform(in: home)
        let after = directory.read("key")
        // (key, key.bak, key.new) in the order in which a change passes through them.
        let states: [([UInt8], [UInt8], [UInt8]?)] = [
            (before, before, []), (before, before, Array(after.prefix(100))),
            (before, before, after), (after, before, nil), (after, before, after),
            (after, after, nil),
        ]
        for (key, copy, new) in states {
            write("key", key)
            write("key.bak", copy)
            if let new { write("key.new", new) }
            let passphrase = key == after ? Self.one : nil
            #expect(try opened(passphrase) == device)
            let files = KeyFileStore(home)
            try files.heal(try KeyFileStore.intact(in: home))
            #expect(isWhole() && directory.read("key") == key)
        }
    }

    @Test func `a damaged first copy is replaced by the second before anything else`() throws {
        try PassphraseChange.set(Self.one).perform(in: home)
        var damaged = directory.read("key")
        damaged[100] ^= 1
        write("key", damaged)
        try PassphraseChange.change(from: Self.one, to: Self.two).perform(in: home)
        #expect(try opened(Self.two) == device)
        #expect(isWhole())
        write("key", damaged)
        write("key.bak", damaged)
        #expect(throws: LinnetError.home(.keyFileDamaged(path: home.path(of: .key)))) {
            try PassphraseChange.remove(Self.two).perform(in: home)
        }
    }

    @Test func `a passphrase must have 1 to 1,024 bytes`() {
        #expect(Passphrase("") == nil)
        #expect(Passphrase(bytes: [UInt8](repeating: 7, count: 1025)) == nil)
        #expect(Passphrase(bytes: [UInt8](repeating: 7, count: 1024)) != nil)
    }

    private func write(_ name: String, _ bytes: [UInt8]) {
        let path = "\(directory.path)/\(name)"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        precondition(descriptor >= 0, "cannot write \(name)")
        unsafe _ = pwrite(descriptor, bytes, bytes.count, 0)
        close(descriptor)
    }
}
