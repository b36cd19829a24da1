import Foundation
import LinnetReplication
import LinnetWire
import Testing

/// The targets of libFuzzer, played with the inputs that it found and with real sessions.
@Suite(.serialized) struct FuzzedReplicaTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz")

    /// The inputs that are kept for a target: those that crashed it once, and others.
    private static func inputs(of target: String) throws -> [[UInt8]] {
        var inputs: [[UInt8]] = []
        for name in ["Crashers", "Corpus"] {
            let place = folder.appending(path: name)
            guard FileManager.default.fileExists(atPath: place.path) else { continue }
            let files = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
            for file in files where file.hasPrefix("\(target)-") {
                inputs.append([UInt8](try Data(contentsOf: place.appending(path: file))))
            }
        }
        return inputs
    }

    @Test func `a replica outlives what strangers said to it`() throws {
        for input in try Self.inputs(of: "ReplicaStrangers") + FuzzedRuns.strangers {
            FuzzedStranger.play(input)
        }
    }

    @Test func `a replica outlives what was said with the group's key alone`() throws {
        for input in try Self.inputs(of: "ReplicaGuests") + FuzzedRuns.sessions {
            FuzzedSession.play(input, isMember: false)
        }
    }

    @Test func `a replica outlives what members signed`() throws {
        for input in try Self.inputs(of: "ReplicaMembers") + FuzzedRuns.sessions {
            FuzzedSession.play(input, isMember: true)
        }
    }

    @Test func `the runs to begin with are sessions that get somewhere`() throws {
        #expect(FuzzedRuns.strangers.count > 1 && FuzzedRuns.sessions.count > 4)
        let talker = FuzzedTalker(FuzzedReplica(2), isMember: true)
        let greeting = Set(talker.heard.map(\.type))
        #expect(greeting.contains(MessageType.hello.rawValue))
        #expect(greeting.contains(MessageType.have.rawValue))
        var stored = 0
        for input in FuzzedRuns.sessions {
            let hearer = FuzzedReplica(6)
            let speaker = FuzzedTalker(hearer, isMember: true)
            let before = hearer.replica?.log.chainRows().count ?? 0
            speaker.play(input)
            if hearer.replica?.log.chainRows().count ?? 0 > before { stored += 1 }
        }
        #expect(stored > 1)
    }
}
