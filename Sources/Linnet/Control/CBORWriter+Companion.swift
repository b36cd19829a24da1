import LinnetWire

// The state of the directory that phone and watch share, as bytes.
extension CBORWriter {
    mutating func companionLink(_ link: CompanionLinkStatus) {
        array(5)
        text(link.side)
        bool(link.isPresent)
        bool(link.isReachable)
        direction(link.traffic.sent)
        direction(link.traffic.received)
    }

    private mutating func direction(_ direction: CompanionTraffic.Direction) {
        array(3)
        unsigned(direction.frames)
        unsigned(direction.bytes)
        unsigned(direction.wakes)
    }
}

extension CBORReader {
    mutating func companionLink() throws(WireError) -> CompanionLinkStatus {
        try array(exactly: 5)
        let side = try text(max: .max)
        let isPresent = try bool()
        let isReachable = try bool()
        let traffic = CompanionTraffic(sent: try direction(), received: try direction())
        return CompanionLinkStatus(
            side: side, isPresent: isPresent, isReachable: isReachable, traffic: traffic)
    }

    private mutating func direction() throws(WireError) -> CompanionTraffic.Direction {
        try array(exactly: 3)
        return CompanionTraffic.Direction(
            frames: try unsigned(), bytes: try unsigned(), wakes: try unsigned())
    }
}
