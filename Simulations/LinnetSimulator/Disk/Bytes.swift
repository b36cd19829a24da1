/// Memory that grows by doubling and is zero where nothing was written.
@safe
struct Bytes: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer
    private var capacity: Int
    /// The number of those in use, for those who fill it from the front.
    var count = 0

    init() {
        capacity = 4_096
        unsafe base = .allocate(byteCount: capacity, alignment: 16)
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    }

    deinit { unsafe base.deallocate() }

    /// Makes room for this many bytes in all.
    mutating func reserve(_ needed: Int) {
        guard needed > capacity else { return }
        var larger = capacity
        while larger < needed { larger *= 2 }
        let grown = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe grown.copyMemory(from: base, byteCount: capacity)
        unsafe (grown + capacity).initializeMemory(
            as: UInt8.self, repeating: 0, count: larger - capacity)
        unsafe base.deallocate()
        unsafe base = unsafe grown
        capacity = larger
    }
}
