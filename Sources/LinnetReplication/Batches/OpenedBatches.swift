import LinnetCRDT
import LinnetWire

/// The opened batches that are looked at again once others are there: parts of commits, and those
/// that wait for a dependency. They are few and small; others are opened again, since a batch may
/// open to four thousand times its size.
struct OpenedBatches {
    private static let most = 32
    private static let bytes = 16 << 10
    private var bodies: OrderedTable<BatchID, BatchBody> = OrderedTable()

    subscript(id: BatchID) -> BatchBody? { bodies.isEmpty ? nil : bodies[id] }

    mutating func keep(_ body: BatchBody, of id: BatchID) {
        guard body.footprint <= Self.bytes else { return }
        if bodies.count >= Self.most { bodies.removeAll() }
        bodies[id] = body
    }

    mutating func forget(_ id: BatchID) {
        if !bodies.isEmpty { bodies[id] = nil }
    }

    mutating func removeAll() { bodies.removeAll() }
}
