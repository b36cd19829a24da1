/// The devices to exchange with, and the time for it.
package struct ControlMeeting: ControlStruct, Equatable {
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init(peers:discovers:timeoutMilliseconds:), \.peers, \.discovers,
            \.timeoutMilliseconds)
    }

    /// The addresses at which they listen, "host:port"; whoever is found when there are none.
    package var peers: [String]
    /// True when a node that was not started may use DNS-SD.
    package var discovers: Bool
    /// The time for which it is tried.
    package var timeoutMilliseconds: UInt64

    /// Joins the parts.
    package init(peers: [String], discovers: Bool, timeoutMilliseconds: UInt64) {
        self.peers = peers
        self.discovers = discovers
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}
