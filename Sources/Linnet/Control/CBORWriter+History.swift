import LinnetCRDT
import LinnetWire

extension CBORWriter {
    mutating func device(_ device: Device) {
        array(2)
        text(device.id)
        text(device.name)
    }

    mutating func historyEntry(_ entry: HistoryEntry) {
        array(9)
        text(entry.id)
        optional(entry.field) { $0.text($1) }
        unsigned(UInt64(entry.action.rawValue))
        optional(entry.value) { $0.value($1) }
        optional(entry.key) { $0.text($1) }
        device(entry.device)
        signed(entry.writtenMilliseconds)
        signed(entry.stampMilliseconds)
        fate(entry.fate)
    }

    private mutating func fate(_ fate: HistoryEntry.Fate) {
        let (number, what): (UInt64, String?) =
            switch fate {
            case .shows: (0, nil)
            case .lost(let winner): (1, winner)
            case .deleted: (2, nil)
            case .quarantined(let reason): (3, reason)
            case .unknown: (4, nil)
            case .waiting(let reason): (5, reason)
            }
        array(2)
        unsigned(number)
        optional(what) { $0.text($1) }
    }

    mutating func explanation(_ explanation: Explanation) {
        array(7)
        text(explanation.field)
        optional(explanation.value) { $0.value($1) }
        text(explanation.rule)
        list(explanation.winners) { $0.historyEntry($1) }
        list(explanation.others) { $0.historyEntry($1) }
        list(explanation.holders) { writer, holder in
            writer.array(2)
            writer.device(holder.device)
            writer.unsigned(UInt64(holder.holding.rawValue))
        }
        texts(explanation.waiting)
    }
}

extension CBORReader {
    mutating func device() throws(WireError) -> Device {
        try array(exactly: 2)
        return Device(id: try text(max: .max), name: try text(max: .max))
    }

    mutating func historyEntry() throws(WireError) -> HistoryEntry {
        try array(exactly: 9)
        let id = try text(max: .max)
        let field = try optional { (reader) throws(WireError) in try reader.text(max: .max) }
        guard let action = HistoryEntry.Action(rawValue: try number(UInt8.self)) else {
            throw .unexpectedType
        }
        return HistoryEntry(
            id: id, field: field, action: action,
            value: try optional { (reader) throws(WireError) in try reader.value() },
            key: try optional { (reader) throws(WireError) in try reader.text(max: .max) },
            device: try device(), writtenMilliseconds: try signed(),
            stampMilliseconds: try signed(), fate: try fate())
    }

    private mutating func fate() throws(WireError) -> HistoryEntry.Fate {
        try array(exactly: 2)
        let number = try unsigned()
        let what = try optional { (reader) throws(WireError) in try reader.text(max: .max) }
        switch (number, what) {
        case (0, nil): return .shows
        case (1, let winner): return .lost(to: winner)
        case (2, nil): return .deleted
        case (3, let reason?): return .quarantined(reason)
        case (4, nil): return .unknown
        case (5, let reason?): return .waiting(reason)
        default: throw .unexpectedType
        }
    }

    mutating func explanation() throws(WireError) -> Explanation {
        try array(exactly: 7)
        return Explanation(
            field: try text(max: .max),
            value: try optional { (reader) throws(WireError) in try reader.value() },
            rule: try text(max: .max), winners: try entries(), others: try entries(),
            holders: try list { (reader) throws(WireError) in
                try reader.array(exactly: 2)
                let device = try reader.device()
                let number = try reader.number(UInt8.self)
                guard let holding = Explanation.Holding(rawValue: number) else {
                    throw .unexpectedType
                }
                return Explanation.Holder(device: device, holding: holding)
            },
            waiting: try texts())
    }

    mutating func entries() throws(WireError) -> [HistoryEntry] {
        try list { (reader) throws(WireError) in try reader.historyEntry() }
    }
}
