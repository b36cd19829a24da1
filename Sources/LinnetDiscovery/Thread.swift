#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Runs a closure on a new detached thread; false when the system gives none.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = unsafe Unmanaged.passRetained(ThreadBody(run: body))
    #if canImport(Darwin)
        var thread: pthread_t?
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        if let thread { pthread_detach(thread) }
    #else
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        if status == 0 { pthread_detach(thread) }
    #endif
    if status != 0 { unsafe box.release() }
    return status == 0
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}
