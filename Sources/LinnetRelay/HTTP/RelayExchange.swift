import LinnetSystem

/// A request as long as its connection is busy with it. It belongs to the loop's thread.
@safe
final class RelayExchange: @unchecked Sendable {
    let connection: OpaquePointer
    /// The request, where it was let in.
    var call: RelayCall?
    private(set) var body: [UInt8] = []
    /// The answer, once it is known.
    var answer: RelayAnswer?
    /// The number by which it waits for news.
    var ticket: UInt64?
    /// The end of its wait.
    var timer: TimerID?

    init(on connection: OpaquePointer) { unsafe self.connection = connection }

    /// Takes a part of the body; what is refused anyway is let go. Returns false for more than was
    /// announced.
    func take(_ part: UnsafeRawBufferPointer) -> Bool {
        guard answer == nil, case .put(_, let bytes) = call?.route else { return answer != nil }
        guard part.count <= bytes - body.count else { return false }
        unsafe body.append(contentsOf: part)
        return true
    }

    /// Hands the body out, of which no copy stays here.
    func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }
}
