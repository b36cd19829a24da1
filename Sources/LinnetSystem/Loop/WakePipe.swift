#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A pipe whose reading end sits in the poll set, so that any thread can end a wait.
struct WakePipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    /// Makes the pipe; nil when the process has no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends {
            guard Socket.makeNonBlocking(end) else {
                ends.forEach { SystemCall.close($0) }
                return nil
            }
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Makes the reading end readable; a full pipe is as good as a written byte.
    func signal() {
        var byte: UInt8 = 1
        _ = unsafe write(writeEnd, &byte, 1)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(readEnd, &bytes, bytes.count) > 0 {}
    }

    func closeBoth() {
        SystemCall.close(readEnd)
        SystemCall.close(writeEnd)
    }
}
