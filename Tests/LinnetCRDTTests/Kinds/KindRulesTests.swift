import LinnetCRDT
import Testing

/// The rules of the kinds fit together.
struct KindRulesTests {
    @Test func `every operation on a field belongs to one kind, whose rules it finds`() {
        for operation in OperationKind.allCases {
            let kinds = FieldKind.allCases.filter { $0.rules.takes(operation) }
            let isOfNoField: [OperationKind] = [
                .logInsert, .textMark, .recordDelete, .recordRestore,
            ]
            if isOfNoField.contains(operation) {
                #expect(kinds.isEmpty)
            } else {
                #expect(kinds.count == 1)
                #expect(
                    operation.rules.map { ObjectIdentifier($0) }
                        == kinds.first.map { ObjectIdentifier($0.rules) })
            }
        }
    }

    @Test func `names differ, and every kind says how it merges`() {
        let kinds = FieldKind.allCases
        #expect(Set(kinds.map(\.name)).count == kinds.count)
        #expect(Set(kinds.map { $0.rules.rule }).count == kinds.count)
        #expect(kinds.allSatisfy { "\($0)" == $0.name && $0.rules.rule.hasSuffix(".") })
    }

    @Test func `what a kind implies of types fits what it allows`() {
        for kind in FieldKind.allCases {
            guard let only = kind.rules.onlyType else { continue }
            let field = Field(id: 1, name: "a", kind: kind)
            #expect(field.members.map(\.type) == [only])
        }
    }

    @Test func `a kind is filled from itself, or from no kind at all`() {
        for kind in FieldKind.allCases where kind != .group && kind != .order {
            #expect(kind.rules.copySources.contains(kind))
        }
    }
}
