import Linnet
import LinnetAPI
import LinnetCLI
import LinnetCRDT
import LinnetControl
import LinnetMedication
import LinnetReplication
import Testing

struct WhereParserTests {
    private func condition(_ text: String) throws -> Condition {
        try WhereParser.condition(text, in: Schema.medication)
    }

    private func message(_ text: String) -> String? {
        #expect(throws: ControlFailure.self) { try condition(text) }?.message
    }

    @Test func `and binds before or, and parentheses before both`() throws {
        let name = Condition.test("name", .equal, .text("A"))
        let form = Condition.test("form", .notEqual, .text("tablet"))
        let active = Condition.test("isActive", .equal, .bool(true))
        #expect(
            try condition("name = A or form != tablet and isActive = true")
                == .any([name, .all([form, active])]))
        #expect(
            try condition("(name = A OR form <> tablet) AND isActive == true")
                == .all([.any([name, form]), active]))
        #expect(try condition("not not name='A'") == .not(.not(name)))
    }

    @Test func `values have the type of their field`() throws {
        let amount = try #require(Decimal64(parsing: "2.5"))
        #expect(
            try condition("amount >= 2.5") == .test("amount", .greaterOrEqual, .decimal(amount)))
        #expect(try condition("packageSize<10") == .test("packageSize", .less, .int(10)))
        #expect(try condition("tags contains 'a b'") == .test("tags", .contains, .text("a b")))
        #expect(try condition("name begins \"and\"") == .test("name", .beginsWith, .text("and")))
        #expect(try condition("id = x") == .test("id", .equal, .text("x")))
        #expect(try condition("endDate is not null") == .not(.isNull("endDate")))
    }

    @Test(arguments: [
        ("", "column 1: a field is missing"), ("name", "column 5: a comparison"),
        ("name =", "column 7: a value is missing"), ("name = A B", "column 10, at 'B': 'and' or"),
        ("(name = A", "column 10: ')' is missing"), ("nmae = A", "did you mean 'name'?"),
        ("name ~ A", "column 6, at '~'"), ("name = 'A", "column 8: the closing quote"),
        ("isActive = maybe", "must be true or false"), ("name is A", "'null' is expected here"),
        ("form = pill", "one of tablet"), (") = 1", "a field is expected here"),
    ])
    func `a mistake is told with its column`(text: String, expected: String) {
        #expect(message(text)?.contains(expected) == true)
    }

    @Test func `a condition that is nested without end is refused`() {
        let deep = String(repeating: "(", count: 5_000) + "name = A"
        #expect(message(deep)?.contains("nested too deeply") == true)
    }
}
