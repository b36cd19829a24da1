extension RecordView {
    /// The number of its bytes, about, as far as it is known without encoding it.
    package var approximateBytes: Int {
        var bytes = 64
        for field in fields {
            bytes += 16
            for value in field.values { bytes += value.approximateBytes }
        }
        return bytes
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
