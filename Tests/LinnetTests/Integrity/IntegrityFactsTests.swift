import LinnetSystem
import Testing

struct IntegrityFactsTests {
    /// The facts of a device on which nothing is wrong.
    private static var good: IntegrityFacts {
        var facts = IntegrityFacts(userID: 1000)
        facts.tracer = 0
        facts.preloads = []
        facts.cores = IntegrityFacts.Cores(areAllowed: false, isDumpable: true)
        facts.hasPassphrase = true
        facts.disk = .plain
        facts.swaps = []
        facts.clock = .believable("it is noon")
        facts.program = .same(path: "/bin/linnet")
        return facts
    }

    private typealias Change = @Sendable (inout IntegrityFacts) -> Void

    private static let wrong: [(IntegrityFinding.Check, Change)] = [
        (.debugger, { $0.tracer = 7 }), (.preload, { $0.preloads = ["/a.so"] }),
        (.cores, { $0.cores = IntegrityFacts.Cores(areAllowed: true, isDumpable: true) }),
        (.files, { $0.openFiles = ["the key file is open to other users"] }),
        (.disk, { $0.hasPassphrase = false }),
        (.swap, { $0.swaps = [IntegrityFacts.Swap(path: "/dev/sda2", disk: .plain)] }),
        (.clock, { $0.clock = .wrong("it is 1970 here, which cannot be") }),
        (.program, { $0.program = .changed(path: "/bin/linnet") }), (.user, { $0.userID = 0 }),
    ]
    private static let unknown: [(IntegrityFinding.Check, Change)] = [
        (.debugger, { $0.tracer = nil }), (.preload, { $0.preloads = nil }),
        (.cores, { $0.cores = nil }), (.disk, { $0.hasPassphrase = nil }),
        (
            .disk,
            {
                $0.hasPassphrase = false
                $0.disk = .unknown("it is in memory")
            }
        ),
        (.swap, { $0.swaps = nil }),
        (.swap, { $0.swaps = [IntegrityFacts.Swap(path: "/x", disk: .unknown("a file"))] }),
        (.clock, { $0.clock = nil }), (.clock, { $0.clock = .doubtful("one of two is off") }),
        (.program, { $0.program = nil }), (.program, { $0.program = .new(path: "/bin/x") }),
    ]

    @Test func `a device on which nothing is wrong has a good finding for each check`() {
        let findings = Self.good.findings
        #expect(findings.map(\.check) == IntegrityFinding.Check.allCases)
        #expect(findings.allSatisfy { $0.state == .good && $0.remedy == nil })
    }

    @Test(arguments: wrong.indices)
    func `each thing that is wrong is found alone, with a remedy`(index: Int) throws {
        let (check, change) = Self.wrong[index]
        var facts = Self.good
        change(&facts)
        let found = facts.findings.filter { $0.state != .good }
        #expect(found.map(\.check) == [check] && found.map(\.state) == [.found])
        #expect(try #require(found.first?.remedy).hasSuffix("."))
    }

    @Test(arguments: unknown.indices)
    func `what cannot be told is never good`(index: Int) {
        let (check, change) = Self.unknown[index]
        var facts = Self.good
        change(&facts)
        let found = facts.findings.filter { $0.state != .good }
        #expect(found.map(\.check) == [check] && found.map(\.state) == [.unknown])
    }

    @Test func `a key without a passphrase is safe on an encrypted disk`() {
        var facts = Self.good
        facts.hasPassphrase = false
        facts.disk = .encrypted
        #expect(facts.findings.allSatisfy { $0.state == .good })
    }
}
