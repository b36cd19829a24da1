import Linnet
import LinnetControl
import Testing

@testable import LinnetCLI

/// The time that is told against the time that it took, in real runs that were recorded.
struct TimeLeftTests {
    /// A second of the run in which a line was told: the seconds told, and the seconds it took.
    private struct Told {
        let at: Int64
        let told: Double
        let real: Double
    }

    /// Replays a recorded run as a person without a terminal sees it: a line a second.
    private func replay(
        _ recorded: String, _ work: Work, _ note: (inout Work, Int, Int, Int?, Int64) -> Void
    ) throws -> [Told] {
        var work = work
        let entries = recorded.split { $0 == "," || $0 == "\n" }.map { $0.split(separator: " ") }
        let end = try #require(entries.last?.first.flatMap { Int64($0) })
        var told: [Told] = []
        var last: Int64 = 0
        for entry in entries.dropLast() {
            let numbers = entry.compactMap { Int64($0) }
            try #require(numbers.count == 4)
            let (now, total) = (numbers[0], numbers[3] < 0 ? nil : Int(numbers[3]))
            note(&work, Int(numbers[1]), Int(numbers[2]), total, now)
            guard now - last >= 1_000 else { continue }
            last = now
            guard let line = work.text(at: now).firstMatch(of: /, (\d+(?:\.\d)?) (s|min) left$/),
                let number = Double(line.1)
            else { continue }
            told.append(
                Told(
                    at: now, told: line.2 == "s" ? number : number * 60,
                    real: Double(end - now) / 1000))
        }
        return told
    }

    /// After the first second no line is off by more than half; in the last one tenths of a second
    /// say too little.
    private func expectTrue(_ told: [Told], atLeast count: Int) {
        #expect(told.count >= count)
        for line in told where line.at > 1_000 && line.real > 1 {
            let ratio = line.told / line.real
            #expect(
                (0.5...1.5).contains(ratio), "\(line.told) s at \(line.at) ms: \(line.real) s")
        }
    }

    @Test func `an import tells the time of all its steps`() throws {
        let told = try replay(RecordedWork.importing, Work(ImportStep.all)) {
            if $1 == ImportStep.planning { ImportStep.expectAll(in: &$0) }
            $0.tell($2, of: $3, in: $1, at: $4)
        }
        expectTrue(told, atLeast: 8)
    }

    private func read(_ costs: ReadingCosts, _ recorded: String) throws -> [Told] {
        try replay(recorded, Work(costs.steps)) { work, step, done, total, now in
            guard step == 0, let total else {
                return work.tell(done, of: total, in: step, at: now)
            }
            var report = ReadingReport()
            report.take(ControlProgress(done: done, of: total, found: done))
            costs.note(report, in: &work, at: now)
        }
    }

    @Test func `an export tells the time of reading and writing`() throws {
        expectTrue(try read(ExportCommand.costs, RecordedWork.exporting), atLeast: 5)
    }

    @Test func `a query tells the time of reading and showing`() throws {
        expectTrue(try read(.showing, RecordedWork.querying), atLeast: 13)
    }

    @Test func `a synchronisation tells the time until a large commit shows`() throws {
        let work = Work([WorkStep("batches exchanged and shown", inPartsOf: 100)])
        let told = try replay(RecordedWork.synchronising, work) {
            $0.tell($2, of: $3, in: $1, at: $4)
        }
        expectTrue(told, atLeast: 7)
    }

    @Test func `what will not be shown costs no time`() {
        let costs = ReadingCosts(things: "records shown", cost: 2)
        func left(_ isFound: Bool) -> String {
            var work = Work(costs.steps)
            for (done, now) in [(10_000, 1_000), (50_000, 5_000)] as [(Int, Int64)] {
                var report = ReadingReport()
                report.take(ControlProgress(done: done, of: 100_000, found: isFound ? done : 0))
                costs.note(report, in: &work, at: now)
            }
            return work.text(at: 5_000)
        }
        #expect(left(false).hasSuffix(", 10000/s, 5.0 s left"))
        #expect(left(true).hasSuffix(", 10000/s, 27 s left"))
    }

    @Test func `what goes on is not said to stand still, where its cost is not known`() {
        let costs = ReadingCosts(things: "records shown", cost: 2)
        var work = Work(costs.steps)
        for second in 0...8 {
            work.tell(second * 1_000, of: 10_000, in: 1, at: Int64(second) * 1_000)
        }
        #expect(work.text(at: 8_000).hasSuffix(", 1000/s, time left not known yet"))
        #expect(work.text(at: 12_000).hasSuffix(" records taken over, nothing new for 4 s"))
    }

    @Test func `the last step is told of by its own speed`() {
        var work = Work(ReadingCosts(things: "records shown", cost: 2).steps)
        for second in 0...4 {
            work.tell(second * 1_000, of: 4_000, in: 0, at: Int64(second) * 1_000)
        }
        work.weigh(1, 0)
        work.weigh(2, 2)
        for second in 0...2 {
            work.tell(second * 100, of: 4_000, in: 2, at: Int64(4 + second) * 1_000)
        }
        #expect(work.text(at: 6_000) == "200 of 4000 records shown, 100/s, 38 s left")
    }

    @Test func `of a reading that may end early no time is told before its end is known`() {
        var costs = ReadingCosts(things: "records shown", cost: 2)
        costs.most = 4_000
        var work = Work(costs.steps)
        func tell(_ read: Int, of total: Int, found: Int, at now: Int64) -> String {
            var report = ReadingReport()
            report.take(ControlProgress(done: read, of: total, found: found))
            costs.note(report, in: &work, at: now)
            return work.text(at: now)
        }
        _ = tell(1_000, of: 0, found: 0, at: 1_000)
        #expect(
            tell(2_000, of: 0, found: 0, at: 2_000)
                == "2000 records read, 1000/s, time left not known yet")
        _ = tell(3_000, of: 8_000, found: 1_500, at: 3_000)
        // Four seconds of reading, then half of what was read is shown at half the speed.
        let line = tell(4_000, of: 8_000, found: 2_000, at: 4_000)
        #expect(line.hasPrefix("4000 of 8000 records read, 1000/s, "))
        #expect(line.hasSuffix("12 s left") || line.hasSuffix("13 s left"), "\(line)")
    }

    @Test func `as long as nobody knows how much there is to do, no time is told`() {
        var work = Work(ImportStep.all)
        for second in 0...5 {
            work.tell(second * 100, of: 1_000, in: ImportStep.reading, at: Int64(second) * 1_000)
        }
        #expect(work.text(at: 5_000) == "500 of 1000 lines read, 100/s, time left not known yet")
        ImportStep.expectAll(in: &work)
        // Lines are read by other means than changes are compared and written.
        for second in 5...7 {
            work.tell(
                (second - 5) * 100, of: 1_000, in: ImportStep.planning, at: Int64(second) * 1_000)
        }
        #expect(work.text(at: 7_000) == "200 of 1000 lines compared, 100/s, 55 s left")
    }
}
