import Glibc
import LinnetSimulator

/// Many seeds, each in a worker process, reported in order.
final class Swarm {
    let jobs: Jobs
    let isJSON: Bool
    private let stopsAtFirstFailure: Bool
    /// The time at which no more seeds are handed out.
    private let deadline: Double?
    /// The next job to hand out, and the next to report.
    private var next = 0
    private var reported = 0
    /// No job from here on is handed out.
    private var end: Int
    private var results: [Int: Worker.Answer] = [:]
    /// Jobs that are to run once more, each in a fresh process.
    private var again: [Int] = []
    private var firstHashes: [Int: UInt64?] = [:]
    private var crew: [SwarmMember]
    private(set) var summary: Summary
    private var progress: SwarmProgress

    init(
        _ jobs: Jobs, name: String, workers: Int, isJSON: Bool, stopsAtFirstFailure: Bool = false,
        seconds: Int? = nil
    ) {
        self.jobs = jobs
        self.isJSON = isJSON
        self.stopsAtFirstFailure = stopsAtFirstFailure
        deadline = seconds.map { Interrupt.seconds + Double($0) }
        end = jobs.count
        crew = (0..<min(workers, jobs.count)).map { _ in SwarmMember() }
        summary = Summary(name: name)
        progress = SwarmProgress(total: jobs.count)
    }

    /// Runs all jobs, or those until somebody asks for the end; returns the exit code.
    func run() -> Int32 {
        Interrupt.watch()
        summary.begin()
        while true {
            if Interrupt.isAsked || deadline.map({ Interrupt.seconds >= $0 }) ?? false { stop() }
            if Interrupt.isAsked { break }
            for member in crew where member.job == nil {
                guard handOut(to: member) else { return 1 }
            }
            let busy = crew.filter { $0.job.map(isWanted) ?? false }
            if busy.isEmpty { break }
            wait(for: busy)
            progress.show(summary)
        }
        for member in crew { member.dismiss(kills: member.job != nil) }
        progress.clear()
        summary.finish()
        return summary.exitCode
    }

    /// True when somebody waits for a job: those after the end are given up.
    private func isWanted(_ number: Int) -> Bool { number < end || firstHashes[number] != nil }

    private func stop() {
        end = min(end, next)
        again = []
    }

    /// Gives a member something to do, if there is something; false when no process starts.
    private func handOut(to member: SwarmMember) -> Bool {
        let number: Int
        if let waiting = again.popLast() {
            number = waiting
            member.dismiss(kills: false)
        } else if next < end {
            number = next
            next += 1
        } else {
            return true
        }
        if member.start(number, jobs[number]) { return true }
        Terminal.note(
            "simulate: cannot start a process: \(unsafe String(cString: strerror(errno)))")
        for member in crew { member.dismiss(kills: true) }
        return false
    }

    private func wait(for busy: [SwarmMember]) {
        var entries = busy.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
        guard unsafe poll(&entries, nfds_t(entries.count), 250) > 0 else { return }
        for (member, entry) in zip(busy, entries) where entry.revents != 0 {
            guard let number = member.job else { continue }
            switch member.listen() {
            case .nothing: break
            case .answer(let answer): take(answer, number)
            case .died(let how): take(crash(number, how), number)
            }
        }
        report()
    }

    private func crash(_ number: Int, _ how: String) -> Worker.Answer {
        let job = jobs[number]
        let json = JSONLine.object([
            ("scenario", .text(job.scenario)), ("seed", .number(Int64(bitPattern: job.seed))),
            ("traceHash", .null), ("events", .number(0)), ("deviceYears", .thousandths(0)),
            ("result", .text("crash")), ("invariant", .text(Invariant.noTraps.rawValue)),
            ("message", .text(how)),
        ])
        return Worker.Answer(
            code: 2, events: 0, thousandths: 0, traceHash: nil, json: json,
            complaint: "\(Invariant.noTraps.rawValue): \(how)")
    }

    /// Keeps an answer until its turn; every fiftieth seed is asked for twice.
    private func take(_ answer: Worker.Answer, _ number: Int) {
        if let first = firstHashes.removeValue(forKey: number) {
            if first != answer.traceHash { differs(number, first, answer.traceHash) }
            return
        }
        if jobs[number].seed.isMultiple(of: 50), !Interrupt.isAsked {
            firstHashes.updateValue(answer.traceHash, forKey: number)
            again.append(number)
        }
        if answer.code != 0, stopsAtFirstFailure { end = min(end, number + 1) }
        results[number] = answer
    }

    private func differs(_ number: Int, _ first: UInt64?, _ second: UInt64?) {
        let job = jobs[number]
        let text = { (hash: UInt64?) in hash.map { String($0, radix: 16) } ?? "none" }
        let message =
            "not deterministic: trace hashes \(text(first)) and \(text(second))"
        summary.unstable += 1
        if isJSON {
            Terminal.line(
                JSONLine.object([
                    ("scenario", .text(job.scenario)),
                    ("seed", .number(Int64(bitPattern: job.seed))), ("error", .text(message)),
                ]))
        } else {
            progress.clear()
            Terminal.line("\(job.scenario) \(job.seed) # \(message)")
        }
    }

    /// Reports what is next in order, as far as it is there.
    private func report() {
        while reported < end, let answer = results.removeValue(forKey: reported) {
            let job = jobs[reported]
            reported += 1
            summary.add(answer)
            if isJSON {
                Terminal.line(answer.json)
            } else if let complaint = answer.complaint {
                progress.clear()
                Terminal.line("\(job.scenario) \(job.seed) # \(complaint)")
            }
        }
    }
}
