import LinnetWire

/// The part of a mailbox beside its post that a home keeps: the account, and how much went over the
/// network.
struct MailPlace: Equatable, Sendable {
    /// The hours of the last day, the one that goes on included.
    private static let hours: UInt64 = 24
    private static let hourMilliseconds: UInt64 = 3_600_000

    /// The account in the form of the shell; empty where there is none.
    var access: [UInt8] = []
    /// The requests and bytes of the last hours, by the hour since 1970.
    private(set) var traffic = OrderedTable<UInt64, MailTraffic>()
    /// Those of the round that goes on.
    private var current = MailTraffic()

    /// Notes what an answer took.
    mutating func note(_ traffic: MailTraffic) { current.add(traffic) }

    /// Counts a round that is over, and forgets what is older than a day.
    mutating func count(at wallMilliseconds: Int64) {
        let now = Self.hour(wallMilliseconds)
        for hour in traffic.keys where hour + Self.hours <= now || hour > now {
            traffic[hour] = nil
        }
        if current != MailTraffic() { traffic[now, default: MailTraffic()].add(current) }
        current = MailTraffic()
    }

    /// Returns what went over the network in the last day, in rounds that are over.
    func lastDay(at wallMilliseconds: Int64) -> MailTraffic {
        let now = Self.hour(wallMilliseconds)
        var sum = MailTraffic()
        for (hour, part) in traffic where hour + Self.hours > now && hour <= now { sum.add(part) }
        return sum
    }

    private static func hour(_ wallMilliseconds: Int64) -> UInt64 {
        UInt64(clamping: wallMilliseconds) / hourMilliseconds
    }

    func write(to writer: inout CBORWriter) {
        writer.bytes(access)
        writer.array(traffic.count)
        for (hour, part) in traffic {
            writer.array(3)
            writer.unsigned(hour)
            writer.unsigned(UInt64(clamping: part.requests))
            writer.unsigned(UInt64(clamping: part.bytes))
        }
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> MailPlace {
        var place = MailPlace()
        place.access = try reader.bytes()
        for _ in 0..<(try reader.array(max: Int(hours))) {
            try reader.array(exactly: 3)
            let hour = try reader.unsigned(max: UInt64(Int64.max))
            // A day of these fits into a number several times over.
            place.traffic[hour] = MailTraffic(
                requests: Int(try reader.unsigned(max: UInt64(Int32.max))),
                bytes: Int(try reader.unsigned(max: 1 << 56)))
        }
        return place
    }
}
