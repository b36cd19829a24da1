import Foundation
import Testing

/// The program is started twice, as two people would.
@Suite(.timeLimit(.minutes(5)))
struct SharedListTests {
    @Test func `two people keep one list, and what both add is added up`() throws {
        let folder = try ScratchFolder()
        let laptop = try ExampleProcess("SharedList", ["\(folder.path)/laptop", "Laptop"])
        try laptop.wait(for: "the list is empty")
        laptop.type("add tea 2")
        try laptop.wait(for: "2 tea")
        laptop.type("invite")
        let invitation = try laptop.wait(for: "--join").split(separator: " ").map(String.init)
        let phone = try ExampleProcess(
            "SharedList", ["\(folder.path)/phone", "Phone"] + invitation.suffix(3))
        try phone.wait(for: "joined the list of Laptop")
        try laptop.wait(for: "Phone keeps the list, too")
        try phone.wait(for: "2 tea")
        phone.type("add tea 3")
        try laptop.wait(for: "5 tea")
        laptop.type("take tea")
        try phone.wait(for: "x 5 tea")
        for person in [laptop, phone] {
            person.type("quit")
            #expect(try person.finish() == 0)
        }
    }

    @Test func `what cannot be done is said, and the list goes on`() throws {
        let folder = try ScratchFolder()
        let list = try ExampleProcess("SharedList", ["\(folder.path)/home", "Laptop"])
        for line in ["take milk", "add tea many", "fly", "steal tea", "add"] { list.type(line) }
        list.type("add tea")
        try list.wait(for: "1 tea")
        list.type("quit")
        #expect(try list.finish() == 0)
        #expect(list.said.filter { $0.hasPrefix("that did not work") }.count == 5)
    }

    @Test func `a call without a home tells how to call it`() throws {
        let (code, said) = try ExampleProcess.run("SharedList")
        #expect(code == 1)
        #expect(said == ["shared-list: usage: shared-list HOME NAME [--join CODE ADDRESS]"])
    }
}
