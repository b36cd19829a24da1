package import LinnetMembership
import LinnetStorage
import LinnetWire

/// A question about the group, and the state of its answer.
package struct AskedQuestion: Equatable, Sendable {
    /// The question.
    package let question: GroupQuestion
    /// The time from which this device knows of it, in Unix milliseconds; nil when more questions
    /// stand than are kept.
    package let since: Int64?
    /// The person's answer: true for *that was me*, false for *not me*; nil while there is none.
    package let isOwn: Bool?
    /// The time at which this device accepts the admission by itself, in Unix milliseconds; nil
    /// when it does not.
    package let acceptance: Int64?
}

/// The questions about the group that the person at this device was asked: the time at which each
/// came up, and her answer.
struct QuestionBook: Equatable {
    private static let version: UInt64 = 1

    /// The state of one question.
    struct Entry: Equatable {
        /// The time from which the device knows of it, in Unix milliseconds.
        var since: Int64
        /// The person's answer: true for *that was me*, false for *not me*; nil for none yet.
        var isOwn: Bool?
    }

    private(set) var entries: OrderedTable<MemberRecordID, Entry> = OrderedTable()
    /// True when the store keeps something else.
    private(set) var isChanged = false

    /// Nothing was asked.
    init() {}

    /// Reads the bytes that were kept, if there are any. Throws ``StorageError/corrupt(where:)``
    /// for those that this version cannot read: the next question would replace the answers.
    init(kept: [UInt8]?) throws(StorageError) {
        guard let kept else { return }
        do {
            entries = try Self.read(kept)
        } catch {
            throw .corrupt(where: "meta: the questions about the group")
        }
    }

    /// Returns a question with what is known of it.
    func asked(_ question: GroupQuestion) -> AskedQuestion {
        let entry = entries[question.record]
        return AskedQuestion(
            question: question, since: entry?.since, isOwn: entry?.isOwn,
            acceptance: question.matter == .admission ? acceptance(of: question.record) : nil)
    }

    /// Takes over the questions that stand now, and forgets those that are over. Of the others,
    /// which may stand again when a removal comes to nothing, the time and the answer stay, as long
    /// as there is room. Those beyond ``Limits/groupQuestions`` wait until others are over.
    mutating func update(
        _ questions: [GroupQuestion], over: [MemberRecordID] = [], at wallMilliseconds: Int64
    ) {
        for record in over where entries[record] != nil {
            entries[record] = nil
            isChanged = true
        }
        for (record, entry) in entries where entry.since > wallMilliseconds {
            // The clock was put back: how long the device knew is not known.
            entries[record]?.since = wallMilliseconds
            isChanged = true
        }
        let standing = OrderedSet(questions.map(\.record))
        for record in standing.elements where entries[record] == nil {
            guard makeRoom(keeping: standing) else { return }
            entries[record] = Entry(since: wallMilliseconds)
            isChanged = true
        }
    }

    /// Returns true when there is room for one more. A question that does not stand makes room; one
    /// to which the person said no is the last to go.
    private mutating func makeRoom(keeping standing: OrderedSet<MemberRecordID>) -> Bool {
        guard entries.count >= Limits.groupQuestions else { return true }
        let idle = entries.keys.filter { !standing.contains($0) }
        guard let record = idle.first(where: { entries[$0]?.isOwn != false }) ?? idle.first else {
            return false
        }
        entries[record] = nil
        return true
    }

    /// Notes an answer.
    mutating func answer(_ record: MemberRecordID, isOwn: Bool) {
        guard entries[record] != nil, entries[record]?.isOwn != isOwn else { return }
        entries[record]?.isOwn = isOwn
        isChanged = true
    }

    /// The time at which the device accepts an admission by itself, in Unix milliseconds; nil when
    /// it does not.
    func acceptance(of record: MemberRecordID) -> Int64? {
        guard let entry = entries[record], entry.isOwn != false else { return nil }
        return entry.since + Limits.acceptanceMilliseconds
    }

    /// Writes what is new in the transaction of the call.
    mutating func keep(_ turn: inout Turn) throws(StorageError) {
        guard isChanged else { return }
        if !turn.store.isInTransaction { try turn.writing() }
        try turn.store.setValue(.questions, encoded)
        isChanged = false
    }

    /// The bytes that are kept.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.unsigned(Self.version)
        writer.array(entries.count)
        for (record, entry) in entries {
            writer.array(3)
            writer.bytes(record)
            writer.signed(entry.since)
            writer.unsigned(entry.isOwn.map { $0 ? 1 : 2 } ?? 0)
        }
        return writer.bytes
    }

    private static func read(
        _ bytes: [UInt8]
    ) throws(WireError) -> OrderedTable<MemberRecordID, Entry> {
        var reader = CBORReader(bytes)
        try reader.array(exactly: 2)
        guard try reader.unsigned() == version else { throw .unexpectedType }
        var entries: OrderedTable<MemberRecordID, Entry> = OrderedTable()
        for _ in 0..<(try reader.array()) {
            try reader.array(exactly: 3)
            let record = try reader.bytes32()
            let since = try reader.signed()
            let answer = try reader.unsigned()
            guard answer <= 2, since <= Int64.max - Limits.acceptanceMilliseconds else {
                throw .unexpectedType
            }
            entries[record] = Entry(since: since, isOwn: answer == 0 ? nil : answer == 1)
        }
        try reader.finish()
        return entries
    }
}
