import CBench
import LinnetReplication

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Homes that are all connected to each other by TCP over loopback, driven by one thread.
final class Mesh {
    private struct End {
        let descriptor: Int32
        /// The home at the other end, and its descriptor.
        let other: (home: Int, descriptor: Int32)
    }

    private let homes: [BenchHome]
    private var ends: [[LinkID: End]]
    /// The bytes that crossed.
    private(set) var bytes = 0

    /// Connects each home with each other one, and exchanges until nothing is under way.
    init(_ homes: [BenchHome]) throws {
        self.homes = homes
        ends = homes.map { _ in [:] }
        for left in homes.indices {
            for right in homes.indices where left < right {
                var pair: [Int32] = [-1, -1]
                try require(unsafe bench_tcp_pair(&pair) == 0, "no connection over loopback")
                let link = LinkID(rawValue: UInt64(1 << 40 + left * 64 + right))
                ends[left][link] = End(descriptor: pair[0], other: (right, pair[1]))
                ends[right][link] = End(descriptor: pair[1], other: (left, pair[0]))
                homes[right].handle(.linkOpened(link, .accepted))
                homes[left].handle(.linkOpened(link, .dialled))
                try run { false }
            }
        }
    }

    deinit {
        for (home, links) in zip(homes, ends) {
            for (link, end) in links {
                close(end.descriptor)
                home.handle(.linkClosed(link))
            }
            home.outgoing.removeAll()
        }
    }

    /// Moves bytes until `isOver`, asked after each delivery, or until nothing is under way.
    func run(until isOver: () -> Bool) throws {
        while true {
            var hasMoved = false
            for number in homes.indices {
                let outgoing = homes[number].outgoing
                homes[number].outgoing.removeAll(keepingCapacity: true)
                for (link, data) in outgoing {
                    guard let end = ends[number][link], !data.isEmpty else { continue }
                    try cross(data, from: end)
                    hasMoved = true
                    homes[end.other.home].handle(.received(link, data))
                    if isOver() { return }
                }
            }
            if !hasMoved { return }
        }
    }

    /// Writes bytes at one end and reads them at the other.
    private func cross(_ data: [UInt8], from end: End) throws {
        bytes += data.count
        var (sent, received) = (0, 0)
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while received < data.count {
            if sent < data.count {
                let rest = Array(data[sent...])
                let wrote = unsafe write(end.descriptor, rest, rest.count)
                try require(wrote > 0 || errno == EAGAIN, "the connection over loopback broke")
                sent += max(0, wrote)
            }
            let got = unsafe read(end.other.descriptor, &chunk, chunk.count)
            if got < 0, errno == EAGAIN {
                _ = bench_wait(end.other.descriptor, end.other.descriptor, 1_000)
                continue
            }
            try require(got > 0, "the connection over loopback ended")
            try require(
                chunk[..<got].elementsEqual(data[received..<received + got]),
                "the connection over loopback changed bytes")
            received += got
        }
    }
}
