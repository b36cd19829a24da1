import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetCrypto
import LinnetMedication
import LinnetWire

/// One call of `linnet med`: all records of the home, and the time and zone that are asked about.
struct MedSession {
    /// The words after the action, the options, and the output.
    let invocation: Invocation
    let gateway: Gateway
    /// The medicines and all that is known of them.
    let book: MedicationBook
    /// The zone of the person.
    let zone: ZoneRules
    /// The zones that records or options name.
    let zones: ZoneTable
    /// The time that is asked about.
    let now: Instant
    /// The name of this device, and the characters that tell it from others of the same name.
    let device: (name: String, witness: String?)

    /// Reads the records of the home, and the time and zone from the options.
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

    private static func device(
        _ gateway: Gateway
    ) async throws(ControlFailure) -> (name: String, witness: String?) {
        let member = try await gateway.ask(StatusRequest()).members.first(where: \.isSelf)
        let name = member?.name ?? ""
        return (
            name.isEmpty ? "unnamed device" : name,
            member.map { String($0.device.description.prefix(16)) }
        )
    }

    var arguments: Arguments { invocation.arguments }
    var output: Output { invocation.output }
    /// The medicines as this call sees them.
    var desk: MedicineDesk { MedicineDesk(book: book, zone: zone, zones: zones, now: now) }
    /// Reads and writes times in the zone.
    var time: MedTime { desk.time }

    /// Returns the medicine that the words name, deleted ones included with `orDeleted`. Among
    /// several of that name it takes those that `isMeant` is true of.
    func medication(
        orDeleted: Bool = false, rather isMeant: (Medication) -> Bool = \.isActive
    ) throws(ControlFailure) -> Medication {
        let words = arguments.words.dropFirst()
        guard !words.isEmpty else { throw .usage("missing argument MEDICATION") }
        let text = words.joined(separator: " ")
        switch book.match(text, orDeleted: orDeleted, rather: isMeant) {
        case .one(let medication): return medication
        case .none:
            throw .failed(
                "there is no medicine '\(TerminalText.neutral(text))'; see 'linnet med list'")
        case .several(let found):
            let names = found.map { MedText.name($0) + " (\(book.shortName(of: $0.id)))" }
            throw .failed(
                "'\(TerminalText.neutral(text))' fits several: \(names.joined(separator: ", "));"
                    + " name one with its strength, or by the letters in brackets")
        }
    }

    /// Throws when words follow the action, for one that takes none.
    func expectNoWords() throws(ControlFailure) {
        if let word = arguments.words.dropFirst().first {
            throw .usage("unexpected argument '\(TerminalText.neutral(word))'")
        }
    }

    /// Returns a planner; the names of its records follow from the intent, or from a number drawn
    /// for this call alone.
    func planner() throws(ControlFailure) -> MedicationPlanner {
        let name: RecordID
        if let given = arguments.value("intent") {
            _ = try Intent.read(arguments)
            name = RecordID(naturalKey: "med", given)
        } else {
            var entropy = Entropy(seed: SystemEntropy.seed())
            name = RecordID(naturalKey: "med", Hex.encode(entropy.bytes(16)))
        }
        return try MedicineDesk.asked { () throws(MedicationError) in
            try MedicationPlanner(
                book: book, now: now, zone: zone.name, zones: zones, device: device.name,
                witness: device.witness, intent: name.description)
        }
    }

    /// Commits a plan; false when everything was so before.
    func commit(_ writes: [Write]) async throws(ControlFailure) -> Bool {
        guard !writes.isEmpty else { return false }
        let receipt = try await gateway.write(
            writes, intent: try Intent.read(arguments))
        // A dose that a recount of the stock had counted in leaves the stock as it was counted.
        if case .hidden(let hidden, let count) = receipt.outcome,
            count > hidden.count || hidden.contains(where: { $0.reason != .counted })
        {
            try WriteReport.check(receipt)
        }
        await leaveTotals(writes)
        return !receipt.repeated && receipt.outcome != .unchanged
    }

    /// Leaves the totals of months that are over, where this device holds them all. What was asked
    /// for is written by then, whatever becomes of this.
    private func leaveTotals(_ writes: [Write]) async {
        do throws(ControlFailure) {
            _ = try await MedTotals.leave(
                try after(writes).book, zones, now, gateway,
                again: Month(of: now).previous.previous)
        } catch {
            output.note("the monthly totals are not up to date: \(error.message)", .warning)
        }
    }

    /// Names the schedules whose times cannot be told here, with the reason.
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

    /// Says that records may be missing on a device that has not received them since it joined.
    func tellWhatIsMissing() {
        if !book.isInStep { output.note(MedText.notInStep, .warning) }
    }

    /// Returns a medicine with its dosage after the writes of this call; nil when it is gone.
    func name(_ id: RecordID) async throws(ControlFailure) -> String? {
        try await gateway.record(Schema.medication, id).map {
            MedText.name(Medication($0))
        }
    }

    /// Returns the stock of a medicine after the writes of this call; nil while it is not known.
    func stock(_ id: RecordID) async throws(ControlFailure) -> Decimal64? {
        guard book.isInStep, let record = try await gateway.record(Schema.stock, id) else {
            return nil
        }
        return MedicationBook([record]).stocks[id]
    }
}
