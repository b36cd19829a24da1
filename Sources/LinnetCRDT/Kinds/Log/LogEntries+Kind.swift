import LinnetWire

extension LogEntries: GrowingState {
    static let tag: UInt64 = 6

    init?(_ content: FieldContent) {
        guard case .log(let state) = content else { return nil }
        self = state
    }

    var content: FieldContent { .log(self) }
    var footprint: Int { memory }

    func writeVisible(to writer: inout CBORWriter) {
        let payloads = entries.map(\.payload)
        writer.array(payloads.count)
        for payload in payloads { writer.raw(payload) }
    }

    mutating func adopt(_ other: LogEntries) { merge(other) }
}
