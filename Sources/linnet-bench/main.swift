import LinnetBench

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// The second process of a measurement: small, and without Foundation.
func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    unsafe _ = write(2, bytes, bytes.count)
}

do {
    guard let text = try BenchChild.run(Array(CommandLine.arguments.dropFirst())) else {
        say("linnet bench starts this program")
        exit(2)
    }
    if !text.isEmpty { print(text) }
} catch {
    say("linnet-bench: \(error)")
    exit(1)
}
