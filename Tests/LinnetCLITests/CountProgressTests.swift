import Testing

@testable import LinnetCLI

struct CountProgressTests {
    private func text(
        _ samples: [(Int64, Int)], of total: Int?, at now: Int64,
        _ step: WorkStep = WorkStep("lines read")
    ) -> String {
        var work = Work([WorkStep(step.things, inPartsOf: step.parts, cost: total.map { _ in 1 })])
        for (at, done) in samples { work.tell(done, of: total, at: at) }
        return work.text(at: now)
    }

    @Test func `a rate and the time left are told once they are known`() {
        #expect(
            text([(0, 0), (900, 100)], of: 5_000, at: 900)
                == "100 of 5000 lines read, time left not known yet")
        #expect(
            text([(0, 0), (1_000, 2_000)], of: 5_000, at: 1_000)
                == "2000 of 5000 lines read, 2000/s, 1.5 s left")
        #expect(
            text([(0, 0), (1_000, 10)], of: 5_000, at: 1_000)
                == "10 of 5000 lines read, 10/s, 8 min left")
        #expect(
            text([(0, 0), (1_000, 6_000)], of: 5_000, at: 1_000)
                == "6000 of 6000 lines read, 6000/s, 0 s left")
        #expect(
            text([(0, 0), (1_000, 600)], of: nil, at: 1_000)
                == "600 lines read, 600/s, time left not known yet")
    }

    @Test func `what is told in parts is shown in percent of the whole things`() {
        let step = WorkStep("changes written", inPartsOf: 100)
        #expect(
            text([(0, 0), (2_000, 125_000)], of: 500_000, at: 2_000, step)
                == "25 % of 5000 changes written, 625/s, 6.0 s left")
        #expect(
            text([(0, 0)], of: nil, at: 0, step)
                == "0 changes written, time left not known yet")
        #expect(
            text([(0, 0)], of: 0, at: 0, step)
                == "0 % of 0 changes written, time left not known yet")
    }

    @Test func `what went fast in the beginning does not shorten the time that is left`() {
        var samples: [(Int64, Int)] = [(0, 0), (1_000, 1_000)]
        for second in 1...10 {
            samples.append((1_000 + Int64(second) * 1_000, 1_000 + 10 * second))
        }
        #expect(text(samples, of: 1_200, at: 11_000).hasSuffix("10/s, 10 s left"))
    }

    @Test func `nothing is promised while nothing happens`() {
        let samples: [(Int64, Int)] = [(0, 0), (1_000, 100), (2_000, 100), (9_000, 100)]
        #expect(text(samples, of: 200, at: 9_000) == "100 of 200 lines read, nothing new for 8 s")
        #expect(text([(0, 7)], of: 200, at: 3_500) == "7 of 200 lines read, nothing new for 3 s")
    }

    @Test func `the time runs down between two pieces of news, to three quarters at most`() {
        let samples: [(Int64, Int)] = [(0, 0), (2_000, 200)]
        #expect(text(samples, of: 1_000, at: 2_000).hasSuffix("8.0 s left"))
        #expect(text(samples, of: 1_000, at: 4_000).hasSuffix("6.0 s left"))
        #expect(text(samples, of: 600, at: 4_900).hasSuffix("3.0 s left"))
    }

    @Test func `another beginning forgets the one before`() {
        var rate = ProgressRate()
        rate.note(1_000, at: 0)
        rate.note(2_000, at: 1_000)
        rate.note(0, at: 1_100)
        #expect(rate.perSecond(at: 1_900) == nil)
        rate.note(10, at: 2_100)
        #expect(rate.perSecond(at: 2_100) == 10)
    }
}
