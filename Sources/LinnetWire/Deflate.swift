import CZlib

/// Raw deflate streams (RFC 1951) of bounded size.
package enum Deflate {
    /// Compresses `input` into one raw stream.
    package static func compress(_ input: [UInt8]) -> [UInt8] {
        precondition(input.count <= Limits.messageBytes, "only a batch body is compressed")
        let stream = unsafe makeStream()
        defer { unsafe stream.deallocate() }
        // A window and tables larger than the input cost time and find nothing more.
        let (window, tables): (CInt, CInt) =
            input.count <= 1 << 10 ? (10, 5) : input.count <= 1 << 12 ? (12, 6) : (MAX_WBITS, 8)
        let started = unsafe deflateInit2_(
            stream, 6, Z_DEFLATED, -window, tables,
            isVaried(input) ? Z_FIXED : Z_DEFAULT_STRATEGY, zlibVersion(),
            CInt(MemoryLayout<z_stream>.size))
        precondition(started == Z_OK, "zlib could not allocate its state")
        defer { unsafe _ = deflateEnd(stream) }
        let bound = unsafe Int(deflateBound(stream, UInt(input.count)))
        var output = [UInt8](repeating: 0, count: bound)
        let finished = unsafe run(deflate, on: stream, from: input, into: &output)
        precondition(finished == Z_STREAM_END, "the bound given by zlib holds every stream")
        let unused = unsafe Int(stream.pointee.avail_out)
        output.removeLast(unused)
        return output
    }

    /// Returns true when codes made for the input cannot save what their tables take: making them
    /// is most of the work, and their stream is dropped for the one of fixed codes.
    private static func isVaried(_ input: [UInt8]) -> Bool {
        guard input.count <= 512 else { return false }
        var seen: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for byte in input {
            let bit: UInt64 = 1 << UInt64(byte & 63)
            switch byte >> 6 {
            case 0: seen.0 |= bit
            case 1: seen.1 |= bit
            case 2: seen.2 |= bit
            default: seen.3 |= bit
            }
        }
        let distinct =
            seen.0.nonzeroBitCount + seen.1.nonzeroBitCount + seen.2.nonzeroBitCount
            + seen.3.nonzeroBitCount
        return 3 * distinct >= input.count
    }

    /// Expands the stream at the start of `input` into exactly `count` bytes.
    ///
    /// Bytes after the end of the stream are left alone; `consumed` is the stream's length. No
    /// more than `count` + 258 bytes are ever produced.
    package static func decompress(
        _ input: [UInt8], exactly count: Int
    ) throws(WireError) -> (output: [UInt8], consumed: Int) {
        guard (0...Limits.messageBytes).contains(count), input.count <= Limits.messageBytes else {
            throw .tooLarge
        }
        let stream = unsafe makeStream()
        defer { unsafe stream.deallocate() }
        let started = unsafe inflateInit2_(
            stream, -MAX_WBITS, zlibVersion(), CInt(MemoryLayout<z_stream>.size))
        precondition(started == Z_OK, "zlib could not allocate its state")
        defer { unsafe _ = inflateEnd(stream) }
        var output = [UInt8](repeating: 0, count: count + longestMatch)
        let finished = unsafe run(inflate, on: stream, from: input, into: &output)
        let (unread, unused) = unsafe (stream.pointee.avail_in, stream.pointee.avail_out)
        guard finished == Z_STREAM_END, unused == longestMatch else { throw .badCompression }
        output.removeLast(longestMatch)
        return (output, input.count - Int(unread))
    }

    /// The bytes that one code of a stream can mean: zlib reads many codes at a stride while there
    /// is room for so many more, and one in small steps otherwise.
    private static let longestMatch = 258

    /// zlib keeps the address of its stream, so the stream must never move.
    private static func makeStream() -> UnsafeMutablePointer<z_stream> {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        return unsafe stream
    }

    private static func run(
        _ step: (UnsafeMutablePointer<z_stream>?, CInt) -> CInt,
        on stream: UnsafeMutablePointer<z_stream>, from input: [UInt8],
        into output: inout [UInt8]
    ) -> CInt {
        unsafe input.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // zlib only reads there.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(target.count)
                return unsafe step(stream, Z_FINISH)
            }
        }
    }
}
