/// Counts what one direction of a link carries: everything, and what follows the handshake.
struct FrameMeter {
    private static let prefaceBytes = 24
    private var prefaceLeft = FrameMeter.prefaceBytes
    private var handshakeFrames: Int
    private var held: [UInt8] = []
    private(set) var bytes = 0
    private(set) var bytesInSession = 0
    private(set) var frames = 0

    /// - Parameter handshakeFrames: the Noise messages that this side sends.
    init(handshakeFrames: Int) {
        self.handshakeFrames = handshakeFrames
    }

    mutating func count(_ sent: [UInt8]) {
        bytes += sent.count
        let preface = min(prefaceLeft, sent.count)
        prefaceLeft -= preface
        held += sent[preface...]
        var start = 0
        while held.count - start >= 2 {
            let whole = 2 + (Int(held[start]) << 8 | Int(held[start + 1]))
            guard held.count - start >= whole else { break }
            start += whole
            frames += 1
            if handshakeFrames > 0 { handshakeFrames -= 1 } else { bytesInSession += whole }
        }
        held.removeFirst(start)
    }
}
