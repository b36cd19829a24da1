import Testing

@testable import Linnet

struct SchemaDeskTests {
    private let group: SchemaFile

    init() throws { group = SchemaFile(try Schema.everyKind()) }

    private func desk(declaring file: SchemaFile?) -> SchemaDesk {
        SchemaDesk(
            HomeSchema(
                file: file ?? group, declared: file, isFixed: file != nil, isAssumed: false))
    }

    @Test func `a schema that was shown is used once, when the device belongs to the group`() {
        var desk = desk(declaring: nil)
        #expect(desk.judge([group]) == [])
        #expect(desk.joined() == group)
        #expect(desk.takePublishing() == false)
        #expect(desk.joined() == nil)
    }

    @Test func `without one what is declared here is published after the first exchange, once`() {
        var desk = desk(declaring: group)
        #expect(desk.joined() == nil)
        let answers = [desk.takePublishing(), desk.takePublishing()]
        #expect(answers == [true, false])
    }

    @Test func `a home that was opened with a schema is opened with it again`() {
        if case .given(let file) = desk(declaring: group).choice {
            #expect(file == group)
        } else {
            Issue.record("the home would follow the group")
        }
        if case .kept = desk(declaring: nil).choice {} else { Issue.record("it is not kept") }
    }
}
