import CBench

/// The work of a second process.
package enum BenchChild {
    /// Carries out one of the roles; returns what is to be printed, nil for a role that there is
    /// not.
    package static func run(_ arguments: [String]) throws -> String? {
        let numbers = arguments.map { Int($0) ?? 0 }
        switch (arguments.first, arguments.count) {
        case ("verify", 4):
            try LocalWrites.verify(arguments[1], records: numbers[2], updates: numbers[3])
            return ""
        case ("read", 4): return try ColdOpening.read(arguments[2], record: numbers[3])
        case ("read-reference", 4):
            return try ColdOpening.readReference(arguments[1], arguments[2], record: numbers[3])
        case ("follow", 3):
            try Propagation.follow(arguments[1], port: numbers[2])
            return ""
        case ("commit", 3): return try LargeTransaction.commit(arguments[1], records: numbers[2])
        case ("meet", 3): return try Residency.meet(arguments[1], port: numbers[2])
        case ("run", 4): return try measure(arguments[1], rounds: numbers[2], arguments[3])
        default: return nil
        }
    }

    /// Measures one workload without the command line around it, as under a profiler.
    private static func measure(
        _ name: String, rounds: Int, _ directory: String
    ) throws -> String? {
        guard let workload = BenchRun.Workload(rawValue: name), rounds > 0 else { return nil }
        var run = BenchRun(in: directory, rounds: rounds, helper: program)
        try run.run(workload)
        return run.report.lines.map {
            #"{"peer":"\#($0.peer)","workload":"\#($0.workload)","metric":"\#($0.metric)","#
                + #""value":\#($0.value)}"#
        }.joined(separator: "\n")
    }

    /// The path of the program for second processes, beside the one that runs.
    package static var program: String {
        var path = [CChar](repeating: 0, count: 4_096)
        let count = unsafe Int(bench_own_path(&path, Int64(path.count)))
        let whole = path.prefix(max(0, count)).map(UInt8.init(bitPattern:))
        let directory = whole.lastIndex(of: UInt8(ascii: "/")).map { whole[..<$0] } ?? []
        return String(decoding: directory, as: UTF8.self) + "/linnet-bench"
    }
}
