import Linnet
import LinnetCRDT
import LinnetSystem
import LinnetWire

@testable import LinnetControl

/// Streams that other processes write: the directory that phone and watch share, and the socket of
/// a node, in pieces of any size; and what the socket's messages say.
func fuzz(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let step = Int(first) + 1
    var companion = CompanionFrameReader()
    var control = ControlFrames()
    var rest = input.dropFirst()
    var isRead = (companion: true, control: true)
    while !rest.isEmpty, isRead.companion || isRead.control {
        let piece = Array(rest.prefix(step))
        rest = rest.dropFirst(step)
        if isRead.companion { isRead.companion = companion.read(piece) != nil }
        require(
            companion.waitingBytes < CompanionFrame.byteLimit, "a reader holds less than a frame")
        if isRead.control {
            control.append(piece)
            do throws(WireError) {
                while let message = try control.next() { decode(message) }
            } catch {
                isRead.control = false
            }
        }
    }
    decode(Array(input.dropFirst()))
}

private func decode(_ message: [UInt8]) {
    let request = try? ControlCoding.decode(message) { (number, reader) throws(WireError) in
        try NodeRequests.read(number, from: &reader)
    }
    if let request { require(reads(request), "a request reads back") }
    require(reads(ControlResponse<ControlPage>.self, message), "records read back")
    require(reads(ControlResponse<ControlStatus>.self, message), "a status reads back")
    require(reads(ControlResponse<[HistoryEntry]>.self, message), "a history reads back")
}

private func reads<Request: NodeRequest>(_ request: Request) -> Bool {
    let bytes = request.encoded
    let again = try? ControlCoding.decode(bytes) { (_, reader) throws(WireError) in
        try Request.read(from: &reader)
    }
    return again?.encoded == bytes
}

private func reads<Answer>(_ kind: ControlResponse<Answer>.Type, _ message: [UInt8]) -> Bool {
    guard let response = try? kind.init(decoding: message) else { return true }
    return (try? kind.init(decoding: response.encoded)) == response
}

func seeds() -> [[UInt8]] {
    guard let record = RecordID("a") else { return [] }
    let key = RecordKey(collection: 2_000, record: record)
    let query = Query(
        "item", where: FieldName("size") > 1 && !FieldName("name").begins(with: "a"),
        sort: [SortKey("size", descending: true)], limit: 3)
    let meeting = ControlMeeting(peers: ["127.0.0.1:1"], discovers: false, timeoutMilliseconds: 1)
    let requests: [any NodeRequest] = [
        IdentityRequest(), RecordRequest(key), ListRequest(2_000), StatusRequest(),
        RenameRequest("Laptop"),
        DigestRequest(), SchemaRequest(), PageRequest(query), PlanRequest(query),
        CountRequest(query),
        ChangesRequest(), SynchronizeRequest(meeting),
        WritingRequest(changes: [Write(key, [.set(FieldWrite(1, .text("x")))])]),
    ]
    let responses: [ControlResponse<ControlPage>] = [
        .done, .failed(ControlFailure(.failed, "no")),
        .progress(ControlProgress(done: 1, of: 2, found: 1)),
        .answer(
            ControlPage(
                [
                    RecordView(
                        collection: 2_000, id: record, fields: [FieldValues(1, [.text("x")])])
                ], next: "p")),
    ]
    let messages =
        requests.map { $0.encoded } + responses.map(\.encoded)
        + [ControlReply.decide(accept: true).encoded, ControlReply.more.encoded]
    return messages.map { [99] + $0 } + messages.map { [99] + ControlFrames.frame($0) }
        + [[3] + CompanionFrame.taken + CompanionFrame.encoded([1, 2, 3])]
}
