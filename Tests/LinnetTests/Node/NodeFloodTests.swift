import Glibc
import Linnet
import LinnetDiscovery
import Testing

/// Strangers at the door, from 127.0.0.2 and further.
@Suite(.timeLimit(.minutes(5)))
struct NodeFloodTests {
    private let home = TestHome()

    /// A blocking connection from one loopback address; nil when the system refuses it.
    private static func connect(to port: UInt16, from host: String) -> Int32? {
        guard let source = IPAddress(host), let target = IPAddress("127.0.0.1") else { return nil }
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let bound = unsafe SocketAddress(ip: source, port: 0).withSocketAddress {
            unsafe bind(socket, $0, $1)
        }
        let connected = unsafe SocketAddress(ip: target, port: port).withSocketAddress {
            unsafe Glibc.connect(socket, $0, $1)
        }
        guard bound == 0, connected == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Reads until the node closes the connection; false when it sent something first.
    private static func isClosedInSilence(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, 0) <= 0
    }

    @Test func `idle strangers from twenty addresses do not keep a member out`() async throws {
        let nodes = try await group("laptop", "watch", in: home)
        await nodes[1].stop()
        let port = try #require(await nodes[0].port)
        var idle: [Int32] = []
        for number in 0..<400 {
            if let socket = Self.connect(to: port, from: "127.0.1.\(number % 20 + 1)") {
                idle.append(socket)
            }
        }
        let watch = try await Node.open(at: home("watch"))
        try await watch.start(NodeOptions(listen: nil, discovery: .off))
        try await watch.sync(with: ["127.0.0.1:\(port)"])
        for socket in idle {
            #expect(Self.isClosedInSilence(socket))
            close(socket)
        }
        await stop([nodes[0], watch])
    }

    @Test func `a stranger who comes when all places are taken gets the oldest one`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "L", kind: .laptop)
        let port = try #require(try await node.start(.loopback))
        let idle = (0..<16).compactMap {
            Self.connect(to: port, from: "127.0.1.\($0 / 4 + 1)")
        }
        let late = try #require(Self.connect(to: port, from: "127.0.1.99"))
        let preface = Array("LNT1".utf8) + [1, 1, 0, 0] + [UInt8](repeating: 7, count: 16)
        _ = unsafe send(late, preface, preface.count, Int32(MSG_NOSIGNAL))
        #expect(!Self.isClosedInSilence(late))
        #expect(idle.count == 16)
        for socket in idle {
            #expect(Self.isClosedInSilence(socket))
            close(socket)
        }
        close(late)
        await node.stop()
    }

    @Test(
        arguments: [
            [], [0], Array("GET / HTTP/1.1\r\n\r\n".utf8), [UInt8](repeating: 0xff, count: 5000),
            Array("LNT1".utf8) + [1, 1, 0, 1] + [UInt8](repeating: 7, count: 16),
            Array("LNT1".utf8) + [9, 9, 0, 0] + [UInt8](repeating: 7, count: 16),
        ] as [[UInt8]])
    func `bytes that mean nothing get silence and a closed connection`(
        bytes: [UInt8]
    ) async throws {
        let node = try await Node.create(at: home("laptop"), name: "L", kind: .laptop)
        let port = try #require(try await node.start(.loopback))
        let socket = try #require(Self.connect(to: port, from: "127.0.0.2"))
        _ = unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        #expect(Self.isClosedInSilence(socket))
        close(socket)
        #expect(try await node.status().devices.count == 1)
        await node.stop()
    }
}
