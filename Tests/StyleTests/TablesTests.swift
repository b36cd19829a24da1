import Testing

@Test func `cases with and without a number are counted on`() {
    let file = SourceFile(
        "Sources/LinnetWire/MessageType.swift",
        "enum M: UInt8 {\n  case a = 0x01, b\n  /// C.\n  case c = 0x10\n  case d\n}")
    #expect(Tables.messageTypes(in: file) == ["a": 1, "b": 2, "c": 16, "d": 17])
}

@Test func `the last column of the glossary says what not to write`() {
    let file = SourceFile(
        "docs/glossary.md", "| use | meaning | not |\n| --- | --- | --- |\n| a | b | C, d e |\n")
    let terms = Tables.glossary(in: file)
    #expect(terms.map(\.avoid) == ["c", "d e"])
    #expect(terms.map(\.use) == ["a", "a"])
}
