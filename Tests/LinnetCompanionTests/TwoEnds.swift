import LinnetWire

@testable import LinnetCompanion

/// One machine with its rows, its inbox and an app that does as it is told.
struct End {
    let role: CompanionRole
    let device: DeviceID
    var machine: Companion
    var rows: [[UInt8]: [UInt8]] = [:]
    /// Files that were received, by transfer.
    var inbox: [TransferID: [UInt8]] = [:]
    /// Files that can be sent, by reference.
    var files: [String: [UInt8]] = [:]
    var told: [CompanionEvent] = []
    var accepted: [TransferID] = []
    var effects: [CompanionEffect] = []
    var wakes = 0
    var ends = 0
    /// What the app answers to a message, nil for nothing.
    var reply: PropertyDictionary? = ["ok": .bool(true)]
    /// Whether the app is started when the machine asks for it, and completes its tasks.
    var startsWhenAsked = true
    var completesTasks = true
    var claimsFiles = true
    var returnsFromCalls = true
    var processes = true

    init(
        _ role: CompanionRole, device: UInt8, installation: UInt8, switches: CompanionSwitches
    ) throws {
        self.role = role
        self.device = DeviceID(repeating: device)
        machine = try Companion(
            role: role, installation: Bytes8(repeating: installation), switches: switches,
            journal: [])
    }

    var journal: [JournalRow] { rows.map { JournalRow(key: $0.key, value: $0.value) } }

    /// The process ends and is opened from its rows.
    mutating func reopen(installation: UInt8 = 99) throws {
        machine = try Companion(
            role: role, installation: Bytes8(repeating: installation),
            switches: machine.switches, journal: journal)
    }

    var userInfos: [PropertyDictionary] {
        told.compactMap { if case .receivedUserInfo(let info) = $0 { info.userInfo } else { nil } }
    }

    var contexts: [PropertyDictionary] {
        told.compactMap { if case .receivedApplicationContext(let it) = $0 { it } else { nil } }
    }

    var finished: [(transfer: CompanionTransfer, error: CompanionError?)] {
        told.compactMap {
            switch $0 {
            case .userInfoFinished(let transfer, let error): (transfer, error)
            case .fileFinished(let transfer, let error): (transfer, error)
            default: nil
            }
        }
    }

    var outcomes: [MessageOutcome] {
        told.compactMap { if case .messageFinished(_, let outcome) = $0 { outcome } else { nil } }
    }

    var messages: [MessageContent] {
        told.compactMap { if case .receivedMessage(_, let it, _) = $0 { it } else { nil } }
    }

    var receivedFiles: [ReceivedFile] {
        told.compactMap { if case .receivedFile(let file) = $0 { file } else { nil } }
    }
}

/// A phone and a watch joined by a link that can be cut, doubled and refused.
struct TwoEnds {
    var phone: End
    var watch: End
    var isLinkUp = false
    /// Frames on their way, in order.
    var toPhone: [[UInt8]] = []
    var toWatch: [[UInt8]] = []
    var now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000_000)
    /// Every n-th frame comes twice; 0 for none.
    var doublesEvery = 0
    private var frames = 0

    enum Side { case phone, watch }

    init(_ switches: CompanionSwitches = CompanionSwitches()) throws {
        phone = try End(.phone, device: 1, installation: 11, switches: switches)
        watch = try End(.watch, device: 2, installation: 22, switches: switches)
    }

    /// Paired, installed, both apps on screen, activated and linked.
    static func together(
        _ switches: CompanionSwitches = CompanionSwitches()
    ) throws -> TwoEnds {
        var ends = try TwoEnds(switches)
        try ends.pair()
        try ends.launch(.phone)
        try ends.launch(.watch)
        try ends.link()
        ends.phone.told = []
        ends.watch.told = []
        return ends
    }

    mutating func pair() throws {
        try give(.phone, .environment(.paired(watch.device)))
        try give(.watch, .environment(.paired(phone.device)))
    }

    mutating func launch(_ side: Side, _ state: AppState = .foreground) throws {
        try give(side, .environment(.app(state)))
        try give(side, .activate(hasDelegate: true))
    }

    mutating func link() throws {
        isLinkUp = true
        try give(.phone, .environment(.link(watch.device, isUp: true)))
        try give(.watch, .environment(.link(phone.device, isUp: true)))
        try run()
    }

    mutating func cut() throws {
        isLinkUp = false
        toPhone = []
        toWatch = []
        try give(.phone, .environment(.link(watch.device, isUp: false)))
        try give(.watch, .environment(.link(phone.device, isUp: false)))
    }

    /// One end's process ends and starts again, its app with it; the link is cut.
    mutating func restart(_ side: Side) throws {
        try cut()
        if side == .phone { try phone.reopen() } else { try watch.reopen() }
    }

    /// One input to one end; frames wait until `run`.
    mutating func give(_ side: Side, _ input: CompanionInput) throws {
        var end = side == .phone ? phone : watch
        let effects = try end.machine.handle(input, at: now)
        for effect in effects {
            if case .put(let row) = effect { end.rows[row.key] = row.value }
            if case .remove(let key) = effect { end.rows[key] = nil }
        }
        end.effects += effects
        if side == .phone { phone = end } else { watch = end }
        for effect in effects { try perform(effect, side) }
    }

    @discardableResult
    mutating func ask(_ side: Side, _ command: AppCommand) throws -> TransferID? {
        let before = side == .phone ? phone.accepted.count : watch.accepted.count
        try give(side, .app(command))
        let accepted = side == .phone ? phone.accepted : watch.accepted
        return accepted.count > before ? accepted[before] : nil
    }

    private mutating func change(_ side: Side, _ body: (inout End) -> Void) {
        if side == .phone { body(&phone) } else { body(&watch) }
    }

    private mutating func perform(_ effect: CompanionEffect, _ side: Side) throws {
        let end = side == .phone ? phone : watch
        switch effect {
        case .put, .remove, .wakeCounterpart, .removeWatchDirectory: break
        case .store(let id, let offset, let bytes):
            change(side) {
                $0.inbox[id] = Array(($0.inbox[id] ?? []).prefix(Int(offset))) + bytes
            }
        case .discard(let id): change(side) { $0.inbox[id] = nil }
        case .accepted(let id): change(side) { $0.accepted.append(id) }
        case .readFile(let id, let reference, let offset, let count):
            guard let file = end.files[reference] else {
                try give(side, .app(.fileUnreadable(id)))
                return
            }
            let bytes = Array(file.dropFirst(Int(offset)).prefix(count))
            try give(side, .app(.fileBytes(id, offset: offset, bytes)))
        case .send(let peer, let frame):
            guard isLinkUp, peer == (side == .phone ? watch.device : phone.device) else { return }
            frames += 1
            let copies = doublesEvery > 0 && frames.isMultiple(of: doublesEvery) ? 2 : 1
            let sent = [[UInt8]](repeating: frame, count: copies)
            if side == .phone { toWatch += sent } else { toPhone += sent }
        case .wakeApp:
            change(side) { $0.wakes += 1 }
            guard end.startsWhenAsked else { return }
            try give(side, .environment(.app(.background)))
            // A process that was only suspended is activated already.
            let machine = side == .phone ? phone.machine : watch.machine
            if machine.activationState == .notActivated {
                try give(side, .activate(hasDelegate: true))
            }
        case .endApp: change(side) { $0.ends += 1 }
        case .tell(let event): try hear(event, side)
        }
    }

    private mutating func hear(_ event: CompanionEvent, _ side: Side) throws {
        change(side) { $0.told.append(event) }
        let end = side == .phone ? phone : watch
        switch event {
        case .receivedMessage(let id, _, expectsReply: true):
            if let reply = end.reply { try give(side, .app(.reply(to: id, .dictionary(reply)))) }
        case .receivedUserInfo(let info) where info.wantsProcessed && end.processes:
            try give(side, .app(.processed(info.id)))
        case .receivedFile(let file):
            guard end.returnsFromCalls else { return }
            if end.claimsFiles { try give(side, .app(.claimFile(file.id))) }
            try give(side, .app(.fileHandled(file.id)))
            if file.wantsProcessed, end.processes { try give(side, .app(.processed(file.id))) }
        case .backgroundTask(let id):
            if end.completesTasks { try give(side, .app(.completeTask(id))) }
        default: break
        }
    }

    /// Delivers frames until there are none.
    mutating func run() throws {
        while try step() {}
    }

    /// Delivers one frame; false if there is none.
    @discardableResult
    mutating func step() throws -> Bool {
        if !toWatch.isEmpty {
            try give(.watch, .frame(from: phone.device, toWatch.removeFirst()))
        } else if !toPhone.isEmpty {
            try give(.phone, .frame(from: watch.device, toPhone.removeFirst()))
        } else {
            return false
        }
        return true
    }

    /// Time passes, with every deadline kept on its way.
    mutating func pass(milliseconds: Int64) throws {
        let end = now.uptimeMilliseconds + milliseconds
        while true {
            let next = [Side.phone, .watch].compactMap { side -> (Int64, Side)? in
                let machine = side == .phone ? phone.machine : watch.machine
                return machine.nextDeadlineUptimeMilliseconds.map { ($0, side) }
            }.min { $0.0 < $1.0 }
            guard let (due, side) = next, due <= end else { break }
            advance(to: max(due, now.uptimeMilliseconds))
            try give(side, .deadline)
            try run()
        }
        advance(to: end)
    }

    private mutating func advance(to uptime: Int64) {
        now.wallMilliseconds += uptime - now.uptimeMilliseconds
        now.uptimeMilliseconds = uptime
    }
}

extension PropertyDictionary {
    /// A dictionary that is told from others by its number.
    static func numbered(_ number: Int, filler: Int = 0) -> PropertyDictionary {
        ["n": .int(Int64(number)), "x": .data([UInt8](repeating: 7, count: filler))]
    }

    var number: Int? { if case .int(let value) = self["n"] { Int(value) } else { nil } }
}

/// A small generator for tests: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return Int((word ^ word >> 31) % UInt64(sides))
    }
}
