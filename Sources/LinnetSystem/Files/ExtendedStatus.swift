#if canImport(Glibc)
    import Glibc

    /// The facts that statx(2) knows beyond stat(2). Swift does not import it, so it is called by
    /// its name, and its answer is read at the offsets that the kernel guarantees.
    enum ExtendedStatus {
        private typealias Call =
            @convention(c) (
                Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
            ) -> Int32

        private static let answerBytes = 256
        private static let birthOffset = 80
        private static let emptyPath: Int32 = 0x1000
        private static let birthMask: UInt32 = 0x800

        /// Returns the time at which an open file was made, in nanoseconds since 1970; 0 where
        /// nobody knows.
        static func birthNanoseconds(of descriptor: Int32) -> UInt64 {
            guard let address = unsafe dlsym(nil, "statx") else { return 0 }
            let call = unsafe unsafeBitCast(address, to: Call.self)
            return unsafe withUnsafeTemporaryAllocation(byteCount: answerBytes, alignment: 8) {
                answer in
                guard let base = answer.baseAddress,
                    unsafe call(descriptor, "", emptyPath, birthMask, base) == 0,
                    unsafe answer.load(as: UInt32.self) & birthMask != 0
                else { return 0 }
                let seconds = unsafe answer.load(fromByteOffset: birthOffset, as: Int64.self)
                let rest = unsafe answer.load(fromByteOffset: birthOffset + 8, as: UInt32.self)
                return nanoseconds(Int(seconds), Int(rest))
            }
        }
    }
#endif
