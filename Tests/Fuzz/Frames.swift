import LinnetWire

/// The stream of a link: frames in pieces of any size, their payloads joined into messages.
func fuzz(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let step = Int(first) + 1
    var reader = FrameReader()
    var assembler = MessageAssembler()
    var rest = input.dropFirst()
    do throws(WireError) {
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(step)))
            rest = rest.dropFirst(step)
            while let payload = try reader.next() {
                for message in try assembler.append(payload) {
                    require(message.body.count <= Limits.messageBytes, "a message is bounded")
                }
            }
            require(reader.bufferedCount <= Limits.frameBytes + 2, "a reader holds one frame")
        }
    } catch {
        return
    }
}

func seeds() -> [[UInt8]] {
    let short = (try? fragments(type: .hello, body: Array(repeating: 7, count: 40))) ?? []
    let long = (try? fragments(type: .batch, body: Array(repeating: 7, count: 70_000))) ?? []
    var joined = JoinedMessages()
    _ = joined.add(.hello, [7])
    _ = joined.add(.have, [8])
    let several = joined.take().map { [$0] } ?? []
    return [short, long, short + short, several].map { [200] + $0.flatMap(frame) }
}
