import LinnetWire

extension CausalContext: KindState {
    static let tag: UInt64 = 7

    var footprint: Int { 40 * lasts.count }

    func writeVisible(to writer: inout CBORWriter) { writer.null() }

    mutating func adopt(_ other: CausalContext) { merge(other) }
}
