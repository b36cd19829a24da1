extension Rule {
    /// What must hold so that others can depend on a version of the package.
    static let release = [
        Rule(
            name: "a package may depend on this one by its version",
            bad: [
                ("Package.swift", ".unsafeFlags([\"-Ounchecked\"])"),
                ("Package.swift", "target.swiftSettings = [\n.treatAllWarnings(as: .error)\n]"),
            ],
            good: [
                ("Package.swift", "Context.environment[\"LINNET_STRICT\"] \(strictChoice)"),
                ("Package.swift", "Context.environment[\"LINNET_OPTIMISED\"] \(optimisedChoice)"),
                ("Simulations/Package.swift", ".unsafeFlags([])"),
            ],
            check: checkDependable),
        Rule(
            name: "the change log names the version that the program says it is",
            bad: [
                ("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\nThe next tag is 1.2.4.\n"),
                ("CHANGELOG.md", "## [Unreleased]\n\n### Added\n\n## [1.2.2] - 2026-01-02\n"),
                (
                    "CHANGELOG.md",
                    "## [Unreleased]\n\nThe next tag is 1.2.3.\n\n## [1.2.3] - 2026-01-02\n"
                ),
                ("CHANGELOG.md", "# Changelog\n"),
            ],
            good: [
                ("CHANGELOG.md", "## [Unreleased]\n\nThe next tag is 1.2.3.\n\n## [1.2.2] - x\n"),
                ("CHANGELOG.md", "# Changelog\n\n## [1.2.3] - 2026-01-02\n\n## [1.2.2] - x\n"),
                ("docs/here.md", "The next tag is 9.\n"),
            ],
            check: checkVersion),
    ]

    private static let strictChoice = "== nil ? [] : [.treatAllWarnings(as: .error)]"

    private static let optimisedChoice = "== nil ? [] : [.unsafeFlags("

    /// A dependent is refused flags that the package manager cannot judge, and by some of its
    /// build systems warnings that are errors.
    private static func checkDependable(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.path == "Package.swift" else { return [] }
        return file.lines.enumerated().compactMap { index, line in
            let isStrict = line.contains(".treatAllWarnings(") && !line.contains(strictChoice)
            let isUnsafe = line.contains("unsafeFlags") && !line.contains(optimisedChoice)
            guard isStrict || isUnsafe else { return nil }
            return file.finding(index + 1, "a package that depends on this one would not build")
        }
    }

    /// The version is the next tag, as the log says, or the newest that it describes.
    private static func checkVersion(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.path == "CHANGELOG.md" else { return [] }
        let described = file.lines.filter { $0.hasPrefix("## [") && $0 != "## [Unreleased]" }
            .map { String($0.dropFirst(4).prefix { $0 != "]" }) }
        let next = file.lines.first { $0.hasPrefix("The next tag is ") }
            .map { String($0.dropFirst("The next tag is ".count).dropLast()) }
        if let next, described.contains(next) {
            return [file.finding(1, "\(next) is the next tag and has a section")]
        }
        let named = next ?? described.first ?? "no version"
        guard named != context.version else { return [] }
        return [file.finding(1, "the program says \(context.version), the log \(named)")]
    }
}
