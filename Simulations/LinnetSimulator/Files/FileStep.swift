/// A step that somebody takes with a file of an album.
struct FileStep: Sendable {
    enum Kind: Sendable {
        case attach
        /// The attaching is given up half way.
        case giveUp
        /// The process dies half way.
        case die
        /// The file that shows is asked for.
        case fetch
    }

    var kind: Kind
    var picture: Int
    var content: FileContent

    var sentence: String {
        switch kind {
        case .attach: "attaches \(content.bytes) bytes to picture \(picture)"
        case .giveUp: "begins to attach to picture \(picture), and gives up"
        case .die: "dies while it attaches to picture \(picture)"
        case .fetch: "asks for the file of picture \(picture)"
        }
    }
}

/// The content of a file: one of few, each in versions that differ in their middle.
struct FileContent: Equatable, Sendable {
    var number: UInt64
    var version: UInt8
    var bytes: Int

    private static let lengths = [0, 1, 5_000, 65_537, 200_000, 900_000, 2_000_000]

    init(_ random: inout SeededRandom) {
        number = UInt64(random.below(3))
        version = UInt8(random.below(4))
        bytes = random.pick(Self.lengths)
    }

    /// Words that nobody may read, over and over, with numbers between them.
    var made: [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(bytes + 64)
        let canary = Array(Canary.text.utf8)
        var random = SeededRandom(seed: number + 1)
        while content.count < bytes { content += canary + random.bytes(48) }
        content.removeLast(content.count - bytes)
        if bytes > 0 { content[bytes / 2] ^= version }
        return content
    }
}
