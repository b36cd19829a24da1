import LinnetCRDT
import LinnetWire

@testable import Linnet

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
    if let request = try? ControlRequest(decoding: message) {
        let again = try? ControlRequest(decoding: request.encoded)
        require(again == request, "a request reads back")
    }
    if let response = try? ControlResponse(decoding: message) {
        let again = try? ControlResponse(decoding: response.encoded)
        require(again == response, "a response reads back")
    }
}

func seeds() -> [[UInt8]] {
    guard let record = RecordID("a") else { return [] }
    let query = Query(
        "item", where: FieldName("size") > 1 && !FieldName("name").begins(with: "a"),
        sort: [SortKey("size", descending: true)], limit: 3)
    let requests: [ControlRequest] = [
        .identify, .get(collection: 2_000, record: record), .list(collection: 2_000), .status,
        .rename("Laptop"), .digest, .decide(accept: true), .schema, .query(query), .plan(query),
        .count(query), .observe(.changes(collection: nil)), .more,
        .synchronize(peers: ["127.0.0.1:1"], discovers: false, timeoutMilliseconds: 1),
    ]
    let responses: [ControlResponse] = [
        .done, .failed(ControlFailure(.failed, "no")), .schema("{}"),
        .progress(done: 1, total: 2), .found(1),
    ]
    let messages = requests.map(\.encoded) + responses.map(\.encoded)
    return messages.map { [99] + $0 } + messages.map { [99] + ControlFrames.frame($0) }
        + [[3] + CompanionFrame.taken + CompanionFrame.encoded([1, 2, 3])]
}
