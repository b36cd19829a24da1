import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Observes a run, and keeps what a page shows of it.
///
/// It is told what happens and looks at what replicas have in memory. It asks no replica, store,
/// disk or generator for anything: a run is the same with it and without.
package final class StoryRecorder {
    var shelf: StoryShelf
    var chains = StoryChains()
    /// By device, in the order in which they appeared.
    var seen: [SeenDevice] = []
    let actions: StoryActions
    /// The batches that showed on each device at the last look, where an inspector names them.
    var applied: [FactSet] = []
    /// The number of times that each fault had happened at the last look.
    var faults: [Int] = []
    /// The faults of the weather that the current links have shown.
    var weather: Set<FaultKind> = []
    /// The time of the last word.
    private(set) var now: Int64 = 0
    /// The device whose replica answered last.
    private(set) var current: Int?
    /// True where an inspector tells which batches show; else the replicas' own words do.
    var isNamedByInspector = false

    /// A device as it was at the last look.
    struct SeenDevice {
        var name = ""
        var device: DeviceID?
        var process = ""
        var standing = ""
        var wasMember = false
        var clock: Int64 = 0
        var version = -1
        var holdings: [Int: StoryHolding] = [:]
        var rows: [ChainRow] = []
        var disk = DiskCounters()
    }

    init(_ plan: Plan, bounds: StoryShelf.Bounds = StoryShelf.Bounds()) {
        shelf = StoryShelf(bounds)
        actions = StoryActions(
            names: StoryNames(plan.schemas),
            staysDown: plan.sabotage == nil && plan.membership == nil)
        if plan.lyingDisks {
            shelf.add(
                StoryItem(
                    .fault, 0, nil, "The disks of this run lie",
                    why: "They answer a sync as done and do not do it: what was promised to be "
                        + "durable goes with the power."))
        }
    }

    var names: StoryNames { actions.names }

    // MARK: What is told

    func add(_ item: StoryItem) {
        now = max(now, item.time)
        shelf.add(item)
    }

    func action(_ time: Int64, _ action: Action) { add(actions.item(action, at: time)) }

    /// Bytes reach a device; nobody knows the sender of those from outside.
    func arrival(_ time: Int64, from: Int, to: Int, bytes: Int) {
        now = max(now, time)
        // Messages that bring nothing are one run, also where two devices say them in turn.
        let before = shelf.takeQuiet { item in
            time - item.since < 600_000
                && (item.device == from && item.other == to
                    || item.device == to && item.other == from)
        }
        var item = before ?? StoryItem(.message, time, from, to: to, "")
        if before != nil { item.count += 1 }
        item.device = from
        item.other = to
        item.bytes += bytes
        item.time = time
        item.text = Self.message(item)
        shelf.add(item)
    }

    private static func message(_ item: StoryItem) -> String {
        let from = StoryWords.device(item.device)
        let to = StoryWords.device(item.other)
        let bytes = StoryWords.counted(item.bytes, "byte")
        return item.count == 1
            ? "A message of \(bytes) from \(from) reaches \(to)"
            : "\(StoryWords.counted(item.count, "message")) between \(from) and \(to), \(bytes); "
                + "the last reaches \(to)"
    }

    func note(_ time: Int64, _ device: Int, _ text: String, _ kind: StoryItem.Kind) {
        add(StoryItem(kind, time, device, "Device \(device) \(text)"))
    }

    /// Something that concerns everybody begins.
    func phase(_ time: Int64, _ text: String, why: String) {
        add(StoryItem(.phase, time, nil, text, why: why))
    }

    func step(_ time: Int64, _ device: Int, _ effects: [Effect]) {
        now = max(now, time)
        current = device
        for case .notify(let event) in effects { hear(event, time, device) }
    }

    /// A link is opened, or the first of its ends is closed.
    func link(_ time: Int64, _ left: Int, _ right: Int, isUp: Bool) {
        guard left != right else { return }
        weather = []
        let change = StoryChange.linked(left, right, isUp: isUp)
        if var last = shelf.last, last.time == time,
            last.kind != .message || !isUp, last.touches(left) || last.touches(right)
        {
            last.change(change)
            shelf.last = last
            return
        }
        var item = StoryItem(
            .meet, time, left, to: right,
            "The link between device \(left) and device \(right) \(isUp ? "opens" : "ends")")
        item.change(change)
        add(item)
    }

    /// Adds to what just happened to a device, or tells it as something of its own.
    func attach(
        _ time: Int64, _ device: Int, _ kind: StoryItem.Kind, _ text: @autoclosure () -> String,
        _ body: (inout StoryItem) -> Void
    ) {
        now = max(now, time)
        if var last = shelf.last, last.time == time, last.touches(device), last.kind != .gap {
            body(&last)
            shelf.last = last
            return
        }
        var item = StoryItem(kind, time, device, text())
        body(&item)
        shelf.add(item)
    }

    /// The word for a device key.
    func name(_ device: DeviceID) -> String {
        let known = seen.indices.filter { seen[$0].device == device }
        guard !known.isEmpty else { return "a device \(device.description.prefix(6))" }
        return known.map { "device \($0)" }.joined(separator: " or ")
    }
}

extension StoryItem {
    /// True when it is about a device; a message is about the one that gets it.
    func touches(_ number: Int) -> Bool {
        kind == .message ? other == number : device == number || other == number
    }
}
