public import LinnetCRDT

/// The key of the dose that an event is about; events of one key are one dose, however many devices
/// wrote them.
public enum DoseKey: Hashable, Sendable {
    /// A schedule made the dose due.
    case occurrence(schedule: RecordID, scheduled: Instant)
    /// The dose was taken without a schedule, in a slot of `slotMilliseconds`.
    case asNeeded(medication: RecordID, slot: Instant)
    /// A deliberate further dose: the event itself is the dose.
    case additional(event: RecordID)

    /// Doses as needed are told apart by the ten minutes that they lie in, so that one tap that two
    /// devices log is one dose.
    public static let slotMilliseconds: Int64 = 600_000

    /// The slot of an instant.
    public static func slot(of instant: Instant) -> Instant {
        let rest = CivilTime.floorRemainder(instant.milliseconds, by: slotMilliseconds)
        return instant.advanced(byMilliseconds: -rest)
    }

    /// The key under which the dose is taken off the stock, the same on every device.
    ///
    /// 1 to 64 bytes: of a schedule with a longer identifier than any made here a hash stands in
    /// the place of it (FNV-1a; Fowler, Noll, Vo).
    public var stockKey: String {
        switch self {
        case .occurrence(let schedule, let scheduled):
            schedule.utf8.count <= MedicationPlanner.longestIntentBytes
                ? Occurrence.id(schedule: schedule, scheduled: scheduled)
                : DoseKey.hash(schedule) + "@" + scheduled.description
        case .asNeeded(_, let slot): "asNeeded@" + slot.description
        case .additional(let event): event.description
        }
    }

    private static func hash(_ id: RecordID) -> String {
        let hash = id.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 1_099_511_628_211
        }
        return String(hash, radix: 16)
    }
}

/// A dose that a schedule made due, in an order in which it is quickly found.
struct DoseMark: Comparable {
    let scheduled: Instant
    let schedule: RecordID

    init(_ occurrence: Occurrence) {
        scheduled = occurrence.scheduled
        schedule = occurrence.schedule
    }

    init(scheduled: Instant, schedule: RecordID) {
        self.scheduled = scheduled
        self.schedule = schedule
    }

    static func < (left: DoseMark, right: DoseMark) -> Bool {
        left.scheduled == right.scheduled
            ? left.schedule < right.schedule : left.scheduled < right.scheduled
    }
}
