public import LinnetCRDT
import LinnetReplication
import LinnetSystem
import LinnetWire

/// A text that an editor has open: it types into what it shows while others write, is told of
/// their changes as steps, keeps cursors at their characters and takes back its own edits.
///
/// Offsets count into what the editor shows, in the unit that it asked for. What they mean is kept
/// by the names of the characters, so that an edit does the same wherever those are by now. The
/// text works on the thread of its node, and keeps the node.
public final actor OpenText {
    private let node: Node
    private let key: RecordKey
    private let field: Field
    private let feed: ChangeFeed
    /// The unit in which offsets count.
    public nonisolated let unit: TextUnit

    /// The text that the editor is known to show, with the number of the last change that it took.
    private var shown: ShownText
    private var number = 0
    /// The changes that were given out since, while nothing says which of them the editor took.
    private var offers: [(text: ShownText, number: Int)] = []
    private var lastNumber = 0
    private var edits = 0
    private var history = TextUndo()

    init(_ node: Node, _ key: RecordKey, _ field: Field, _ feed: ChangeFeed, _ unit: TextUnit)
        throws(LinnetError)
    {
        (self.node, self.key, self.field, self.feed, self.unit) = (node, key, field, feed, unit)
        shown = ShownText(try Self.document(node, key, field))
    }

    /// The thread of the node.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe node.unownedExecutor }

    /// The text that the editor shows once it has taken all that it was given.
    public var string: String { (offers.last?.text ?? shown).string }

    /// True when there is an edit of this editor to take back.
    public var canUndo: Bool { history.canUndo }
    /// True when an edit that was taken back can be made again.
    public var canRedo: Bool { history.canRedo }
}

// Seeing what others write.
extension OpenText {
    /// Waits until the text differs from what the editor shows, and returns the change; nil once
    /// the node has stopped or the task is cancelled.
    ///
    /// - Parameter applied: the number of the change that the editor applied last, 0 when it has
    ///   none; nil when it applied every change that it was given.
    public func next(after applied: Int? = nil) async throws(LinnetError) -> TextChange? {
        var signals = feed.signals.makeAsyncIterator()
        try take(applied)
        while true {
            if let change = try change() { return change }
            guard await signals.next(isolation: self) != nil else { return nil }
            feed.takeAll()
        }
    }

    /// The changes, one after the other, for an editor that applies each before it asks for the
    /// next one, and before its user types again.
    public nonisolated var changes: TextChanges { TextChanges(text: self) }

    /// Returns the change that leads to the text as it is now; nil when it is shown.
    private func change() throws(LinnetError) -> TextChange? {
        let document = try Self.document(node, key, field)
        let delta = shown.delta(to: document, in: unit)
        guard !delta.isEmpty else { return nil }
        lastNumber += 1
        let text = ShownText(document)
        offers = offers.suffix(Self.mostOffers - 1) + [(text, lastNumber)]
        return TextChange(
            delta: delta, text: text.string, number: lastNumber, base: number, edits: edits)
    }

    /// Notes which of the changes that were given out the editor shows.
    private func take(_ applied: Int?) throws(LinnetError) {
        if let taken = offers.last(where: { applied == nil || applied == $0.number }) {
            (shown, number) = taken
            offers = []
        } else if let applied, applied != number {
            throw .schema(.notShown(field: field.name))
        }
    }

    /// The most changes that are kept for an editor that does not say what it took.
    private static let mostOffers = 8
}

// Writing.
extension OpenText {
    /// Replaces a part of what the editor shows.
    ///
    /// - Parameters:
    ///   - offset: the place in what the editor shows, with all edits that it made before.
    ///   - count: the length of what is deleted there.
    ///   - text: what is inserted there.
    ///   - applied: the number of the change that the editor applied last; nil when it applied
    ///     every change that it was given.
    ///   - durability: tells whether the call waits until the edit is safe from a power cut.
    @discardableResult
    public func edit(
        at offset: Int, deleting count: Int = 0, inserting text: String = "",
        after applied: Int? = nil, durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        try take(applied)
        let scalars = try places(at: offset, count: count)
        let (names, receipt) = try carryOut(shown.splice(scalars, with: text), durability)
        let after = try Self.document(node, key, field)
        let effect = shown.take(scalars, with: text, from: names, to: after)
        history.note(
            effect, at: scalars.lowerBound, time: SystemClock.now().uptimeMilliseconds)
        (offers, edits) = ([], edits + 1)
        return receipt
    }

    /// Takes back the last edit of this editor that still shows something, and returns the change,
    /// with what others wrote meanwhile; nil when there is none.
    ///
    /// What others wrote stays. Typing on, or deleting on, is one edit until there is a pause of
    /// half a second.
    public func undo(after applied: Int? = nil) throws(LinnetError) -> TextChange? {
        try step(.undo, after: applied)
    }

    /// Makes the edit again that was taken back last; returns as `undo` does.
    public func redo(after applied: Int? = nil) throws(LinnetError) -> TextChange? {
        try step(.redo, after: applied)
    }

    private func step(
        _ direction: TextUndo.Direction, after applied: Int?
    ) throws(LinnetError) -> TextChange? {
        try take(applied)
        let document = try Self.document(node, key, field)
        guard let step = history.step(direction, in: document) else { return nil }
        let (names, _) = try carryOut(step.splice, .durable)
        history.finish(step, from: names, to: try Self.document(node, key, field))
        (offers, edits) = ([], edits + 1)
        return try change()
    }

    private func carryOut(
        _ splice: TextSplice, _ durability: WriteDurability
    ) throws(LinnetError) -> (TextNames, WriteReceipt) {
        let names = try node.assumeIsolated { node in
            Result { () throws(LinnetError) in try node.names(key, field) }
        }.get()
        let request = WriteRequest.changes(Write(key, [.splice(field: field.id, splice)]))
        let result = node.assumeIsolated { node in
            Result { () throws(LinnetError) in
                try node.carryOut([request], intent: nil, durability: durability)
            }
        }
        return (names, WriteReceipt(try result.get(), in: node.schema))
    }

    private func places(at offset: Int, count: Int) throws(LinnetError) -> Range<Int> {
        do {
            return try shown.scalars(at: offset, count: count, in: unit)
        } catch {
            guard error == .outOfRange else { throw .schema(.tornScalar(field: field.name)) }
            let length = shown.length(in: unit)
            throw .schema(.badEdit(field: field.name, length: length, unit: unit))
        }
    }

    private static func document(
        _ node: Node, _ key: RecordKey, _ field: Field
    ) throws(LinnetError) -> TextDocument {
        try node.assumeIsolated { node in
            Result { () throws(LinnetError) in try node.text(key, field) }
        }.get()
    }
}

// Places that stay at their characters.
extension OpenText {
    /// Returns a cursor at an offset into what the editor shows.
    ///
    /// It sticks to the character before it, or with `.before` to the one after it, and may be kept
    /// and sent to other devices, where it is at the same character.
    public func cursor(
        at offset: Int, sticking side: TextCursor.Side = .after, after applied: Int? = nil
    ) throws(LinnetError) -> TextCursor {
        try take(applied)
        let scalars = try places(at: offset, count: 0)
        do {
            return try shown.cursor(at: scalars.lowerBound, sticking: side, in: .scalars)
        } catch {
            throw .schema(.badEdit(field: field.name, length: shown.length(in: unit), unit: unit))
        }
    }

    /// Returns where a cursor is in what the editor shows; nil when its character has not come to
    /// this device yet, or when it is of another text.
    public func place(
        of cursor: TextCursor, after applied: Int? = nil
    ) throws(LinnetError) -> CursorPlace? {
        try take(applied)
        return shown.place(of: cursor, in: try Self.document(node, key, field), unit)
    }
}

/// The changes of an open text, one after the other.
public struct TextChanges: AsyncSequence, Sendable {
    /// The error that the sequence throws when the text cannot be read.
    public typealias Failure = LinnetError

    let text: OpenText

    /// Starts reading; a second reader takes changes away from the first.
    public func makeAsyncIterator() -> Iterator { Iterator(text: text) }

    /// Reads one change after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let text: OpenText

        /// Returns the next change; nil once the node has stopped.
        public mutating func next() async throws(LinnetError) -> TextChange? {
            do throws(LinnetError) {
                return try await text.next()
            } catch {
                if error == .stopped { return nil }
                throw error
            }
        }
    }
}

extension Node {
    /// Opens a text for an editor, whose offsets count in a unit.
    ///
    /// The text may be empty and its record not written yet. Throws an error of the schema for a
    /// field that is no text.
    public func openText(
        _ collection: String, _ id: String, _ field: String, in unit: TextUnit = .utf16
    ) throws(LinnetError) -> OpenText {
        let declared = try self.collection(named: collection)
        let key = RecordKey(collection: declared.id, record: try recordID(id))
        let found: Field
        do throws(SchemaError) {
            found = try declared.field(named: field)
            guard found.kind == .text else {
                throw SchemaError.wrongKind(field: field, kind: "\(found.kind)")
            }
        } catch {
            throw explained(.schema(error))
        }
        let feed = try feed(of: [collection])
        return try OpenText(self, key, found, feed, unit)
    }

    /// Returns a text as it is, with all that it was made of.
    func text(_ key: RecordKey, _ field: Field) throws(LinnetError) -> TextDocument {
        try reading { (replica) throws(ReplicaError) in
            try replica.reader.text(key, field: field.id)
        }
    }

    /// Returns the names in a text that this node is about to edit.
    fileprivate func names(_ key: RecordKey, _ field: Field) throws(LinnetError) -> TextNames {
        try reading { (replica) throws(ReplicaError) in
            TextNames(
                try replica.reader.text(key, field: field.id), before: replica.authorID)
        }
    }
}
