package import LinnetCRDT
package import LinnetWire

/// Something that happened once and cannot be undone. A person is told of it until she acknowledges
/// it.
package struct Notice: Equatable, Sendable {
    /// The event that a notice is about.
    package enum Matter: Equatable, Sendable {
        /// This device writes as a new author, for this reason.
        case rotated(String)
        /// A device that was met before came back as a new author; of this device itself, its keys
        /// were used by a home other than this one.
        case renewed(DeviceID)
        /// An author wrote two histories.
        case forked(DeviceID)
        /// Two records of a log have one identifier.
        case collided(RecordKey)
        /// Own batches were lost, and what records show of them was said again.
        case restated(RestatingReport)
        /// A record was set aside for its size.
        case setAside(RecordKey)
        /// A removal of the first device by the second, or a role that it was given, stood and has
        /// no effect any more.
        case overruled(DeviceID, by: DeviceID, isRole: Bool)
    }

    /// The event that a notice is about.
    package var matter: Matter
    /// The number of times that it happened.
    package var count: UInt64
    /// The time at which it happened last, in Unix milliseconds; 0 when that is not known.
    package var wallMilliseconds: Int64
    /// True when a command told a person of it.
    package var isTold = false
    /// True when the person acknowledged it.
    package var isAcknowledged = false
}

/// The lives and the clock of a device as they were when it was met last.
struct Meeting: Equatable, Sendable {
    /// The lives of the device that were met, the newest last.
    var incarnations: [Incarnation]
    /// Its clock minus ours, in milliseconds.
    var skewMilliseconds: Int64
    /// The time of the meeting in Unix milliseconds.
    var wallMilliseconds: Int64
    /// The time of the meeting in uptime milliseconds; nil after a restart.
    var uptimeMilliseconds: Int64?

    /// True when both clocks said the same.
    var agreed: Bool { skewMilliseconds.magnitude <= UInt64(Limits.clockSkewMilliseconds) }
}

/// The notices of a device, and the clocks and lives that it found when it met others; it is kept
/// beside the tables.
struct NoticeBook: Equatable, Sendable {
    private static let version: UInt64 = 1
    /// The largest number of notices that are kept; events beyond them add none.
    private static let most = 64
    /// The number of lives of one device that are remembered.
    private static let livesMost = 8
    /// The change of a clock's skew up to which it is not written again, in milliseconds.
    private static let steadyMilliseconds: Int64 = 1000
    /// The time for which a later agreement is not written again, in milliseconds.
    private static let agreementMilliseconds: Int64 = 86_400_000

    private(set) var notices: [Notice] = []
    private(set) var meetings: OrderedTable<DeviceID, Meeting> = OrderedTable()
    /// The time at which a peer's clock agreed with ours last, in Unix milliseconds; nil when none
    /// ever did. A peer that disagrees later leaves it as it is.
    private var agreedMilliseconds: Int64?
    /// The one of them that the store keeps.
    private var keptAgreement: Int64?
    /// The number of operations without effect that the person knows of.
    private(set) var quarantineKnown: UInt64 = 0
    /// True when the store keeps something else.
    private(set) var isChanged = false

    init() {}

    /// The time before which a wall clock is not believed, in Unix milliseconds: that at which a
    /// peer's clock agreed with ours last.
    var believedFrom: Int64 { agreedMilliseconds ?? Limits.wallClockFloorMilliseconds }

    /// Returns the last time at which one of some devices agreed when it was met last.
    private func agreed(in meetings: OrderedTable<DeviceID, Meeting>) -> Int64? {
        meetings.values.filter(\.agreed).map(\.wallMilliseconds).max()
    }

    mutating func add(_ matter: Notice.Matter, at wallMilliseconds: Int64) {
        if matter.isShownAgain, notices.contains(where: { $0.matter == matter }) { return }
        var notice = Notice(matter: matter, count: 1, wallMilliseconds: wallMilliseconds)
        if let place = notices.firstIndex(where: { $0.matter.isLike(matter) }) {
            notice.count += notices[place].count
            if case .restated(let report) = matter,
                case .restated(let before) = notices[place].matter,
                !notices[place].isAcknowledged
            {
                notice.matter = .restated(report + before)
            }
            notices[place] = notice
        } else if notices.count < Self.most {
            notices.append(notice)
        } else {
            return
        }
        isChanged = true
    }

    /// Remembers the life and clock of a device; returns true when it came back as a new author.
    mutating func meet(
        _ device: DeviceID, _ incarnation: Incarnation, known: [Incarnation], skew: Int64,
        at now: Moment
    ) -> Bool {
        let before = meetings[device]
        var lives = before?.incarnations ?? known
        let wasKnown = !lives.isEmpty
        let isNews = !lives.contains(incarnation)
        if isNews { lives = Array((lives + [incarnation]).suffix(Self.livesMost)) }
        let difference = skew.subtractingReportingOverflow(before?.skewMilliseconds ?? 0)
        if isNews || before == nil || difference.overflow
            || difference.partialValue.magnitude > UInt64(Self.steadyMilliseconds)
        {
            isChanged = true
        }
        let meeting = Meeting(
            incarnations: lives, skewMilliseconds: skew, wallMilliseconds: now.wallMilliseconds,
            uptimeMilliseconds: now.uptimeMilliseconds)
        meetings[device] = meeting
        if meeting.agreed { noteAgreement(at: now.wallMilliseconds) }
        return isNews && wasKnown
    }

    private mutating func noteAgreement(at wallMilliseconds: Int64) {
        let kept = keptAgreement ?? .max
        let (later, overflow) = wallMilliseconds.subtractingReportingOverflow(kept)
        if overflow || later < 0 || later > Self.agreementMilliseconds {
            keptAgreement = wallMilliseconds
            isChanged = true
        }
        agreedMilliseconds = wallMilliseconds
    }

    mutating func markTold() {
        for place in notices.indices where !notices[place].isTold {
            notices[place].isTold = true
            isChanged = true
        }
    }

    /// Notes that the person knows of everything. Events that the same records can show again stay
    /// as acknowledged notices.
    mutating func acknowledge(quarantined: UInt64) {
        notices.removeAll { !$0.matter.isShownAgain }
        for place in notices.indices { notices[place].isAcknowledged = true }
        quarantineKnown = quarantined
        isChanged = true
    }

    mutating func saved() { isChanged = false }
}

extension Notice.Matter {
    /// True when the same records can show it again, after which the person need not be told anew.
    fileprivate var isShownAgain: Bool {
        switch self {
        case .collided, .setAside: true
        case .rotated, .renewed, .forked, .restated, .overruled: false
        }
    }

    /// Returns true when one notice speaks for both.
    fileprivate func isLike(_ other: Notice.Matter) -> Bool {
        switch (self, other) {
        case (.rotated, .rotated), (.restated, .restated): true
        default: self == other
        }
    }
}

// This part reads and writes the bytes of the book.
extension NoticeBook {
    /// The book's bytes.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.unsigned(Self.version)
        writer.array(notices.count)
        for notice in notices { Self.write(notice, to: &writer) }
        writer.array(meetings.count)
        for (device, meeting) in meetings {
            writer.array(4)
            writer.bytes(device)
            writer.array(meeting.incarnations.count)
            for incarnation in meeting.incarnations { writer.bytes(incarnation) }
            writer.signed(meeting.skewMilliseconds)
            writer.signed(meeting.wallMilliseconds)
        }
        writer.unsigned(quarantineKnown)
        writer.array(agreedMilliseconds == nil ? 0 : 1)
        if let agreedMilliseconds { writer.signed(agreedMilliseconds) }
        return writer.bytes
    }

    /// Reads the bytes that `encoded` gave.
    init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        let parts = try reader.array(max: 5)
        guard parts >= 4, try reader.unsigned() == Self.version else { throw .unexpectedType }
        for _ in 0..<(try reader.array(max: Self.most)) { notices.append(try Self.notice(&reader)) }
        for _ in 0..<(try reader.array()) {
            try reader.array(exactly: 4)
            let device = try reader.bytes32()
            var lives: [Incarnation] = []
            for _ in 0..<(try reader.array(max: Self.livesMost)) {
                lives.append(try reader.bytes8())
            }
            meetings[device] = Meeting(
                incarnations: lives, skewMilliseconds: try reader.signed(),
                wallMilliseconds: try reader.signed())
        }
        quarantineKnown = try reader.unsigned()
        // Earlier versions kept the meetings alone.
        agreedMilliseconds = agreed(in: meetings)
        if parts > 4 {
            agreedMilliseconds = try reader.array(max: 1) == 0 ? nil : try reader.signed()
        }
        keptAgreement = agreedMilliseconds
        try reader.finish()
    }

    private static func write(_ notice: Notice, to writer: inout CBORWriter) {
        writer.array(6)
        switch notice.matter {
        case .rotated(let reason):
            writer.unsigned(0)
            writer.text(reason)
        case .renewed(let device):
            writer.unsigned(1)
            writer.bytes(device)
        case .forked(let device):
            writer.unsigned(2)
            writer.bytes(device)
        case .collided(let key):
            writer.unsigned(3)
            write(key, to: &writer)
        case .setAside(let key):
            writer.unsigned(4)
            write(key, to: &writer)
        case .restated(let report):
            writer.unsigned(5)
            writer.array(3)
            for number in [report.lost, report.saved, report.silent] { writer.unsigned(number) }
        case .overruled(let device, let author, let isRole):
            writer.unsigned(6)
            writer.array(3)
            writer.bytes(device)
            writer.bytes(author)
            writer.bool(isRole)
        }
        writer.unsigned(notice.count)
        writer.signed(notice.wallMilliseconds)
        writer.bool(notice.isTold)
        writer.bool(notice.isAcknowledged)
    }

    private static func write(_ key: RecordKey, to writer: inout CBORWriter) {
        writer.array(2)
        writer.unsigned(UInt64(key.collection))
        writer.text(key.record.description)
    }

    private static func key(_ reader: inout CBORReader) throws(WireError) -> RecordKey {
        try reader.array(exactly: 2)
        guard let collection = UInt32(exactly: try reader.unsigned()),
            let record = RecordID(try reader.text())
        else { throw .badText }
        return RecordKey(collection: collection, record: record)
    }

    private static func notice(_ reader: inout CBORReader) throws(WireError) -> Notice {
        try reader.array(exactly: 6)
        let matter: Notice.Matter
        switch try reader.unsigned() {
        case 0: matter = .rotated(try reader.text())
        case 1: matter = .renewed(try reader.bytes32())
        case 2: matter = .forked(try reader.bytes32())
        case 3: matter = .collided(try key(&reader))
        case 4: matter = .setAside(try key(&reader))
        case 5:
            try reader.array(exactly: 3)
            matter = .restated(
                RestatingReport(
                    lost: try reader.unsigned(), saved: try reader.unsigned(),
                    silent: try reader.unsigned()))
        case 6:
            try reader.array(exactly: 3)
            matter = .overruled(
                try reader.bytes32(), by: try reader.bytes32(), isRole: try reader.bool())
        default: throw .unexpectedType
        }
        return Notice(
            matter: matter, count: try reader.unsigned(), wallMilliseconds: try reader.signed(),
            isTold: try reader.bool(), isAcknowledged: try reader.bool())
    }
}
