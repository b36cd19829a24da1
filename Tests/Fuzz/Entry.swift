import Glibc

/// What libFuzzer calls for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe fuzz(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// What libFuzzer calls first: writes the target's valid inputs where the corpus will be read.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
    guard let folder = unsafe getenv("LINNET_FUZZ_CORPUS") else { return 0 }
    for (index, seed) in seeds().enumerated() {
        let path = unsafe "\(String(cString: folder))/seed-\(index)"
        guard let file = unsafe fopen(path, "w") else { continue }
        unsafe fwrite(seed, 1, seed.count, file)
        unsafe fclose(file)
    }
    return 0
}

/// A decoder that accepts an input must give it back, or its own result, when it encodes.
func require(_ condition: Bool, _ message: StaticString) {
    precondition(condition, "\(message)")
}
