package import LinnetWire

/// The account of what was sent to a counterpart in the last 24 hours, and of what waits and why.
package struct CompanionLedger: Equatable, Sendable {
    /// The spending of one hour of Unix time.
    package struct Hour: Equatable, Sendable {
        /// Hours since 1970.
        package var number: Int64
        /// Wakes for queued lanes, by importance.
        package var wakes: [UInt64] = [0, 0, 0, 0]
        /// Bytes of queued lanes, by importance.
        package var bytes: [UInt64] = [0, 0, 0, 0]
        /// Wakes for live messages.
        package var messageWakes: UInt64 = 0
        /// Bytes of live messages and replies.
        package var messageBytes: UInt64 = 0
        /// Wakes within the complication budget.
        package var faceWakes: UInt64 = 0
        /// Wakes of the app at this end.
        package var wakesHere: UInt64 = 0
    }

    /// One thing that waits.
    package struct Deferral: Equatable, Sendable {
        /// The reason for which something waits.
        package enum Reason: Equatable, Sendable {
            /// The counterpart is not in range, or has not said how it is.
            case unreachable
            /// One of the two devices has not been unlocked since it restarted.
            case locked
            /// The person is changing watches, or this watch is not the active one.
            case inactive
            /// The day's wakes for this importance are used up.
            case wakeBudget
            /// The day's bytes for this importance are used up.
            case byteBudget
            /// The counterpart has enough that its app has not taken.
            case counterpartFull
            /// The platform's stuck queue.
            case stuckQueue
        }

        /// The lane.
        package var lane: Lane
        /// The first of its transfers that waits.
        package var number: UInt64
        /// The most important of what waits there.
        package var importance: Importance
        /// The reason.
        package var reason: Reason
    }

    /// The hours in which something was spent, ascending.
    package private(set) var hours: [Hour] = []
    /// The transfers that waited when something was last sent or tried.
    package internal(set) var deferred: [Deferral] = []
    /// True when wakes or many bytes were spent since the ledger was last stored.
    var isDirty = false

    /// The hours of a day, and the one that has begun before it.
    private static let hoursKept: Int64 = 25

    /// Changes the current hour.
    mutating func spend(at now: Moment, _ change: (inout Hour) -> Void) {
        let number = now.wallMilliseconds / 3_600_000
        if let last = hours.last, last.number > number + CompanionLedger.hoursKept {
            // The clock went back by more than a day: what was spent counts as spent now.
            for index in hours.indices { hours[index].number = number }
        }
        hours.removeAll { $0.number <= number - CompanionLedger.hoursKept }
        if hours.last.map({ $0.number < number }) ?? true { hours.append(Hour(number: number)) }
        change(&hours[hours.count - 1])
        isDirty = true
    }

    /// The sum of the last 24 hours and of the hour that began before them.
    package func sum(at now: Moment, _ part: (Hour) -> UInt64) -> UInt64 {
        let first = now.wallMilliseconds / 3_600_000 - CompanionLedger.hoursKept
        return hours.reduce(0) { $1.number > first ? $0 &+ part($1) : $0 }
    }

    /// Wakes for queued lanes in the last 24 hours.
    package func wakes(at now: Moment) -> UInt64 { sum(at: now) { $0.wakes.reduce(0, &+) } }

    /// Bytes of queued lanes in the last 24 hours.
    package func bytes(at now: Moment) -> UInt64 { sum(at: now) { $0.bytes.reduce(0, &+) } }

    /// Returns the reason for which so many bytes may not be sent now, nil if they may.
    func refusal(
        _ importance: Importance, wakes: Bool, bytes count: Int, budget: DeviceBudget,
        at now: Moment
    ) -> Deferral.Reason? {
        if wakes, self.wakes(at: now) >= budget.wakes(for: importance) { return .wakeBudget }
        let (sum, overflow) = bytes(at: now).addingReportingOverflow(UInt64(count))
        return overflow || sum > budget.bytes(for: importance) ? .byteBudget : nil
    }
}

extension CompanionLedger {
    func write(to writer: inout CBORWriter) {
        writer.array(hours.count)
        for hour in hours {
            writer.array(13)
            writer.signed(hour.number)
            for count in hour.wakes + hour.bytes { writer.unsigned(count) }
            for count in [
                hour.messageWakes, hour.messageBytes, hour.faceWakes, hour.wakesHere,
            ] {
                writer.unsigned(count)
            }
        }
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> CompanionLedger {
        var ledger = CompanionLedger()
        for _ in 0..<(try reader.array(max: Int(hoursKept))) {
            try reader.array(exactly: 13)
            var hour = Hour(number: try reader.signed())
            for index in hour.wakes.indices { hour.wakes[index] = try reader.unsigned() }
            for index in hour.bytes.indices { hour.bytes[index] = try reader.unsigned() }
            hour.messageWakes = try reader.unsigned()
            hour.messageBytes = try reader.unsigned()
            hour.faceWakes = try reader.unsigned()
            hour.wakesHere = try reader.unsigned()
            ledger.hours.append(hour)
        }
        return ledger
    }
}
