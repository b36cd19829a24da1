/// A text of sixteen letters that people write into values and names, and that nobody may ever find
/// outside a replica's memory.
enum Canary {
    static let text = "qzqzqzqzqzqzqzqz"
    private static let words: [UInt64] = [0x717a_717a_717a_717a, 0x7a71_7a71_7a71_7a71]

    /// True when the text stands anywhere in some bytes: wherever it begins, it holds a whole
    /// aligned word.
    static func isIn(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { raw in
            for index in 0..<raw.count / 8 {
                let word = unsafe raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
                if word == words[0] || word == words[1] { return true }
            }
            return false
        }
    }
}

/// Nothing that people write or name crosses the network, reaches a disk or stands in what a
/// program would log. Identifiers of records may stand in the rows.
final class NoPlaintext: Checker {
    let invariant = Invariant.noPlaintext
    let sights: [Sight.Kind] = [.exposed]

    func observe(_ sight: Sight) throws(Violation) {
        guard case .exposed(let device, let bytes, let place) = sight, Canary.isIn(bytes) else {
            return
        }
        throw violation("plaintext \(place)", on: device)
    }
}
