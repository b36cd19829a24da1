import LinnetReplication

/// A text of sixteen letters that people write into values and names, and that nobody may ever find
/// outside a replica's memory.
enum Canary {
    static let text = "qzqzqzqzqzqzqzqz"
    private static let words: [UInt64] = [0x717a_717a_717a_717a, 0x7a71_7a71_7a71_7a71]

    /// Whether the text stands anywhere in some bytes: wherever it begins, it holds a whole aligned
    /// word.
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

/// I11: nothing that people write or name crosses the network, reaches a disk or stands in what a
/// program would log. Identifiers of records may stand in the rows.
extension World {
    func checkWire(_ bytes: [UInt8], from device: Int) throws(Violation) {
        guard Canary.isIn(bytes) else { return }
        throw Violation(.noPlaintext, "plaintext crosses the network", devices: [device])
    }

    func checkDisk(_ device: SimulatedDevice) throws(Violation) {
        guard case .sqlite(let image) = device.backend.image() else { return }
        for file in image.files where Canary.isIn(file.bytes) {
            throw Violation(
                .noPlaintext, "plaintext stands in the file \(file.name)", devices: [device.index])
        }
    }

    func checkLogged(_ event: Event, _ device: Int) throws(Violation) {
        guard Canary.isIn(Array("\(event)".utf8)) else { return }
        throw Violation(.noPlaintext, "plaintext stands in a warning", devices: [device])
    }
}
