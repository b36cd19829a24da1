import Testing

@Test func `rows that the formatter broke over lines are read as one`() {
    let text = """
        let modules: [(name: String, imports: [String])] = [
            ("A", []),
            (
                "B",
                [
                    "A", "CZ",
                ]
            ),
        ]

        """
    let modules = Manifest.modules(in: text)
    #expect(modules.map(\.name) == ["A", "B"])
    #expect(modules.map(\.imports) == [[], ["A", "CZ"]])
}

@Test func `every package of every system library is read`() {
    let text = "providers: [.apt([\"a\", \"b\"]), .brew([\"c\"])]), providers: [.apt([\"d\"])]"
    #expect(Manifest.packages(in: text) == ["a", "b", "d"])
}

@Test func `what the command links beside our modules is read`() {
    let text = """
        .executableTarget(
            name: "C",
            dependencies: dependencies(everyModule + ["CA", "CB"]))
        .testTarget(dependencies: dependencies(everyModule + ["D"]))
        """
    #expect(Manifest.commandImports(in: text) == ["CA", "CB"])
}
