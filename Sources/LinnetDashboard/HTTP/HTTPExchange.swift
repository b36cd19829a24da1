/// A request with its body, as long as its connection is busy with it. It belongs to the loop's
/// thread.
@safe
final class HTTPExchange: @unchecked Sendable {
    /// The most bytes of a body that are kept.
    static let bodyLimitBytes = 1 << 20
    /// The bytes of a body after which the connection is closed instead of read on.
    private static let patienceBytes = 4 << 20

    let request: HTTPRequest
    let connection: OpaquePointer
    private(set) var body: [UInt8] = []
    private var count = 0
    /// The answer, once it is known.
    var answer: HTTPAnswer?
    /// True once the site was asked for the answer.
    var isAsked = false
    /// True while the library leaves the connection alone.
    var isSuspended = false
    /// True once the library is done with the request.
    var isOver = false
    /// The events that follow, where that is the answer.
    var stream: EventStream?

    init(_ request: HTTPRequest, on connection: OpaquePointer) {
        self.request = request
        unsafe self.connection = connection
    }

    /// True when the body is longer than what is kept.
    var isTooLong: Bool { count > Self.bodyLimitBytes }

    /// Takes a part of the body; returns false when there is no end to it.
    func take(_ part: UnsafeRawBufferPointer) -> Bool {
        count += part.count
        if isTooLong { body = [] } else { unsafe body.append(contentsOf: part) }
        return count <= Self.patienceBytes
    }
}
