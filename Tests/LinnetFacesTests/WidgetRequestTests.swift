import LinnetFaces
import LinnetMedication
import Testing

/// What WidgetKit does with requests, close entries, reboots and set clocks.
struct WidgetRequestTests {
    private typealias Harness = HostHarness

    @Test func `a reload of one kind asks the widgets of that kind only`() {
        var harness = Harness()
        let (dose, other) = (harness.add(1, kind: "dose"), harness.add(2, kind: "adherence"))
        harness.pass(Harness.hour)
        harness.tell(.reload(kind: "dose"))
        harness.pass(Harness.minute)
        #expect(harness.count(dose) == 2)
        #expect(harness.count(other) == 1)
    }

    @Test func `a reload of all timelines asks every widget`() {
        var harness = Harness()
        let widgets = [harness.add(1, kind: "dose"), harness.add(2, kind: "adherence")]
        harness.pass(Harness.hour)
        harness.tell(.reloadAll)
        harness.pass(Harness.minute)
        #expect(widgets.map(harness.count) == [2, 2])
    }

    @Test func `the current configurations are those that people have put somewhere`() {
        var harness = Harness()
        harness.add(1, kind: "dose")
        harness.add(2, kind: "adherence", .watchFace)
        harness.tell(.removed(WidgetID(1)))
        let configurations = harness.host.currentConfigurations
        #expect(configurations.map(\.id) == [WidgetID(2)])
        #expect(configurations.map(\.configuration.kind) == ["adherence"])
    }

    @Test func `there is a shortest time between two reloads`() {
        var harness = Harness()
        let id = harness.add(1)
        for _ in 0..<30 {
            harness.tell(.reload(kind: "dose"))
            harness.pass(10_000)
        }
        harness.pass(Harness.hour)
        let times = harness.asked.filter { $0.id == id }.map(\.at)
        let spacing = WidgetLimits().reloadSpacingMilliseconds
        #expect(times.count > 1)
        #expect(
            zip(times, times.dropFirst()).allSatisfy { $1.milliseconds(since: $0) >= spacing })
    }

    @Test func `reloads that come due at about one time are done together`() {
        var harness = Harness()
        let start = harness.later(Harness.hour)
        harness.answer = { id, now in
            let due = start.advanced(byMilliseconds: Int64(id.number) * 1_000)
            return Timeline(
                [PlainEntry(date: now)], policy: now < start ? .after(due) : .never)
        }
        for number in 1...5 { harness.add(number) }
        harness.pass(2 * Harness.hour)
        let late = harness.asked.filter { $0.at > start }
        #expect(late.count == 5)
        #expect(Set(late.map(\.at)).count == 1)
    }

    @Test func `many requests for one widget are one reload`() {
        var harness = Harness()
        let id = harness.add(1)
        harness.pass(Harness.hour)
        for _ in 0..<50 { harness.tell(.reload(kind: "dose")) }
        harness.pass(Harness.minute)
        #expect(harness.count(id) == 2)
    }

    @Test func `a push reloads every widget, carries nothing and is budgeted itself`() {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.pushesPerDay = 2
        }
        let id = harness.add(1)
        for _ in 0..<6 {
            harness.pass(Harness.hour)
            harness.tell(.pushed)
        }
        harness.pass(Harness.hour)
        #expect(harness.count(id) == 3)
        #expect(
            harness.host.reloadsLeft(id, at: harness.now) == WidgetLimits().reloadsPerDay - 2)
    }

    @Test func `requests are ignored for a while after the app was opened from a widget`() {
        for deaf in [Int64(0), 30_000] {
            var harness = Harness { $0.deafAfterOpeningMilliseconds = deaf }
            let id = harness.add(1)
            harness.pass(Harness.hour)
            harness.tell(.openedFromWidget)
            harness.tell(.reload(kind: "dose"))
            harness.pass(Harness.hour)
            #expect(harness.count(id) == (deaf == 0 ? 2 : 1))
            harness.tell(.reload(kind: "dose"))
            harness.pass(Harness.hour)
            #expect(harness.count(id) == (deaf == 0 ? 3 : 2))
        }
    }

    // MARK: Entries

    @Test func `entries are up for five minutes at least, and what they overtake is left out`() {
        var harness = Harness()
        harness.answer = { _, now in
            Timeline(
                [0, 1, 2, 3, 9].map {
                    PlainEntry(
                        date: now.advanced(byMilliseconds: $0 * Harness.minute), name: "\($0)")
                }, policy: .never)
        }
        let id = harness.add(1)
        harness.pass(Harness.hour)
        #expect(harness.names(id) == ["0", "3", "9"])
        let times = harness.shown.filter { if case .entry = $0.what { true } else { false } }
        #expect(times[1].at.milliseconds(since: times[0].at) == 5 * Harness.minute)
        #expect(times[2].at.milliseconds(since: times[1].at) == 5 * Harness.minute)
    }

    @Test func `close entries are shown at their dates when the switch says so`() {
        var harness = Harness { $0.closeEntries = .show }
        harness.answer = { _, now in
            Timeline(
                (0..<4).map {
                    PlainEntry(
                        date: now.advanced(byMilliseconds: $0 * Harness.minute), name: "\($0)")
                }, policy: .never)
        }
        let id = harness.add(1)
        harness.pass(Harness.hour)
        #expect(harness.names(id) == ["0", "1", "2", "3"])
    }

    @Test func `no entry is up past its bound, however close the next one is`() {
        var harness = Harness()
        harness.answer = { _, now in
            let bound = now.advanced(byMilliseconds: 2 * Harness.minute)
            return Timeline(
                [PlainEntry(date: now, name: "known", staleAfter: bound)], policy: .never
            ).keepingBounds { PlainEntry(date: $0, name: "unknown") }
        }
        let id = harness.add(1)
        harness.pass(2 * Harness.minute)
        #expect(harness.names(id) == ["known", "unknown"])
        #expect(harness.count(id) == 1)
    }

    @Test func `before its first timeline a widget shows the placeholder`() {
        var harness = Harness()
        harness.answer = { _, _ in nil }
        let id = harness.add(1)
        #expect(harness.host.shown(id) == .placeholder)
        #expect(harness.shown.map(\.what) == [.placeholder])
    }

    @Test func `a provider that does not answer is asked again, and its entry stays up`() {
        var harness = Harness()
        let id = harness.add(1)
        harness.answer = { _, _ in nil }
        harness.tell(.intentPerformed(id))
        harness.pass(Harness.hour)
        #expect(harness.count(id) > 2)
        #expect(harness.host.shown(id) != .placeholder)
        let asked = harness.count(id)
        harness.tell(
            .timeline(id, request: 1, Timeline([PlainEntry(date: harness.now)], policy: .never)))
        #expect(harness.count(id) == asked)
    }

    // MARK: Reboots and clocks

    @Test func `after a reboot every widget is locked until the first unlock`() {
        var harness = Harness()
        harness.answer = { _, now in
            Timeline(
                [PlainEntry(date: now)],
                policy: .after(now.advanced(byMilliseconds: Harness.hour)))
        }
        let id = harness.add(1)
        harness.tell(.rebooted)
        harness.tell(.reloadAll)
        harness.tell(.intentPerformed(id))
        harness.pass(5 * Harness.hour)
        #expect(harness.host.shown(id) == .locked)
        #expect(harness.count(id) == 1)
        harness.tell(.unlocked)
        harness.pass(Harness.minute)
        #expect(harness.host.shown(id) != .locked)
        #expect(harness.count(id) == 2)
    }

    @Test func `the timeline of before a reboot is drawn again, or not, as the switch says`() {
        for choice in [WidgetLimits.AfterReboot.redraw, .placeholder] {
            var harness = Harness { $0.afterReboot = choice }
            let id = harness.add(1)
            harness.answer = { _, _ in nil }
            harness.tell(.rebooted)
            harness.tell(.unlocked)
            #expect((harness.host.shown(id) == .placeholder) == (choice == .placeholder))
        }
    }

    @Test func `a clock that is set back gains no reloads`() {
        var harness = Harness {
            $0.learningMilliseconds = 0
            $0.reloadsPerDay = 3
        }
        let id = harness.add(1)
        for _ in 0..<6 {
            harness.tell(.reload(kind: "dose"))
            harness.pass(Harness.hour)
            harness.now = harness.later(-Harness.hour)
        }
        #expect(harness.host.reloadsLeft(id, at: harness.now) == 0)
        #expect(harness.count(id) == 4)
    }

    @Test func `a host at the end of time does not trap`() {
        var harness = Harness()
        harness.answer = { _, now in
            Timeline(
                [PlainEntry(date: now, staleAfter: Instant(milliseconds: .max))], policy: .atEnd)
        }
        harness.now = Instant(milliseconds: .max - 1)
        let id = harness.add(1)
        harness.tell(.reloadAll)
        harness.tell(.wake)
        harness.now = Instant(milliseconds: .min)
        harness.tell(.wake)
        #expect(harness.count(id) >= 1)
    }
}
