import LinnetCRDT
import LinnetReplication
import LinnetWire

/// A text within a record.
struct TextPlace: Hashable {
    var record: RecordKey
    var field: UInt32
}

/// The place where somebody types who goes on from there: a plan cannot know it.
enum Caret {
    /// After what they typed last.
    static let onward = -1
    /// Before it.
    static let backward = -2
}

/// A transaction as it can be made on the records as they are: a plan knows neither how long a text
/// is nor what a log holds.
struct Fitting {
    private(set) var writes: [Write] = []
    /// The text that each edited field reads afterwards.
    private(set) var texts: [TextPlace: String] = [:]
    /// True when the interface has to refuse it.
    private(set) var isRefused = false
    /// The place where each text was typed last.
    private(set) var carets: [TextPlace: Range<Int>]
    /// Texts of which this transaction cannot know what they read.
    private var unsure: Set<TextPlace> = []
    private var inserted: [RecordKey: [UInt8]] = [:]
    private let schema: Schema
    private var records: [RecordKey: RecordState]

    init(
        _ wanted: [Write], schema: Schema, records: [RecordKey: RecordState],
        carets: [TextPlace: Range<Int>]
    ) {
        self.schema = schema
        self.records = records
        self.carets = carets
        for write in wanted {
            guard let collection = schema.collection(id: write.key.collection) else { continue }
            let changes = write.changes.map { fit($0, of: write.key, in: collection) }
            writes.append(Write(write.key, changes))
        }
        // What is kept would be copied when a record changes.
        self.records = [:]
    }

    private mutating func fit(
        _ change: Change, of key: RecordKey, in collection: Collection
    ) -> Change {
        switch change {
        case .delete, .restore:
            if collection.deletePolicy == .neverDelete { isRefused = true }
            let isLive = lives[key] ?? (records[key]?.isLive == true ? .asItWas : .anew)
            if change == .delete {
                lives[key] = .anew
            } else if isLive == .anew {
                lives[key] = .unknown
            }
            if change == .delete || isLive == .anew {
                for field in collection.fields {
                    texts[TextPlace(record: key, field: field.id)] = nil
                    unsure.remove(TextPlace(record: key, field: field.id))
                }
            }
            return change
        case .insert(let fields):
            note(OwnWrites.payload(fields, collection), of: key)
            return change
        case .edit(let field, let wish, let count, let text, _):
            let place = TextPlace(record: key, field: field)
            if lives[key] == .unknown || unsure.contains(place) {
                return .edit(field: field, at: 0, deleting: 0, inserting: text)
            }
            var characters = Array(reading(place))
            let at = position(wish, in: place, length: characters.count)
            let deleted = min(count, characters.count - at)
            characters.replaceSubrange(at..<at + deleted, with: text)
            let whole = String(characters)
            texts[place] = whole
            // Characters may have become one.
            carets[place] = at..<min(at + text.count, whole.count)
            return .edit(field: field, at: at, deleting: deleted, inserting: text)
        case .rewrite(let field, let text):
            if lives[key] == .unknown { return change }
            texts[TextPlace(record: key, field: field)] = text
            unsure.remove(TextPlace(record: key, field: field))
            return change
        case .copy(let field, let pieces):
            let copied = pieces.map(\.insertion.string).joined()
            guard lives[key] != .unknown else { return .rewrite(field: field, copied) }
            let place = TextPlace(record: key, field: field)
            let text = reading(place)
            texts[place] = text.isEmpty ? nil : text
            // Nothing comes of a copy that was made before and deleted since.
            if text.isEmpty { unsure.insert(place) }
            // Plans are made with other hashes than some runs have.
            return .copy(field: field, TextCopy.pieces(of: copied))
        default:
            return change
        }
    }

    /// The life of a record that this transaction deletes or restores before the next change.
    private enum Life {
        case asItWas, anew, unknown
    }

    private var lives: [RecordKey: Life] = [:]

    private func position(_ wish: Int, in place: TextPlace, length: Int) -> Int {
        let last = carets[place] ?? length..<length
        switch wish {
        case Caret.onward: return min(last.upperBound, length)
        case Caret.backward: return min(last.lowerBound, length)
        default: return wish % (length + 1)
        }
    }

    private func reading(_ place: TextPlace) -> String {
        if let known = texts[place] { return known }
        guard lives[place.record] ?? .asItWas == .asItWas,
            case .text(let text)? = records[place.record]?.content(of: place.field)
        else { return "" }
        return text.string
    }

    private mutating func note(_ payload: [UInt8], of key: RecordKey) {
        var known: [[UInt8]] = []
        if case .log(let log)? = records[key]?.content(of: 0) { known = log.entries.map(\.payload) }
        if let own = inserted[key] { known.append(own) }
        if known.isEmpty {
            inserted[key] = payload
        } else if !known.contains(payload) {
            isRefused = true
        }
    }
}
