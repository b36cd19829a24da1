import CBench

/// The files of a run: everything lies in one directory, which goes at the end.
enum BenchFiles {
    static func read(_ path: String, upTo capacity: Int) throws(BenchError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: capacity)
        let count = unsafe bench_read_file(path, &bytes, Int64(capacity))
        try require(count >= 0, "cannot read \(path)")
        return Array(bytes.prefix(Int(count)))
    }

    static func write(_ bytes: [UInt8], to path: String) throws(BenchError) {
        let result = unsafe bench_write_file(path, bytes, Int64(bytes.count))
        try require(result == 0, "cannot write \(path)")
    }

    /// Copies a closed home.
    static func copy(_ from: String, to path: String) throws(BenchError) {
        remove(path)
        let result = unsafe bench_copy_directory(from, path)
        try require(result == 0, "cannot copy \(from) to \(path)")
    }

    static func remove(_ directory: String) {
        unsafe bench_remove_directory(directory)
    }

    static func size(_ path: String) -> Double {
        unsafe Double(bench_file_size(path))
    }
}
