import LinnetReplication
import LinnetStorage
import LinnetWire

/// Homes that are opened while their disk does not read, or after it lost something.
extension World {
    /// Ends a process and has reads fail when it starts again.
    func failOpening(of device: SimulatedDevice, after place: Int, reads: Int) throws(Violation) {
        guard device.isRunning, case .sqlite = device.backend else { return }
        coverage.happened(.failedOpening)
        device.fate.unread = (place, reads)
        device.fate.downFor = 1_000
        try crash(device, power: false)
    }

    /// A batch that a device wrote.
    private struct OwnBatch {
        let fact: Int
        /// The key of its row among all batches.
        let key: Int64
        let isHeldElsewhere: Bool
    }

    /// Takes rows of batches from the disk of the device that wrote them, or changes them, while no
    /// process runs.
    func lose(
        _ loss: BatchLoss, of device: SimulatedDevice, _ salt: UInt64
    ) throws(Violation) {
        guard case .sqlite(let disk) = device.backend, device.isRunning, device.isMember,
            !inspector.views[device.index].isDamaged
        else { return }
        var random = SeededRandom(seed: salt)
        var batches = ownBatches(of: device).filter { loss.forgetsPeers || !$0.isHeldElsewhere }
        guard !batches.isEmpty else { return }
        var chosen: [OwnBatch] = []
        for _ in 0..<min(loss.most, batches.count) {
            let place = loss.isOfNewest ? batches.count - 1 : random.below(batches.count)
            chosen.append(batches.remove(at: place))
        }
        let shown = inspector.views[device.index].records
        // In order, or not.
        if random.chance(1, in: 2) {
            try stop(device)
        } else {
            try crash(device, power: false)
        }
        guard device.state == .off else { return }
        device.backend.powerOn()
        let keys = chosen.map { "\($0.key)" }.joined(separator: ", ")
        let sql = loss.isChange ? Self.change(keys, random.below(40)) : Self.removal(keys)
        if disk.change("store", by: sql + (loss.forgetsPeers ? "; DELETE FROM peers" : "")) {
            coverage.happened(.lostBatches)
            if chosen.contains(where: { !$0.isHeldElsewhere }) { coverage.reached(.ownBatchLost) }
            inspector.views[device.index].past.hasRotted = true
            inspector.views[device.index].past.mayHaveLost = true
            inspector.views[device.index].past.mayLackRows = !loss.isChange
            try inspector.show(
                .lost(device: device.index, batches: chosen.map(\.fact), records: shown))
        }
        try start(device)
    }

    /// The batches of a device that it can say again: its only history, and rows that hold them.
    private func ownBatches(of device: SimulatedDevice) -> [OwnBatch] {
        let view = inspector.views[device.index]
        var batches: [OwnBatch] = []
        for row in view.rows where row.device == device.replica?.device {
            let last = min(row.stored, row.folded)
            guard row.parent == nil, row.forkedAt == nil, row.first <= last else { continue }
            for seq in row.first...last {
                let id: BatchID?
                do {
                    id = try device.replica?.storeForReading.batchID(chain: row.index, seq: seq)
                } catch {
                    // The disk fails now and then: such a batch is not chosen.
                    continue
                }
                guard let fact = id.flatMap({ inspector.catalogue.number($0) }) else { continue }
                let isElsewhere = inspector.views.indices.contains {
                    $0 != device.index && inspector.views[$0].held.contains(fact)
                }
                batches.append(
                    OwnBatch(
                        fact: fact, key: row.index << 40 | Int64(seq),
                        isHeldElsewhere: isElsewhere))
            }
        }
        return batches.sorted { $0.fact < $1.fact }
    }

    private static func removal(_ keys: String) -> String {
        "DELETE FROM batches WHERE key IN (\(keys))"
    }

    private static func change(_ keys: String, _ place: Int) -> String {
        """
        UPDATE batches SET ciphertext = CAST(substr(ciphertext, 1, \(place))
        || CASE substr(ciphertext, \(place + 1), 1) WHEN x'00' THEN x'01' ELSE x'00' END
        || substr(ciphertext, \(place + 2)) AS BLOB) WHERE key IN (\(keys))
        """
    }
}
