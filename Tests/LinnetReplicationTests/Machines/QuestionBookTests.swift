import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct QuestionBookTests {
    private func question(_ number: Int) -> GroupQuestion {
        var bytes = [UInt8](repeating: 0, count: 32)
        (bytes[0], bytes[1]) = (UInt8(number >> 8), UInt8(number & 0xff))
        return GroupQuestion(
            record: MemberRecordID(bytes) ?? .zero, author: .zero, isByRecovery: false,
            device: .zero, matter: .admission)
    }

    private func kept(_ entries: [(since: Int64, answer: UInt64)], version: UInt64 = 1) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.unsigned(version)
        writer.array(entries.count)
        for (number, entry) in entries.enumerated() {
            writer.array(3)
            writer.bytes(question(number).record)
            writer.signed(entry.since)
            writer.unsigned(entry.answer)
        }
        return writer.bytes
    }

    @Test func `what was kept is what was noted`() throws {
        var book = QuestionBook()
        book.update([question(0), question(1), question(2)], at: 5)
        book.answer(question(1).record, isOwn: true)
        book.answer(question(2).record, isOwn: false)
        #expect(book.isChanged && book.encoded == kept([(5, 0), (5, 1), (5, 2)]))
        let again = try QuestionBook(kept: book.encoded)
        #expect(again.entries == book.entries && !again.isChanged)
        #expect(try QuestionBook(kept: nil) == QuestionBook())
        #expect(again.asked(question(2)).acceptance == nil)
        #expect(again.asked(question(0)).acceptance == 5 + Limits.acceptanceMilliseconds)
        #expect(again.asked(question(9)).since == nil)
    }

    @Test func `nothing changes while the same is asked`() {
        var book = QuestionBook()
        book.update([], at: 5)
        #expect(!book.isChanged)
        book.answer(question(0).record, isOwn: true)
        #expect(!book.isChanged && book.entries.isEmpty)
    }

    @Test func `there is room for as many questions as the limit says, and others wait`() {
        var book = QuestionBook()
        let all = (0...Limits.groupQuestions).map(question)
        book.update(all, at: 5)
        #expect(book.entries.count == Limits.groupQuestions)
        #expect(book.asked(all[Limits.groupQuestions]).since == nil)
        #expect(book.acceptance(of: all[Limits.groupQuestions].record) == nil)
        book.update(Array(all.dropFirst()), at: 6)
        #expect(book.asked(all[Limits.groupQuestions]).since == 6)
    }

    @Test func `what does not stand for a while is known when it stands again`() {
        var book = QuestionBook()
        book.update([question(0), question(1)], at: 5)
        book.answer(question(1).record, isOwn: false)
        book.update([], at: 6)
        book.update([question(0), question(1)], at: 7)
        #expect(book.asked(question(0)).since == 5)
        #expect(book.asked(question(1)).isOwn == false)
        book.update([], over: [question(0).record], at: 8)
        #expect(book.entries.keys == [question(1).record])
    }

    @Test func `what does not stand makes room, and last of all what the person denied`() {
        var book = QuestionBook()
        book.update([question(0), question(1)], at: 5)
        book.answer(question(0).record, isOwn: false)
        let others = (2...Limits.groupQuestions + 1).map(question)
        book.update(Array(others.dropLast()), at: 6)
        #expect(book.entries.keys.first == question(0).record)
        #expect(book.entries.keys.dropFirst().first == question(2).record)
        book.update(others, at: 7)
        #expect(book.entries.keys == others.map(\.record))
    }

    @Test(arguments: [(Int64.max, 0 as UInt64), (5, 3)])
    func `damaged answers are refused`(since: Int64, answer: UInt64) {
        #expect(throws: StorageError.self) { try QuestionBook(kept: kept([(since, answer)])) }
    }

    @Test func `answers of another version, and bytes cut short, are refused`() {
        #expect(throws: StorageError.self) { try QuestionBook(kept: kept([], version: 2)) }
        #expect(throws: StorageError.self) {
            try QuestionBook(kept: Array(kept([(5, 0)]).dropLast()))
        }
        #expect(throws: StorageError.self) { try QuestionBook(kept: kept([]) + [0]) }
    }
}
