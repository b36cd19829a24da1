extension RecordView {
    /// The number of its bytes, about, as far as it is known without encoding it.
    package var approximateBytes: Int {
        fields.reduce(64) { $0 + 8 + Value.list($1.values).approximateBytes }
    }
}

extension Value {
    /// The number of its bytes, about, as far as it is known without encoding it.
    package var approximateBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .list(let values): values.reduce(8) { $0 + $1.approximateBytes }
        default: 12
        }
    }
}
