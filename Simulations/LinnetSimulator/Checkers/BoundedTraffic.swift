import LinnetWire

/// I14: a session costs a fixed sum, a listing of the chains, and little more than what it brings.
extension Inspector {
    /// What one session may cost apart from batches: handshake, greetings, listings.
    static let sessionBytes = 4_096
    static let bytesPerChain = 160
    /// Records of members, for who has not heard of the newest yet.
    static let bytesPerDevice = 400
    static let messagesPerSession = 64

    func checkTraffic(of meeting: Meeting) throws(Violation) {
        guard meeting.weather.isCalm, meeting.opened > 0, !meeting.wasDisturbed else { return }
        let chains = max(views[meeting.left].rows.count, views[meeting.right].rows.count)
        let fixed =
            (Self.sessionBytes + chains * Self.bytesPerChain + views.count * Self.bytesPerDevice)
            * meeting.opened
        let pings = Int(meeting.lasting / Limits.pingMilliseconds + 1)
        let bound = fixed + 3 * meeting.newBytes + 512 * meeting.newBatches + 256 * pings
        if meeting.bytes > bound {
            throw Violation(
                .boundedTraffic,
                "\(meeting.bytes) bytes crossed for \(meeting.newBytes) new ones, over \(bound)",
                devices: [meeting.left, meeting.right])
        }
        let messages =
            (Self.messagesPerSession + chains) * meeting.opened + 8 * meeting.newBatches + 4 * pings
        if meeting.messages > messages {
            throw Violation(
                .boundedTraffic,
                "\(meeting.messages) messages crossed for \(meeting.newBatches) new batches",
                devices: [meeting.left, meeting.right])
        }
    }
}
