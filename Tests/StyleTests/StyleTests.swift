import Testing

@Test(arguments: Rule.all)
func `every file of the repository keeps the rule`(_ rule: Rule) throws {
    let repository = try Repository.here.get()
    for file in repository.files {
        for finding in rule.check(file, repository.context) {
            Issue.record("\(finding) (\(rule.name))")
        }
    }
}

@Test(arguments: Rule.all)
func `the rule finds every bad sample and no good one`(_ rule: Rule) {
    #expect(!rule.bad.isEmpty, "a rule without a bad sample may be dead")
    for sample in rule.bad {
        let findings = rule.check(SourceFile(sample.path, sample.text), .sample)
        #expect(!findings.isEmpty, "\(sample.text)")
    }
    for sample in rule.good {
        let findings = rule.check(SourceFile(sample.path, sample.text), .sample)
        #expect(findings.isEmpty, "\(sample.text)")
    }
}

@Test func `the files that rules read are where the rules look for them`() throws {
    let context = try Repository.here.get().context
    #expect(context.modules.map(\.name).contains("LinnetWire"))
    #expect(context.packages.contains("libsodium-dev"))
    #expect(context.paths.contains(Untested.path))
    #expect(context.executables.contains("scripts/setup"))
    #expect(context.glossary.contains { $0.use == "version vector" })
    #expect(context.messages["close"] == 0x7f)
    #expect(context.paths.contains("docs/protocol.md"))
}

@Test func `every type that may be larger than others is, and says why`() throws {
    let sizes = try Repository.here.get().context.typeSizes
    for (type, why) in Rule.largeTypes {
        let declared = sizes.declarations.first { $0.type == type }
        let target = try #require(declared?.target, "\(type) is not there")
        let size = sizes.size(of: type, in: target)
        #expect(size.properties > 15 || size.functions > 35, "\(type) needs no exception")
        #expect(why.count > 20)
    }
}

@Test func `the median length of the production files is printed`() throws {
    let lengths = try Repository.here.get().files.filter(\.isProduction).map(\.lineCount).sorted()
    let median = try #require(lengths.isEmpty ? nil : lengths[lengths.count / 2])
    let longest = try #require(lengths.last)
    print("production files: \(lengths.count), median \(median) lines, longest \(longest) lines")
    #expect(longest <= 400)
}
