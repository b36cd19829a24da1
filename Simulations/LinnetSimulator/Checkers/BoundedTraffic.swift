import LinnetWire

/// A session costs a fixed sum, a listing of the chains, and little more than what it brings.
final class BoundedTraffic: Checker {
    let invariant = Invariant.boundedTraffic
    let sights: [Sight.Kind] = [.parted]
    private let known: Knowledge

    /// The bytes that one session may cost apart from batches: handshake, greetings, listings.
    private static let sessionBytes = 4_096
    private static let bytesPerChain = 160
    /// Heads, certificates and proofs that one holds the same, for each device.
    private static let bytesPerDevice = 400
    private static let messagesPerSession = 64
    /// The bytes that a chunk of a file may cost in each direction that is not whole in the end.
    private static let bytesPerChunk = 940_000
    /// The most files that are asked for in vain, every two seconds.
    private static let filesAsked = 8

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .parted(let meeting, _) = sight, meeting.weather.isCalm, meeting.opened > 0,
            !meeting.wasDisturbed, !known.hasBases
        else { return }
        let traffic = meeting.traffic
        let chains = max(
            known.views[meeting.left].rows.count, known.views[meeting.right].rows.count)
        let fixed =
            (Self.sessionBytes + chains * Self.bytesPerChain
                + known.views.count * Self.bytesPerDevice) * meeting.opened
        let pings = Int(meeting.lasting / Limits.pingMilliseconds + 1)
        // News that others bring meanwhile are listed, asked for and acknowledged like the rest,
        // and so is a chain that turns out to have divided.
        let twice = traffic.racingBytes + traffic.forkedBytes
        let news =
            (traffic.newBytes + twice) * 3 / 2 + 512 * traffic.newBatches + traffic.newMemberBytes
        let bound = fixed + news + 256 * pings
        let files = known.hasFiles ? Self.ofFiles(meeting) : (bytes: 0, messages: 0)
        if traffic.bytes > bound + files.bytes {
            throw violation(
                "\(traffic.bytes) bytes crossed for \(traffic.newBytes) new ones, over \(bound)"
                    + ", \(traffic.racingBytes) of them for what others brought meanwhile",
                on: meeting.left, meeting.right)
        }
        let messages =
            (Self.messagesPerSession + chains) * meeting.opened + 8 * traffic.newBatches
            + 4 * pings + files.messages
        if traffic.messages > messages {
            throw violation(
                "\(traffic.messages) messages crossed for \(traffic.newBatches) new batches",
                on: meeting.left, meeting.right)
        }
    }

    /// The bytes that the files of a meeting may cost.
    private static func ofFiles(_ meeting: Encounter) -> (bytes: Int, messages: Int) {
        let asked = 2 * filesAsked * Int(meeting.lasting / 2_000 + 1)
        let bytes = meeting.traffic.newFileBytes * 11 / 10 + 2 * bytesPerChunk * meeting.opened
        return (bytes + 128 * asked, 3 * bytes / 16_384 + 2 * asked)
    }
}
