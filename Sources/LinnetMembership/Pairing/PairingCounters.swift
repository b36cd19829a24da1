package import LinnetWire

/// The counts that must outlive a crash so that nobody gets more guesses: the tries of the code on
/// screen, and the codes that died. The store makes every change durable before the answer that it
/// allows.
package struct PairingCounters: Equatable, Sendable {
    private struct Death: Equatable {
        let code: Bytes8
        let wallMilliseconds: Int64
    }

    private static let version: UInt64 = 1

    private var code: Bytes8?
    private var triesLeft = 0
    private var deaths: [Death] = []

    /// No code was ever shown.
    package init() {}

    /// The Unix time until which pairing by code is locked; nil when it is not.
    ///
    /// A wall clock that was put back only lengthens the lock; ``liftLock()`` ends it.
    package func lockedUntilWallMilliseconds(at moment: Moment) -> Int64? {
        guard deaths.count >= Limits.pairingDeadCodes,
            let last = deaths.map(\.wallMilliseconds).max()
        else { return nil }
        let end = Self.end(of: last, after: Limits.pairingLockMilliseconds)
        return moment.wallMilliseconds < end ? end : nil
    }

    /// A new code is about to be shown; the one before it is over.
    ///
    /// Throws ``MembershipError/codePairingLocked(untilWallMilliseconds:)``.
    package mutating func begin(code: Bytes8, at moment: Moment) throws(MembershipError) {
        if let end = lockedUntilWallMilliseconds(at: moment) {
            throw .codePairingLocked(untilWallMilliseconds: end)
        }
        forgetOldDeaths(at: moment)
        self.code = code
        triesLeft = Limits.pairingTries
    }

    /// Takes one try; the result must be durable before the share is sent. The last try is a death
    /// until it succeeds.
    ///
    /// Returns how many tries are left after this one. Throws ``MembershipError/codeDead`` when
    /// there was none, ``MembershipError/codeExpired`` when another code is current.
    package mutating func takeTry(of code: Bytes8, at moment: Moment) throws(MembershipError) -> Int
    {
        guard code == self.code else { throw .codeExpired }
        guard triesLeft > 0 else { throw .codeDead }
        triesLeft -= 1
        if triesLeft == 0 {
            forgetOldDeaths(at: moment)
            let last = deaths.map(\.wallMilliseconds).max() ?? moment.wallMilliseconds
            deaths.append(
                Death(code: code, wallMilliseconds: max(last, moment.wallMilliseconds)))
        }
        return triesLeft
    }

    /// The code was right: it is over, and did not die.
    package mutating func succeed(code: Bytes8) {
        deaths.removeAll { $0.code == code }
        if self.code == code { self.code = nil }
    }

    /// Forgets all dead codes: for a deliberate action of the person at this device, never for
    /// anything that the network asks for.
    package mutating func liftLock() {
        deaths = []
    }

    /// The canonical bytes for the store.
    package func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(4)
        writer.unsigned(Self.version)
        if let code {
            writer.bytes(code)
        } else {
            writer.null()
        }
        writer.unsigned(UInt64(triesLeft))
        writer.array(deaths.count)
        for death in deaths {
            writer.array(2)
            writer.bytes(death.code)
            writer.signed(death.wallMilliseconds)
        }
        return writer.bytes
    }

    /// Reads what ``encode()`` wrote.
    package init(decoding bytes: [UInt8]) throws(MembershipError) {
        (code, triesLeft, deaths) = try CanonicalForm.read(bytes) { (reader) throws(WireError) in
            try reader.array(exactly: 4)
            guard try reader.unsigned() == Self.version else { throw .unexpectedType }
            let code = try reader.optional { (reader) throws(WireError) in
                try reader.bytes8()
            }
            let triesLeft = Int(try reader.unsigned(max: UInt64(Limits.pairingTries)))
            let deaths = try reader.list(max: Limits.pairingDeadCodes) {
                (reader) throws(WireError) in
                try reader.array(exactly: 2)
                return Death(code: try reader.bytes8(), wallMilliseconds: try reader.signed())
            }
            return (code, triesLeft, deaths)
        }
    }

    private mutating func forgetOldDeaths(at moment: Moment) {
        deaths.removeAll { death in
            let end = Self.end(
                of: death.wallMilliseconds, after: Limits.pairingWindowMilliseconds)
            return moment.wallMilliseconds >= end
        }
    }

    private static func end(of start: Int64, after milliseconds: Int64) -> Int64 {
        let (end, overflow) = start.addingReportingOverflow(milliseconds)
        return overflow ? .max : end
    }
}
