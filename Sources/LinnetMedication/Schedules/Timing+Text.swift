import LinnetCRDT

extension Timing {
    /// The whole timing as one text, as adjustments keep it.
    public var text: String { parts.text }

    /// The parts of the text.
    var parts: TimingText {
        var parts = TimingText()
        parts.append("times", pattern.text)
        parts.append("days", daysOfWeek.isEmpty ? nil : String(daysOfWeek.rawValue))
        parts.append("zone", TimingText.escaped(referenceZone))
        parts.append("shift", shift?.text)
        parts.append("since", since?.description)
        parts.append("adjustment", adjustment.map { TimingText.escaped($0.description) })
        return parts
    }

    /// Reads what `text` writes; parts that newer versions add are passed over.
    ///
    /// Throws `badTiming`, or what is wrong with a part.
    public init(reading text: String) throws(MedicationError) {
        try self.init(parts: try TimingText(reading: text))
    }

    init(parts: TimingText) throws(MedicationError) {
        guard let times = parts["times"], let zone = try parts.plain("zone"),
            let days = UInt8(parts["days"] ?? "0")
        else { throw .badTiming }
        var shift: GradualShift?
        if let text = parts["shift"] { shift = try GradualShift(reading: text) }
        var adjustment: RecordID?
        if let text = try parts.plain("adjustment") {
            guard let id = RecordID(text) else { throw .badTiming }
            adjustment = id
        }
        try self.init(
            pattern: try Pattern(reading: times), daysOfWeek: DaysOfWeek(rawValue: days),
            referenceZone: zone, shift: shift, since: try parts.instant("since"),
            adjustment: adjustment)
    }
}
