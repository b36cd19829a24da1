package import LinnetDiscovery
package import LinnetWire

/// Decides which incoming links may begin a handshake, as a value.
///
/// Places count links that are not authenticated yet. Rate and silence count only links that ended
/// before they were authenticated, so members behind a busy address are not punished for talking.
package struct AdmissionControl: Equatable, Sendable {
    /// The limits; only tests change them.
    package struct Settings: Equatable, Sendable {
        /// The most unauthenticated links in all.
        package var places = Limits.unauthenticatedLinks
        /// The most unauthenticated links of one source.
        package var placesPerSource = Limits.unauthenticatedLinksPerSource
        /// The number of failures of one source that are forgiven at once.
        package var failureBurst = Int64(Limits.handshakeBurstPerSource)
        /// The number of failures of one source that are forgiven per second.
        package var failuresPerSecond = Int64(Limits.handshakesPerSecondPerSource)
        /// The time for which a source is refused after too many failures, in milliseconds.
        package var silenceMilliseconds = Limits.handshakeSilenceMilliseconds
        /// The number of sources that are remembered; the one that was idle for longest is
        /// forgotten first.
        package var sources = 1024

        /// Takes the limits of a running node.
        package init() {}
    }

    /// The source to which a link's place is charged: an IPv4 address, or the /64 of an IPv6
    /// address.
    package struct Source: Hashable, Sendable {
        private let prefix: [UInt8]

        /// Makes the source of a peer's address.
        package init(_ address: IPAddress) {
            prefix = address.isIPv6 ? Array(address.bytes.prefix(8)) : address.bytes
        }
    }

    /// The reason why a link was turned away.
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
        /// The thousandths of failures that are still forgiven.
        var allowance: Int64
        var updated: Int64
        var silentUntil: Int64 = 0
    }

    private let settings: Settings
    private var records: [Source: Record] = [:]
    private var taken = 0

    /// Begins with nobody known.
    package init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The number of links that are not authenticated yet.
    package var unauthenticated: Int { taken }

    /// The number of sources that are remembered.
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

    /// Takes note that a link was authenticated: its place is free, and its source gets no failure.
    package mutating func authenticated(_ source: Source, at now: Moment) {
        release(source, at: now, failed: false)
    }

    /// Takes note that a link ended before it was authenticated.
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

    /// Forgets a source when there are too many, but never one that holds a place: its places would
    /// never be given back.
    private mutating func makeRoom(for source: Source) {
        guard records[source] == nil, records.count >= settings.sources else { return }
        let idle = records.filter { $0.value.places == 0 }
        if let oldest = idle.min(by: { $0.value.updated < $1.value.updated }) {
            records[oldest.key] = nil
        }
    }
}
