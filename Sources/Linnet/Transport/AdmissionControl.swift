package import LinnetDiscovery
package import LinnetWire

/// Decides which incoming links may begin a handshake, as a value.
///
/// Places count links that are not authenticated yet. Rate and silence count only links that ended
/// before they were authenticated, so members behind a busy address are not punished for talking.
package struct AdmissionControl: Equatable, Sendable {
    /// The limits; a program changes them only in tests.
    package struct Settings: Equatable, Sendable {
        /// Unauthenticated links in all.
        package var places = Limits.unauthenticatedLinks
        /// Unauthenticated links of one source.
        package var placesPerSource = Limits.unauthenticatedLinksPerSource
        /// Failures of one source that are forgiven at once.
        package var failureBurst = Int64(Limits.handshakeBurstPerSource)
        /// Failures of one source that are forgiven per second.
        package var failuresPerSecond = Int64(Limits.handshakesPerSecondPerSource)
        /// How long a source is refused after it used its failures up.
        package var silenceMilliseconds = Limits.handshakeSilenceMilliseconds
        /// Sources remembered; the one idle for longest is forgotten first.
        package var sources = 1024

        /// The limits of a running node.
        package init() {}
    }

    /// What a link's place is charged to: an IPv4 address, or the /64 of an IPv6 address.
    package struct Source: Hashable, Sendable {
        private let prefix: [UInt8]

        /// The source of a peer's address.
        package init(_ address: IPAddress) {
            prefix = address.isIPv6 ? Array(address.bytes.prefix(8)) : address.bytes
        }
    }

    /// Why a link was turned away.
    package enum Refusal: Equatable, Sendable {
        /// All places are taken, and nothing else is held against the source.
        case full
        /// The source's places are taken.
        case sourceFull
        /// The source failed too often a short while ago.
        case silenced
    }

    private struct Record: Equatable, Sendable {
        var places = 0
        /// Thousandths of a failure still forgiven.
        var allowance: Int64
        var updated: Int64
        var silentUntil: Int64 = 0
    }

    private let settings: Settings
    private var records: [Source: Record] = [:]
    private var taken = 0

    /// Nobody is known yet.
    package init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Links that are not authenticated yet.
    package var unauthenticated: Int { taken }

    /// Sources that are remembered.
    package var sourceCount: Int { records.count }

    /// Gives a new link a place; nil means that it may begin, otherwise it is to be closed at once.
    package mutating func admit(_ source: Source, at now: Moment) -> Refusal? {
        var record = record(of: source, at: now)
        if now.uptimeMilliseconds < record.silentUntil { return .silenced }
        guard record.places < settings.placesPerSource else { return .sourceFull }
        guard taken < settings.places else { return .full }
        makeRoom(for: source)
        record.places += 1
        records[source] = record
        taken += 1
        return nil
    }

    /// The link was authenticated: its place is free, and nothing is held against its source.
    package mutating func authenticated(_ source: Source, at now: Moment) {
        release(source, at: now, failed: false)
    }

    /// The link ended before it was authenticated.
    package mutating func failed(_ source: Source, at now: Moment) {
        release(source, at: now, failed: true)
    }

    private mutating func release(_ source: Source, at now: Moment, failed: Bool) {
        guard records[source] != nil else { return }
        var record = record(of: source, at: now)
        record.places = max(0, record.places - 1)
        taken = max(0, taken - 1)
        if failed {
            record.allowance -= 1000
            if record.allowance < 0 {
                record.silentUntil = now.uptimeMilliseconds + settings.silenceMilliseconds
                record.allowance = 0
            }
        }
        records[source] = record
    }

    private func record(of source: Source, at now: Moment) -> Record {
        let full = settings.failureBurst * 1000
        guard var record = records[source] else {
            return Record(allowance: full, updated: now.uptimeMilliseconds)
        }
        let passed = max(0, min(now.uptimeMilliseconds - record.updated, 3_600_000))
        record.allowance = min(full, record.allowance + passed * settings.failuresPerSecond)
        record.updated = now.uptimeMilliseconds
        return record
    }

    /// A source that holds a place is never forgotten: its places would never be given back.
    private mutating func makeRoom(for source: Source) {
        guard records[source] == nil, records.count >= settings.sources else { return }
        let idle = records.filter { $0.value.places == 0 }
        if let oldest = idle.min(by: { $0.value.updated < $1.value.updated }) {
            records[oldest.key] = nil
        }
    }
}
