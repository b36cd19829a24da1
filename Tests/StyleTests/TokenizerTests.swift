import Testing

private func words(_ text: String) -> [String] {
    Tokenizer.tokens(of: text).filter { $0.kind == .identifier }.map(\.text)
}

@Test func `comments leave no tokens, nested ones included`() {
    #expect(words("a // b\nc /* d /* e */ f */ g") == ["a", "c", "g"])
}

@Test func `documentation leaves one token a line`() {
    let tokens = Tokenizer.tokens(of: "/// One.\n/// Two.\nfunc f() {}")
    #expect(tokens.prefix(2).map(\.kind) == [.documentation, .documentation])
    #expect(tokens[2].line == 3)
}

@Test func `the content of a string is not code but its interpolation is`() {
    #expect(words(#"let a = "b \(c(d: "e")) f""#) == ["let", "a", "c", "d"])
}

@Test func `an escaped quote does not end a string`() {
    #expect(words(#"x("a \" b") y"#) == ["x", "y"])
}

@Test func `raw strings end only with their pounds`() {
    #expect(words(##"x(#"a "b" \(c) \#(d) "#) y"##) == ["x", "d", "y"])
}

@Test func `multi-line strings keep the line numbers behind them right`() {
    let tokens = Tokenizer.tokens(of: "let a = \"\"\"\n  b \"c\"\n  \"\"\"\nlet d = 1")
    #expect(tokens.filter { $0.text == "d" }.map(\.line) == [4])
    #expect(tokens.filter { $0.text == "b" || $0.text == "c" }.isEmpty)
}

@Test func `a raw identifier is one token`() {
    let tokens = Tokenizer.tokens(of: "func `it's a \"test\" // really`() {}")
    #expect(tokens[1].kind == .rawIdentifier)
    #expect(tokens[1].text == "it's a \"test\" // really")
}

@Test func `white space before a token is remembered`() {
    let tokens = Tokenizer.tokens(of: "a! !b")
    #expect(tokens.map(\.spaced) == [true, false, true, false])
}
