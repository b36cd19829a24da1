import LinnetCRDT
import LinnetControl
import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The look at a home's program and its surroundings, for which no key is needed.
struct HomeIntegrity {
    private let home: Home
    private let probe: IntegrityProbe
    /// The policy and the programs that were accepted.
    private(set) var record: IntegrityRecord

    /// Takes the home.
    init(_ home: Home, probe: IntegrityProbe = .system) throws(LinnetError) {
        self.home = home
        self.probe = probe
        do {
            record = try home.integrityRecord()
        } catch {
            throw .home(error)
        }
    }

    /// Looks.
    ///
    /// - Parameters:
    ///   - clock: the evidence about the clock; nil while the home is not open.
    ///   - isThorough: true to read the program also where nobody seems to have touched its file.
    func report(clock: IntegrityFacts.Clock?, isThorough: Bool) -> IntegrityReport {
        var facts = probe.facts(home: home.path)
        facts.clock = clock
        facts.openFiles = openFiles
        facts.hasPassphrase = try? KeyFileStore.needsPassphrase(home)
        facts.program = probe.program().flatMap { record.judge($0, isThorough: isThorough) }
        return IntegrityReport(record, facts.findings)
    }

    /// Throws while something is found that the policy takes for a reason not to open the home.
    func requireUnblocked(clock: IntegrityFacts.Clock?) throws(LinnetError) {
        guard record.policy == .block else { return }
        let found = report(clock: clock, isThorough: false).found
        if !found.isEmpty { throw .integrity(found) }
    }

    /// Keeps what a person chose.
    ///
    /// - Parameters:
    ///   - policy: the policy of this device; nil leaves it as it is, and the inner nil takes the
    ///     group's.
    ///   - accepts: true to take the program for good as it is now.
    mutating func choose(policy: IntegrityPolicy??, accepts: Bool) throws(LinnetError) {
        if let policy { record.own = policy }
        try keep(accepts: accepts || record.programs.isEmpty)
    }

    /// Keeps that this device obeys, or does not obey, who asks it to destroy itself.
    mutating func choose(obeysWipes: Bool) throws(LinnetError) {
        record.refusesWipes = !obeysWipes
        try keep(accepts: record.programs.isEmpty)
    }

    /// Keeps the group's policy, and what runs here where that was not known.
    mutating func follow(group: IntegrityPolicy?) throws(LinnetError) {
        let isNew = record.group != group
        record.group = group
        let isKnown = probe.program().map {
            if case .new? = record.judge($0, isThorough: false) { false } else { true }
        }
        // A home in which nobody chose anything needs no file.
        let asks = isNew || !record.programs.isEmpty
        if isNew || (asks && isKnown == false) { try keep(accepts: isKnown == false) }
    }

    private mutating func keep(accepts: Bool) throws(LinnetError) {
        if accepts, let program = probe.program(), !record.accept(program) {
            throw .unexpected("the program's own file cannot be read")
        }
        do {
            try home.keep(record)
        } catch {
            throw .home(error)
        }
    }

    /// The sentences about files that others can reach.
    private var openFiles: [String] {
        let inspection = HomeInspection(of: home.path) { _ in true }
        var errors = inspection.directory.filter { error in
            switch error {
            case .directoryOwner, .directoryPermissions: true
            default: false
            }
        }
        for case (_, .refused(let error)) in inspection.keyFiles.sorted(by: {
            $0.key.rawValue < $1.key.rawValue
        }) {
            errors.append(error)
        }
        return errors.map(\.description) + home.openFiles
    }
}

extension Home {
    /// Sentences about files other than the keys that others may read or write.
    fileprivate var openFiles: [String] {
        [File.database, .databaseLog, .witness, .integrity].compactMap { file in
            guard directory.contains(file.rawValue),
                let status = try? directory.status(of: file.rawValue),
                UInt32(status.st_mode) & 0o077 != 0
            else { return nil }
            return "\(path(of: file)) is open to other users;"
                + " close it with: chmod 600 '\(path(of: file))'"
        }
    }
}

extension ClockJudgement {
    /// The evidence as far as it speaks against this device's own clock.
    var evidence: IntegrityFacts.Clock {
        let text = "it is \(Value.instant(now).description) here"
        if !isPlausible { return .wrong("\(text), which cannot be") }
        if let ownFault { return .wrong(ownFault.text) }
        if let first = findings.first(where: \.isWrong) { return .doubtful(first.text) }
        return .believable(findings.first?.text ?? text)
    }

    /// The evidence of a clock alone; nil when it shows a time that can be.
    static func evidence(now: Int64) -> IntegrityFacts.Clock? {
        let judgement = ClockJudgement(now: now, newestStamp: 0, opinions: [])
        return judgement.isPlausible ? nil : judgement.evidence
    }
}
