import CMicroHTTPD

/// Server-sent events on one connection. It has no queue: whenever the socket takes more, the next
/// bytes are asked for. It belongs to the loop's thread.
@safe
final class EventStream: @unchecked Sendable {
    /// Returns the next bytes; empty when there is nothing to say.
    private var next: () -> [UInt8]
    /// Hears that the connection is gone.
    var onClose: ((EventStream) -> Void)?
    /// The session that it belongs to.
    let session: UInt64
    private var pending: [UInt8] = []
    private var written = 0
    private var connection: OpaquePointer?
    private var isSuspended = false
    private var isEnding = false
    private var isOver = false
    private var resumed: (() -> Void)?

    init(session: UInt64, next: @escaping () -> [UInt8]) {
        self.session = session
        self.next = next
    }

    /// Runs on a connection; `resumed` lets the library run after the connection was resumed.
    func begin(on connection: OpaquePointer, resumed: @escaping () -> Void) {
        unsafe self.connection = connection
        self.resumed = resumed
    }

    /// Asks for the next bytes as soon as the socket takes them.
    func wake() {
        guard isSuspended, !isOver, let connection = unsafe connection else { return }
        isSuspended = false
        unsafe MHD_resume_connection(connection)
        resumed?()
    }

    /// Ends after what is to be said.
    func end() {
        isEnding = true
        wake()
    }

    /// The connection is gone.
    func close() {
        isOver = true
        unsafe connection = nil
        resumed = nil
        next = { [] }
        onClose?(self)
        onClose = nil
    }

    /// Fills the library's buffer; returns 0 after suspending, and -1 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if written == pending.count {
            pending = isOver ? [] : next()
            written = 0
        }
        guard !pending.isEmpty else {
            guard !isEnding, !isOver, let connection = unsafe connection else { return -1 }
            isSuspended = true
            unsafe MHD_suspend_connection(connection)
            return 0
        }
        let part = pending[written...].prefix(buffer.count)
        unsafe buffer.copyBytes(from: part)
        written += part.count
        if written == pending.count {
            pending = []
            written = 0
        }
        return part.count
    }
}
