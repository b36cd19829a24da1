import LinnetWire
import Testing

@testable import LinnetCompanion

/// Any interleaving of work, cuts, restarts and doubled frames.
@Suite struct LanePropertyTests {
    private struct Story {
        var ends: TwoEnds
        var dice: Dice
        var sent: [Int] = []
        var context = 0
        var files: [TransferID: [UInt8]] = [:]
        var arrived: [TransferID: [UInt8]] = [:]

        init(seed: UInt64) throws {
            ends = try TwoEnds.together()
            dice = Dice(seed: seed)
            ends.doublesEvery = dice.roll(6)
        }

        mutating func happen() throws {
            switch dice.roll(12) {
            case 0, 1, 2:
                guard ends.phone.machine.activationState == .activated else { return }
                let number = sent.count + 1
                let filler = dice.roll(4) == 0 ? 60_000 : 10
                let info = PropertyDictionary.numbered(number, filler: filler)
                try ends.ask(
                    .phone,
                    .transferUserInfo(info, TransferOptions(wantsProcessed: number % 3 == 0)))
                sent.append(number)
            case 3:
                guard ends.phone.machine.activationState == .activated else { return }
                context += 1
                let dictionary = PropertyDictionary.numbered(
                    context, filler: dice.roll(3) * 90_000)
                try ends.ask(
                    .phone, .updateApplicationContext(dictionary, importance: .plan))
            case 4: try sendFile()
            case 5: try ends.cut()
            case 6: try ends.restart(.phone)
            case 7: try ends.restart(.watch)
            case 8: try wakeUp()
            default:
                for _ in 0..<dice.roll(12) { try ends.step() }
            }
            collect()
        }

        mutating func sendFile() throws {
            guard ends.phone.machine.activationState == .activated else { return }
            let content = (0..<dice.roll(200_000)).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let reference = "file \(files.count)"
            ends.phone.files[reference] = content
            let id = try ends.ask(
                .phone,
                .transferFile(
                    OutgoingFile(
                        reference: reference, byteCount: UInt64(content.count),
                        contentHash: FileDigest.digest(of: content),
                        metadata: ["name": .text(reference)]),
                    TransferOptions(importance: .files)))
            if let id { files[id] = content }
        }

        mutating func wakeUp() throws {
            for side in [TwoEnds.Side.phone, .watch] {
                let end = side == .phone ? ends.phone : ends.watch
                if end.machine.activationState != .activated { try ends.launch(side) }
            }
            if !ends.isLinkUp {
                ends.isLinkUp = true
                try ends.give(.phone, .environment(.link(ends.watch.device, isUp: true)))
                try ends.give(.watch, .environment(.link(ends.phone.device, isUp: true)))
            }
        }

        /// Files that the app moved away.
        mutating func collect() {
            for file in ends.watch.receivedFiles where arrived[file.id] == nil {
                arrived[file.id] = ends.watch.inbox[file.id]
            }
        }

        mutating func comeToRest() throws {
            try wakeUp()
            try ends.run()
            try ends.pass(milliseconds: 3_600_000)
            collect()
        }
    }

    @Test(arguments: 0..<40)
    func `every queued thing arrives once, in order and whole, whatever is cut`(
        seed: Int
    ) throws {
        var story = try Story(seed: UInt64(seed))
        for _ in 0..<120 { try story.happen() }
        try story.comeToRest()
        let ends = story.ends
        #expect(ends.watch.userInfos.compactMap(\.number) == story.sent)
        #expect(ends.watch.machine.receivedApplicationContext.number ?? 0 == story.context)
        #expect(story.arrived == story.files)
        #expect(ends.watch.receivedFiles.map(\.id) == story.files.keys.sorted())
        #expect(ends.phone.machine.outstandingUserInfoTransfers.isEmpty)
        #expect(ends.phone.machine.outstandingFileTransfers.isEmpty)
        // Exactly one finish for each, and `processed` for those that asked for it.
        #expect(ends.phone.finished.allSatisfy { $0.error == nil })
        #expect(
            ends.phone.finished.map(\.transfer.id).sorted()
                == ends.phone.accepted.filter { id in
                    ends.phone.finished.contains { $0.transfer.id == id }
                })
        #expect(ends.phone.finished.count == story.sent.count + story.files.count)
        let processed = ends.phone.told.filter {
            if case .transferProcessed = $0 { true } else { false }
        }
        #expect(processed.count == story.sent.count { $0 % 3 == 0 })
    }

    @Test(arguments: 0..<20)
    func `a machine opened from its rows is the one that wrote them, less the link`(
        seed: Int
    ) throws {
        var story = try Story(seed: UInt64(1_000 + seed))
        for _ in 0..<40 { try story.happen() }
        try story.ends.restart(.phone)
        let once = story.ends.phone.machine
        try story.ends.phone.reopen()
        #expect(story.ends.phone.machine == once)
    }

    @Test(arguments: 0..<200)
    func `random bytes never change a machine`(seed: Int) throws {
        var dice = Dice(seed: UInt64(seed))
        var ends = try TwoEnds.together()
        let before = ends.watch.machine
        var bytes = (0..<dice.roll(200)).map { _ in UInt8(dice.roll(256)) }
        if !bytes.isEmpty { bytes[0] = UInt8(0x18 + dice.roll(6)) }
        #expect(throws: CompanionError.self) {
            try ends.give(.watch, .frame(from: ends.phone.device, bytes))
        }
        #expect(ends.watch.machine == before)
    }

    @Test func `damaged rows are refused, each of them`() throws {
        var ends = try TwoEnds.together()
        try ends.cut()
        try ends.ask(.phone, .transferUserInfo(["a": .int(1)], TransferOptions()))
        try ends.ask(.phone, .updateApplicationContext(["a": .int(1)], importance: .plan))
        let rows = ends.phone.journal
        #expect(rows.count > 4)
        for index in rows.indices {
            var damaged = rows
            damaged[index].value = Array(damaged[index].value.dropLast())
            #expect(throws: CompanionError.damagedJournal) {
                try Companion(
                    role: .phone, installation: Bytes8.zero, switches: CompanionSwitches(),
                    journal: damaged)
            }
        }
    }
}
