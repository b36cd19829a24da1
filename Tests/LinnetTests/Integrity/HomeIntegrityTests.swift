import Foundation
import LinnetSystem
import Testing

@testable import Linnet

@Suite(.timeLimit(.minutes(5)))
struct HomeIntegrityTests {
    private let home = TestHome()

    private func policy(of report: IntegrityReport) -> [IntegrityPolicy?] {
        [report.policy, report.own, report.group]
    }

    @Test func `a device notes findings unless somebody chose otherwise, and keeps no file`()
        async throws
    {
        let node = try await Node.create(at: home("a"), name: "A", kind: .laptop)
        #expect(policy(of: try await node.integrity()) == [.log, nil, nil])
        #expect(!FileManager.default.fileExists(atPath: home("a") + "/integrity"))
        await node.stop()
    }

    @Test func `a group's policy reaches its devices, which may choose another one`() async throws {
        let nodes = try await group("a", "b", in: home)
        try await nodes[0].setGroupIntegrityPolicy(.ignore)
        #expect(policy(of: try await nodes[0].integrity()) == [.ignore, nil, .ignore])
        try await nodes[1].sync(timeout: .seconds(60))
        #expect(policy(of: try await nodes[1].integrity()) == [.ignore, nil, .ignore])
        try await nodes[1].setIntegrityPolicy(.log)
        #expect(policy(of: try await nodes[1].integrity()) == [.log, .log, .ignore])
        try await nodes[1].setIntegrityPolicy(nil)
        #expect(policy(of: try await nodes[1].integrity()) == [.ignore, nil, .ignore])
        #expect(try await nodes[0].status().devices.count == 2)
        await stop(nodes)
        // The policy counts before there are keys.
        #expect(policy(of: try Node.integrity(at: home("b"))) == [.ignore, nil, .ignore])
    }

    @Test func `blocking refuses to open and to unlock while something is found, and says what`()
        async throws
    {
        let passphrase = try #require(Passphrase("a passphrase"))
        await (try Node.create(at: home("a"), name: "A", kind: .laptop)).stop()
        try Node.changePassphrase(at: home("a"), .set(passphrase))
        let node = try await Node.open(at: home("a"), passphrase: passphrase)
        try await node.start(.loopback)
        try await node.setIntegrityPolicy(.block)
        try await node.lock()
        let path = home("a") + "/store.sqlite"
        #expect(unsafe chmod(path, 0o644) == 0)
        let refused = await #expect(throws: LinnetError.self) { try await node.unlock(passphrase) }
        guard case .integrity(let findings) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(findings.contains { $0.check == .files && $0.text.contains(path) })
        #expect(await node.isLocked)
        #expect(try await node.integrity().found.contains { $0.check == .files })
        await node.stop()
        // The passphrase is not even asked for.
        let again = await #expect(throws: LinnetError.self) {
            try await Node.open(at: home("a"))
        }
        guard case .integrity = again else {
            Issue.record("\(String(describing: again))")
            return
        }
        try Node.chooseIntegrity(at: home("a"), policy: .some(.warn), accepts: false)
        let opened = try await Node.open(at: home("a"), passphrase: passphrase)
        let warnings = try await opened.status().warnings.map(\.warning.kind)
        #expect(warnings.contains(.integrity))
        #expect(await opened.takeUntoldWarnings().map(\.warning.kind) == [.integrity])
        #expect(await opened.takeUntoldWarnings().isEmpty)
        try await opened.setIntegrityPolicy(.ignore)
        #expect(try await opened.status().warnings.isEmpty)
        await opened.stop()
    }

    @Test func `a node that notes findings tells its observers when it starts`() async throws {
        let node = try await Node.create(at: home("a"), name: "A", kind: .laptop)
        #expect(unsafe chmod(home("a") + "/store.sqlite", 0o644) == 0)
        let events = await node.events()
        try await node.start(.loopback)
        let event = await wait(for: events) {
            if case .integrityFound = $0 { true } else { false }
        }
        guard case .integrityFound(let found)? = event else {
            Issue.record("no event")
            return
        }
        #expect(found.contains { $0.check == .files })
        await node.stop()
    }

    @Test func `a clock that most others contradict is wrong, and one against one is in doubt`() {
        func evidence(_ skews: Int64..., now: Int64 = 1_800_000_000_000) -> IntegrityFacts.Clock {
            ClockJudgement(
                now: now, newestStamp: 1_800_000_000_000,
                opinions: skews.map {
                    ClockJudgement.Opinion(
                        device: Device(id: "ab", name: "B"), skewMilliseconds: $0,
                        agoMilliseconds: 0)
                }
            ).evidence
        }
        func isWrong(_ clock: IntegrityFacts.Clock?) -> Bool {
            if case .wrong? = clock { true } else { false }
        }
        func isDoubtful(_ clock: IntegrityFacts.Clock) -> Bool {
            if case .doubtful = clock { true } else { false }
        }
        guard case .believable = evidence(0, 0) else {
            Issue.record("two clocks agree")
            return
        }
        #expect(isWrong(evidence(9_000_000, 9_000_000)))
        #expect(isDoubtful(evidence(9_000_000)))
        // The newest change may come from a device whose clock is ahead.
        #expect(isDoubtful(evidence(now: 1_799_000_000_000)))
        #expect(isWrong(evidence(now: 1_000)))
        #expect(isWrong(ClockJudgement.evidence(now: 1_000)))
        #expect(ClockJudgement.evidence(now: 1_800_000_000_000) == nil)
    }
}
