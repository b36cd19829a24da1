import LinnetSimulator

/// Names everything that can be simulated, checked and counted.
enum Listing {
    static func run(json: Bool) -> Int32 {
        list("scenario", Scenario.all.map { ($0.name, $0.sentence) }, json)
        list("fault", FaultKind.allCases.map { ($0.rawValue, $0.sentence) }, json)
        list("invariant", Invariant.allCases.map { ($0.rawValue, $0.sentence) }, json)
        let checkers = CheckerRegistry.names.map { name, invariant in
            (name, "\(invariant.rawValue): \(invariant.sentence)")
        }
        list("checker", checkers, json)
        list("state", ProtocolState.allCases.map { ($0.rawValue, $0.sentence) }, json)
        return 0
    }

    private static func list(_ kind: String, _ rows: [(name: String, text: String)], _ json: Bool) {
        if json {
            for row in rows {
                Terminal.line(
                    JSONLine.object([
                        ("kind", .text(kind)), ("name", .text(row.name)),
                        ("sentence", .text(row.text)),
                    ]))
            }
            return
        }
        Terminal.line("\(kind)s")
        let width = rows.map(\.name.utf8.count).max() ?? 0
        for row in rows {
            let gap = String(repeating: " ", count: width - row.name.utf8.count + 2)
            Terminal.line("  \(row.name)\(gap)\(row.text)")
        }
        Terminal.line("")
    }
}
