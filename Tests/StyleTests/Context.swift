/// What a rule may know beside the file it looks at.
struct Context {
    /// Module and what it may import, in the manifest's order.
    var modules: [(name: String, imports: [String])] = []
    /// System libraries that the command may import.
    var commandImports: [String] = []
    /// Debian packages that the manifest's system libraries name.
    var packages: [String] = []
    /// Every tracked path.
    var paths: Set<String> = []
    /// The last component of every tracked path.
    var fileNames: Set<String> = []
    /// Every identifier that a test of a module uses.
    var testWords: Set<String> = []
    /// Tracked paths with the executable bit.
    var executables: Set<String> = []
    /// Spellings that the glossary forbids, in lower case, with the one to use.
    var glossary: [(avoid: String, use: String)] = []
    /// Name and number of every message type.
    var messages: [String: Int] = [:]
    /// Every name that something uses as a limit, `Limits.name`.
    var limitsUsed: Set<String> = []
    /// Every word of the glossary that stands as code.
    var glossaryCode: Set<String> = []
    /// How large the types are whose size is limited.
    var typeSizes = TypeSizes()
    /// The declarations of the package's modules.
    var names = DeclaredNames()
    /// Every name that a test of behaviour uses as a limit.
    var limitsTested: Set<String> = []
    /// The version that the library and its command say they are.
    var version = ""

    /// What the sample files of the rules live in.
    static let sample = Context(
        modules: [("LinnetWire", ["CZlib"]), ("LinnetCRDT", ["LinnetWire"]), ("Linnet", [])],
        commandImports: ["CQREncode"], packages: ["zlib1g-dev"],
        paths: [
            "docs/protocol.md", "docs/here.md", "Sources/LinnetWire/Frame.swift",
            "Tests/LinnetWireTests/FrameTests.swift",
        ],
        fileNames: ["protocol.md", "here.md", "Frame.swift", "FrameTests.swift"],
        testWords: ["Buffer"],
        executables: ["scripts/good"],
        glossary: [("vector clock", "version vector")],
        messages: ["memberHeads": 1, "memberGet": 2], limitsUsed: ["used", "untested"],
        glossaryCode: ["Node"], names: .sample, limitsTested: ["used"],
        version: "1.2.3")
}

extension Context {
    /// Reads the context out of the repository's own files.
    init(files: [SourceFile], paths: Set<String>, executables: Set<String>) {
        self.paths = paths
        fileNames = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
        self.executables = executables
        for file in files {
            if file.isTest, file.target != "StyleTests" {
                testWords.formUnion(file.tokens.map(\.text))
            }
            names.add(file)
            if Rule.countsTypes(of: file) { typeSizes.add(file) }
            if file.isTest, !Tables.untestingPaths.contains(where: file.path.hasPrefix) {
                limitsTested.formUnion(Tables.limitsNamed(in: file))
            }
            if file.isProduction { limitsUsed.formUnion(Tables.limitsUsed(in: file)) }
            switch file.path {
            case "Package.swift":
                modules = Manifest.modules(in: file.text)
                commandImports = Manifest.commandImports(in: file.text)
                packages = Manifest.packages(in: file.text)
            case Manifest.versionPath: version = Manifest.version(in: file.text)
            case "docs/glossary.md":
                glossary = Tables.glossary(in: file)
                glossaryCode = Tables.code(in: file)
            case "Sources/LinnetWire/MessageType.swift": messages = Tables.messageTypes(in: file)
            default: break
            }
        }
    }
}
