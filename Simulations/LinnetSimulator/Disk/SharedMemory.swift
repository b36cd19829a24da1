internal import CSQLite

/// The shared memory beside a file in WAL mode: regions and eight locks.
@safe
final class SharedMemory {
    private static let locks = 8

    private var regions: [UnsafeMutableRawPointer] = unsafe []
    private var sharers = [Int](repeating: 0, count: locks)
    private var owned = [Bool](repeating: false, count: locks)

    deinit {
        for index in unsafe regions.indices { unsafe regions[index].deallocate() }
    }

    /// A region, made with all before it when told so; nil when it is not there.
    func region(_ index: Int, bytes: Int, extends: Bool) -> UnsafeMutableRawPointer? {
        while unsafe regions.count <= index {
            guard extends else { return nil }
            let region = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
            unsafe region.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
            unsafe regions.append(region)
        }
        return unsafe regions[index]
    }

    /// Takes or leaves locks for a connection that holds what the masks say; false when busy.
    func change(
        _ range: Range<Int>, _ flags: Int32, shared: inout UInt16, exclusive: inout UInt16
    ) -> Bool {
        let mask = range.reduce(UInt16(0)) { $0 | 1 << UInt16($1) }
        if flags & SQLITE_SHM_UNLOCK != 0 {
            release(range, shared: &shared, exclusive: &exclusive)
            return true
        }
        if flags & SQLITE_SHM_SHARED != 0 {
            guard shared & mask == 0 else { return true }
            guard !range.contains(where: { owned[$0] }) else { return false }
            for index in range { sharers[index] += 1 }
            shared |= mask
            return true
        }
        let isBusy = range.contains { index in
            let mine = shared >> UInt16(index) & 1
            return sharers[index] > Int(mine)
                || owned[index] && exclusive >> UInt16(index) & 1 == 0
        }
        guard !isBusy else { return false }
        for index in range { owned[index] = true }
        exclusive |= mask
        return true
    }

    /// Leaves the locks that the masks say are held.
    func release(_ range: Range<Int>, shared: inout UInt16, exclusive: inout UInt16) {
        for index in range {
            let bit: UInt16 = 1 << UInt16(index)
            if shared & bit != 0 { sharers[index] -= 1 }
            if exclusive & bit != 0 { owned[index] = false }
            shared &= ~bit
            exclusive &= ~bit
        }
    }

    /// Leaves all locks that the masks say are held.
    func releaseAll(shared: inout UInt16, exclusive: inout UInt16) {
        release(0..<Self.locks, shared: &shared, exclusive: &exclusive)
    }
}
