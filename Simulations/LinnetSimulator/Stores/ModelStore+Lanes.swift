package import LinnetStorage

// The rows of the companion lanes.
extension ModelStore {
    /// Keeps a row of the lanes in place of the one with its key.
    package func putLane(_ row: LaneRow) throws(StorageError) {
        checkTransaction()
        note(.lanes(tables.lanes))
        let place = place(ofLane: row.key)
        if place < tables.lanes.count, tables.lanes[place].key == row.key {
            tables.lanes[place] = row
        } else {
            tables.lanes.insert(row, at: place)
        }
    }

    /// The bytes that the lanes keep under a key, or nil.
    package func lane(_ key: [UInt8]) throws(StorageError) -> [UInt8]? {
        let place = place(ofLane: key)
        guard place < tables.lanes.count, tables.lanes[place].key == key else { return nil }
        return tables.lanes[place].value
    }

    /// The rows whose keys begin with a byte below 255, by their keys.
    package func lanes(family: UInt8) throws(StorageError) -> [LaneRow] {
        tables.lanes.filter { $0.key.first == family }
    }

    /// Forgets the row with a key; nothing happens when there is none.
    package func removeLane(_ key: [UInt8]) throws(StorageError) {
        checkTransaction()
        let place = place(ofLane: key)
        guard place < tables.lanes.count, tables.lanes[place].key == key else { return }
        note(.lanes(tables.lanes))
        tables.lanes.remove(at: place)
    }

    private func place(ofLane key: [UInt8]) -> Int {
        tables.lanes.lowerBound { $0.key.lexicographicallyPrecedes(key) }
    }
}
