import Foundation
import Linnet
import LinnetCompanion
import Testing

/// Files between two whole nodes over TCP.
@Suite(.timeLimit(.minutes(5)))
struct FileTransferTests {
    private let homes = LaneHomes()

    /// Writes bytes that no two files share; returns them.
    @discardableResult
    private func write(_ name: String, seed: UInt64, count: Int = 300_000) throws -> [UInt8] {
        var state = seed
        let bytes = (0..<count).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        try Data(bytes).write(to: URL(filePath: homes(name)))
        return bytes
    }

    private func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: homes(name))))
    }

    private func failures(_ events: [CompanionSessionEvent]) -> [CompanionTransferID] {
        events.compactMap { event in
            guard case .didFinishFileTransfer(let transfer, .fileAccessDenied) = event else {
                return nil
            }
            return transfer.id
        }
    }

    @Test func `files go both ways, whole by their hashes, and are taken once`() async throws {
        let (phone, watch) = try await homes.pair()
        for (sender, receiver, name) in [(phone, watch, "down"), (watch, phone, "up")] {
            for (index, count) in [0, 1, 49_152, 300_001].enumerated() {
                let file = "\(name)\(index)"
                let bytes = try write(file, seed: UInt64(index + 1), count: count)
                let id = try await sender.companion.transferFile(
                    at: homes(file), metadata: ["name": .text(file)])
                let received = await receiver.wait(for: index + 1, \.file)
                let came = try #require(received.last)
                #expect(came.metadata == ["name": .text(file)])
                #expect(came.byteCount == UInt64(count))
                try await receiver.companion.take(came, to: homes("taken-" + file))
                let taken = try read("taken-" + file)
                #expect(FileDigest.digest(of: taken) == FileDigest.digest(of: bytes))
                #expect(taken == bytes)
                #expect(await sender.wait(for: index + 1, \.finished).last == id)
                // What was taken is in the home no more.
                await #expect(throws: CompanionSessionError.invalidParameter) {
                    try await receiver.companion.take(came, to: homes("again-" + file))
                }
            }
            #expect(await sender.companion.outstandingFileTransfers.isEmpty)
        }
        await phone.stop()
        await watch.stop()
    }

    @Test
    func `a file that changed, shrank or went after it was queued fails, and the next goes on`()
        async throws
    {
        var (phone, watch) = try await homes.pair()
        await watch.stop()
        var queued: [CompanionTransferID] = []
        for (index, name) in ["changed", "shrunk", "gone", "whole"].enumerated() {
            try write(name, seed: UInt64(index + 1))
            queued.append(try await phone.companion.transferFile(at: homes(name)))
        }
        try write("changed", seed: 9)
        try write("shrunk", seed: 2, count: 200_000)
        try FileManager.default.removeItem(atPath: homes("gone"))
        let port = try #require(await phone.node.port)
        watch = try await homes.reopen("watch", connectingTo: port)
        let came = try #require(await watch.wait(\.file).first)
        try await watch.companion.take(came, to: homes("taken"))
        #expect(try read("taken") == read("whole"))
        #expect(await phone.wait(\.finished) == [queued[3]])
        #expect(failures(phone.events) == Array(queued.prefix(3)))
        #expect(await phone.companion.outstandingFileTransfers.isEmpty)
        await phone.stop()
        await watch.stop()
    }
}
