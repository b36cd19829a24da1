import Linnet
import LinnetCRDT
import LinnetCrypto
import LinnetMedication
import LinnetWire

/// One call of `linnet med`: all records of the home, and the time and zone that are asked about.
struct MedSession {
    /// The words after the action, the options and where results go.
    let invocation: Invocation
    /// The home.
    let gateway: Gateway
    /// What is known.
    let book: MedicationBook
    /// The person's zone.
    let zone: ZoneRules
    /// All zones that are named somewhere.
    let zones: ZoneTable
    /// The time that is asked about.
    let now: Instant
    /// This device's name.
    let device: String

    /// Reads the records of a home.
    init(_ invocation: Invocation, _ gateway: Gateway) async throws(ControlFailure) {
        self.invocation = invocation
        self.gateway = gateway
        let arguments = invocation.arguments
        let zone = try ZoneFiles.zone(named: arguments.value("zone") ?? ZoneFiles.current)
        var now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        if let text = arguments.value("at") {
            now = try MedTime(zone: zone, now: now).instant(text, "at")
        }
        self.zone = zone
        self.now = now
        book = try await BookReader.book(gateway)
        var zones = ZoneFiles.table(zone, for: book)
        if let name = arguments.value("reference-zone") {
            zones.insert(try ZoneFiles.zone(named: name))
        }
        self.zones = zones
        device = try await Self.device(gateway)
    }

    private static func device(_ gateway: Gateway) async throws(ControlFailure) -> String {
        var name = ""
        try await gateway.perform(.status) { (response) throws(ControlFailure) in
            if case .status(let status) = response {
                name = status.members.first(where: \.isSelf)?.name ?? ""
            }
            return nil
        }
        return name.isEmpty ? "unnamed device" : name
    }

    /// The options.
    var arguments: Arguments { invocation.arguments }
    /// Where results go.
    var output: Output { invocation.output }
    /// Times of the zone.
    var time: MedTime { MedTime(zone: zone, now: now) }

    /// The medicine that the words name; deleted ones too where that is asked for.
    func medication(orDeleted: Bool = false) throws(ControlFailure) -> Medication {
        let words = arguments.words.dropFirst()
        guard !words.isEmpty else { throw .usage("missing argument MEDICATION") }
        let text = words.joined(separator: " ")
        if let id = RecordID(text) {
            let known = orDeleted ? book.medication(id) : book.medications[id]
            if let known { return known }
        }
        var found = book.search(text)
        if orDeleted {
            let wanted = text.lowercased()
            found += book.deleted.values.filter { $0.name.lowercased().hasPrefix(wanted) }
        }
        let exact = found.filter { $0.name.lowercased() == text.lowercased() }
        if exact.count == 1 { return exact[0] }
        if found.count == 1 { return found[0] }
        let names = found.map { "\($0.name) (\($0.id))" }.map { TerminalText.neutral($0) }
        throw .failed(
            found.isEmpty
                ? "there is no medicine '\(TerminalText.neutral(text))'; see 'linnet med list'"
                : "'\(TerminalText.neutral(text))' fits several: \(names.joined(separator: ", "))")
    }

    /// Throws when words follow that the action does not take.
    func expectNoWords() throws(ControlFailure) {
        if let word = arguments.words.dropFirst().first {
            throw .usage("unexpected argument '\(TerminalText.neutral(word))'")
        }
    }

    /// A planner whose records are named by the intent, or by what is drawn for this call alone.
    func planner() throws(ControlFailure) -> MedicationPlanner {
        let name: RecordID
        if let given = arguments.value("intent") {
            _ = try Intent.read(arguments)
            name = RecordID(naturalKey: "med", given)
        } else {
            var entropy = Entropy(seed: SystemEntropy.seed())
            name = RecordID(naturalKey: "med", Hex.encode(entropy.bytes(16)))
        }
        return try Self.asked { () throws(MedicationError) in
            try MedicationPlanner(
                book: book, now: now, zone: zone.name, zones: zones, device: device,
                intent: name.description)
        }
    }

    /// Asks the domain; what it refuses becomes the call's failure.
    static func asked<Answer>(
        _ body: () throws(MedicationError) -> Answer
    ) throws(ControlFailure) -> Answer {
        do throws(MedicationError) {
            return try body()
        } catch {
            throw .failed(MedText.sentence(for: error))
        }
    }

    /// Commits a plan; false when everything was so before.
    func commit(_ writes: [PlannedWrite]) async throws(ControlFailure) -> Bool {
        guard !writes.isEmpty else { return false }
        let receipt = try await gateway.write(
            writes.map(ControlWrite.init), intent: try Intent.read(arguments))
        await leaveTotals(writes)
        return !receipt.repeated
    }

    /// Leaves the totals of months that are over, where this device holds them all. What was asked
    /// for is written by then, whatever becomes of this.
    private func leaveTotals(_ writes: [PlannedWrite]) async {
        do throws(ControlFailure) {
            _ = try await MedTotals.leave(
                try after(writes).book, zones, now, gateway,
                again: Month(of: now).previous.previous)
        } catch {
            output.note("the monthly totals are not up to date: \(error.message)", .warning)
        }
    }

    /// Names the schedules of which no times can be told here, and why.
    func tellMissingZones() {
        for missing in book.missingZones(zones) {
            let name =
                book.medication(missing.medication).map(MedText.name)
                ?? missing.medication.description
            output.note(
                "the times of \(TerminalText.neutral(name)) cannot be told here: "
                    + MedText.sentence(for: .unknownZone(missing.zone)), .warning)
        }
    }

    /// The stock of a medicine after what was written.
    func stock(_ id: RecordID) async throws(ControlFailure) -> Decimal64? {
        guard let record = try await gateway.record(Schema.stock, id) else { return nil }
        return MedicationBook([StoredRecord(record, of: Schema.stock)]).stocks[id]
    }
}

extension MedicationBook {
    /// The zones that schedules, journeys and decisions name.
    var zoneNames: [String] {
        var names = OrderedSet<String>()
        for schedule in schedules.values {
            for timing in schedule.earlier.map(\.timing) + [schedule.timing] {
                names.insert(timing.referenceZone)
            }
        }
        for event in timeZoneEvents.values {
            names.insert(event.change.from)
            names.insert(event.change.to)
        }
        return names.elements
    }
}
