import LinnetWire

@testable import LinnetCompanion

/// What a phone or a watch of the group may send: frames, payloads and a row of the journal as they
/// come, then a whole end of the lanes that hears one frame after the other.
func fuzz(_ input: [UInt8]) {
    if let frame = try? LaneFrame.decode(input) {
        require(frame.encode() == input, "a frame has one form")
    }
    if let dictionary = try? Payload.dictionary(input) {
        let again = try? Payload.encode(dictionary, max: .max)
        require(again == input, "a dictionary has one form")
    }
    _ = try? Payload.content(input)
    openRow(input)
    for role in CompanionRole.allCases { listen(role, input) }
}

private let peer = DeviceID(repeating: 7)
private let installation = Bytes8(repeating: 5)

/// The first byte names the row; a damaged one is refused as a whole.
private func openRow(_ input: [UInt8]) {
    guard let kind = input.first else { return }
    let key = kind < 3 ? [kind] : [kind] + peer.array + (kind == 11 ? [3] : [])
    let number: [UInt8] = (8...10).contains(kind) ? [0, 0, 0, 0, 0, 0, 0, 9] : []
    var rows = [JournalRow(key: key + number, value: Array(input.dropFirst()))]
    if kind == 8 { rows.append(JournalRow(key: [9] + peer.array + number, value: [0xa0])) }
    let end = try? Companion(
        role: .phone, installation: installation, switches: CompanionSwitches(), journal: rows)
    if var end { _ = try? end.handle(.activate(hasDelegate: true), at: moment(0)) }
}

private func moment(_ step: Int) -> Moment {
    let milliseconds = Int64(step) * 7_000
    return Moment(wallMilliseconds: milliseconds, uptimeMilliseconds: milliseconds)
}

/// Hears frames, each after two bytes of length, and opens again from what it wrote down.
private func listen(_ role: CompanionRole, _ input: [UInt8]) {
    let made = try? Companion(
        role: role, installation: installation, switches: CompanionSwitches(), journal: [])
    guard var end = made else { return }
    var journal = OrderedTable<String, JournalRow>()
    var inputs: [CompanionInput] = [
        .activate(hasDelegate: true), .environment(.app(.foreground)),
        .environment(.paired(peer)), .environment(.link(peer, isUp: true)),
        .app(.transferUserInfo(PropertyDictionary(), TransferOptions())),
        .app(.sendMessage(.data([1]), expectsReply: true)),
    ]
    var rest = input[...]
    while rest.count > 2, inputs.count < 64 {
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(2)
        inputs += [.frame(from: peer, Array(rest.prefix(length))), .deadline]
        rest = rest.dropFirst(length)
    }
    for (step, next) in inputs.enumerated() {
        for effect in (try? end.handle(next, at: moment(step))) ?? [] {
            switch effect {
            case .put(let row): journal[Hex.encode(row.key)] = row
            case .remove(let key): journal[Hex.encode(key)] = nil
            case .send(_, let frame):
                require((try? LaneFrame.decode(frame)) != nil, "what is sent can be read")
            default: break
            }
        }
    }
    let again = try? Companion(
        role: role, installation: installation, switches: CompanionSwitches(),
        journal: journal.values)
    require(again != nil, "an end opens from what it wrote down")
}

func seeds() -> [[UInt8]] {
    let id = TransferID(installation: Bytes8(repeating: 3), number: 1)
    var content = PropertyDictionary()
    content["dose"] = .array([.int(1), .real(0.5), .date(wallMilliseconds: 7), .data([1])])
    let payload = (try? Payload.encode(content, max: 1_000)) ?? []
    let parts = [Lane.message, .reply, .context, .userInfo, .file].map { lane in
        LaneFrame.part(
            PartFrame(
                id: id, lane: lane, floor: 1, flags: [.wantsProcessed],
                total: UInt64(payload.count), offset: 0, bytes: payload,
                file: lane == .file
                    ? PartFrame.File(contentHash: FileDigest().value, metadata: [0xa0]) : nil))
    }
    let stages: [ReceiptStage] = [
        .has(bytes: 1), .stored, .delivered, .processed, .refused(code: 9),
    ]
    let others: [LaneFrame] = [
        .state(
            StateFrame(
                installation: id.installation, app: .foreground, complication: .activeFace,
                isLocked: false, isReachable: true)),
        .receipt(
            ReceiptFrame(
                installation: installation, lane: .userInfo,
                lines: stages.map { ReceiptFrame.Line(number: 1, stage: $0) })),
        .probe(
            ProbeFrame(installation: id.installation, lane: .userInfo, floor: 1, numbers: [1, 2])),
        .withdraw(WithdrawFrame(id: id, lane: .file)),
    ]
    let frames = (others + parts).map { $0.encode() }
    let stream = frames.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
    return frames + [payload, stream]
}
