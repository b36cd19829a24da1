import LinnetFaces
import LinnetMedication
import Testing

/// What WidgetKit documents, one test a sentence; docs/companion-widgets.md lists them.
struct WidgetHostTests {
    private typealias Harness = HostHarness

    // MARK: Policies

    @Test func `at the end asks again after the last entry's date has passed`() {
        var harness = Harness()
        let last = harness.later(2 * Harness.hour)
        harness.answer = { _, now in
            Timeline([PlainEntry(date: now), PlainEntry(date: max(now, last))], policy: .atEnd)
        }
        let id = harness.add(1)
        harness.pass(2 * Harness.hour - 1)
        #expect(harness.count(id) == 1)
        harness.pass(Harness.minute)
        #expect(harness.count(id) == 2)
    }

    @Test func `after a date asks then, before the last entry or after it`() {
        for wait in [Harness.hour, 5 * Harness.hour] {
            var harness = Harness()
            harness.answer = { _, now in
                Timeline(
                    [
                        PlainEntry(date: now),
                        PlainEntry(date: now.advanced(byMilliseconds: 3 * Harness.hour)),
                    ], policy: .after(now.advanced(byMilliseconds: wait)))
            }
            let id = harness.add(1)
            harness.pass(wait - 1)
            #expect(harness.count(id) == 1)
            harness.pass(Harness.minute)
            #expect(harness.count(id) == 2)
        }
    }

    @Test func `never asks again before the app does`() {
        var harness = Harness()
        let id = harness.add(1)
        harness.pass(20 * Harness.day)
        #expect(harness.count(id) == 1)
        harness.tell(.reload(kind: "dose"))
        harness.pass(Harness.minute)
        #expect(harness.count(id) == 2)
    }

    @Test func `entries come up at their dates without anybody being asked`() {
        var harness = Harness()
        harness.answer = { _, now in
            Timeline(
                (0..<4).map {
                    PlainEntry(
                        date: now.advanced(byMilliseconds: $0 * Harness.hour), name: "\($0)")
                }, policy: .never)
        }
        let id = harness.add(1)
        harness.pass(10 * Harness.hour)
        #expect(harness.names(id) == ["0", "1", "2", "3"])
        #expect(harness.count(id) == 1)
    }

    // MARK: Budget

    /// Reloads asked for by a background app every minute of a day.
    private func reloadsOfBusyDay(
        _ place: WidgetConfiguration.Place, _ viewing: WidgetConfiguration.Viewing,
        _ change: (inout WidgetLimits) -> Void = { $0.learningMilliseconds = 0 }
    ) -> Int {
        var harness = Harness(change)
        let id = harness.add(1, place, viewing)
        let before = harness.count(id)
        for _ in 0..<(24 * 60 - 2) {
            harness.tell(.reload(kind: "dose"))
            harness.pass(Harness.minute)
        }
        return harness.count(id) - before
    }

    @Test func `a widget that is often looked at has between 40 and 70 reloads a day`() {
        let reloads = reloadsOfBusyDay(.screen, .frequent)
        #expect(reloads == WidgetLimits().reloadsPerDay)
        #expect((40...70).contains(reloads))
    }

    @Test func `a complication has up to 75 reloads a day, because it is always in view`() {
        #expect(reloadsOfBusyDay(.watchFace, .frequent) == 75)
        #expect(reloadsOfBusyDay(.watchFace, .rare) == 75)
    }

    @Test func `a widget that is seldom looked at has fewer reloads`() {
        let reloads = reloadsOfBusyDay(.screen, .rare)
        #expect(reloads == WidgetLimits().rareReloadsPerDay)
        #expect(reloads < WidgetLimits().reloadsPerDay)
    }

    @Test func `a new widget has extra reloads while the system learns`() {
        let reloads = reloadsOfBusyDay(.screen, .frequent) { _ in }
        #expect(reloads == WidgetLimits().reloadsPerDay + WidgetLimits().learningReloadsPerDay)
    }

    @Test
    func `a widget that comes into view is brought up to date although it had used its share`() {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.rareReloadsPerDay = 1
        }
        let id = harness.add(1, .screen, .rare)
        for _ in 0..<3 {
            harness.tell(.reload(kind: "dose"))
            harness.pass(Harness.hour)
        }
        #expect(harness.count(id) == 2)
        harness.tell(.viewed(id))
        #expect(harness.count(id) == 3)
    }

    @Test func `two widgets of one kind have two budgets`() {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.reloadsPerDay = 2
        }
        harness.answer = { id, now in
            Timeline(
                [PlainEntry(date: now)],
                policy: id.number == 1
                    ? .after(now.advanced(byMilliseconds: Harness.hour)) : .never)
        }
        let (one, other) = (harness.add(1), harness.add(2))
        harness.pass(10 * Harness.hour)
        #expect(harness.host.reloadsLeft(one, at: harness.now) == 0)
        #expect(harness.host.reloadsLeft(other, at: harness.now) == 2)
        #expect(harness.count(one) == 3)
    }

    @Test func `the budget is a window of 24 hours and knows no midnight`() {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.reloadsPerDay = 2
        }
        let id = harness.add(1)
        harness.pass(23 * Harness.hour)
        for _ in 0..<2 {
            harness.tell(.reload(kind: "dose"))
            harness.pass(10 * Harness.minute)
        }
        let spent = harness.count(id)
        harness.tell(.reload(kind: "dose"))
        harness.pass(23 * Harness.hour)
        #expect(harness.count(id) == spent)
        harness.pass(Harness.hour)
        #expect(harness.count(id) == spent + 1)
    }

    @Test func `a request is no guarantee, and nothing answers it`() {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.reloadsPerDay = 0
        }
        let id = harness.add(1)
        let effects = harness.host.handle(.reload(kind: "dose"), at: harness.now)
        #expect(effects.isEmpty)
        harness.pass(3 * Harness.day)
        #expect(harness.count(id) == 1)
    }

    // MARK: Free of charge

    private func isFree(_ input: (WidgetID) -> WidgetInput<PlainEntry>) -> Bool {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.reloadsPerDay = 0
        }
        let id = harness.add(1)
        harness.pass(Harness.hour)
        harness.tell(input(id))
        harness.pass(Harness.minute)
        return harness.count(id) == 2 && harness.asked.last?.at == harness.later(-Harness.minute)
    }

    @Test func `a widget's own intent reloads it at once and is not counted`() {
        #expect(isFree { .intentPerformed($0) })
    }

    @Test func `an animation is not counted`() {
        #expect(isFree { .animated($0) })
    }

    @Test func `a refresh of the display in StandBy is not counted`() {
        #expect(isFree { .standBy($0) })
    }

    @Test func `a change of the locale is not counted`() {
        #expect(isFree { _ in .changed(.locale) })
    }

    @Test func `a change of text size or accessibility is not counted`() {
        #expect(isFree { _ in .changed(.accessibility) })
    }

    @Test func `a significant change of time is not counted`() {
        #expect(isFree { _ in .changed(.significantTime) })
    }

    @Test func `a significant change of location is not counted`() {
        #expect(isFree { _ in .changed(.significantLocation) })
    }

    @Test func `reloads are not counted while the app is in the foreground`() {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.reloadsPerDay = 1
        }
        let id = harness.add(1)
        harness.tell(.app(isInForeground: true))
        for _ in 0..<5 {
            harness.tell(.reloadAll)
            harness.pass(Harness.minute)
        }
        #expect(harness.count(id) == 6)
        #expect(harness.host.reloadsLeft(id, at: harness.now) == 1)
        harness.tell(.app(isInForeground: false))
        harness.tell(.reloadAll)
        harness.pass(10 * Harness.minute)
        #expect(harness.host.reloadsLeft(id, at: harness.now) == 0)
    }

    @Test func `reloads are not counted during an audio or navigation session`() {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.reloadsPerDay = 0
        }
        let id = harness.add(1)
        harness.tell(.session(isActive: true))
        harness.tell(.reload(kind: "dose"))
        #expect(harness.count(id) == 2)
        harness.tell(.session(isActive: false))
        harness.tell(.reload(kind: "dose"))
        harness.pass(Harness.day)
        #expect(harness.count(id) == 2)
    }

    @Test func `no limits are imposed while debugging`() {
        var harness = Harness {
            $0.areImposed = false
            $0.reloadsPerDay = 0
        }
        let id = harness.add(1)
        for _ in 0..<100 { harness.tell(.reload(kind: "dose")) }
        #expect(harness.count(id) == 101)
    }

    @Test func `a reload asked for from a background wake counts`() {
        var harness = Harness { $0.learningMilliseconds = 0 }
        let id = harness.add(1)
        let before = harness.host.reloadsLeft(id, at: harness.now)
        harness.tell(.reload(kind: "dose"))
        harness.pass(10 * Harness.minute)
        #expect(harness.host.reloadsLeft(id, at: harness.now) == before.map { $0 - 1 })
    }
}
