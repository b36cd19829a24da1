#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A thread that ends when its closure does and that nobody waits for.
final class DetachedThread: Sendable {
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Runs a closure on a new thread; false when the system gives none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let retained = unsafe Unmanaged.passRetained(DetachedThread(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = unsafe pthread_create(
                &thread, nil,
                { argument in
                    unsafe Unmanaged<DetachedThread>.fromOpaque(argument).takeRetainedValue().body()
                    return nil
                }, retained.toOpaque())
            if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let status = unsafe pthread_create(
                &thread, nil,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    unsafe Unmanaged<DetachedThread>.fromOpaque(argument).takeRetainedValue().body()
                    return nil
                }, retained.toOpaque())
            if status == 0 { pthread_detach(thread) }
        #endif
        if status != 0 { unsafe retained.release() }
        return status == 0
    }
}
