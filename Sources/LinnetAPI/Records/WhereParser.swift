import Linnet
package import LinnetCRDT
package import LinnetControl
package import LinnetReplication

/// Reads conditions such as `form = tablet and (stock < 10 or not isActive = true)`.
package struct WhereParser {
    private let collection: Collection
    private let tokens: [WhereToken]
    private let end: Int
    private var next = 0
    private var depth = 0

    /// Reads the condition in a text; the failure names the mistake and its column.
    package static func condition(
        _ text: String, in collection: Collection
    ) throws(ControlFailure) -> Condition {
        var parser = WhereParser(
            collection: collection, tokens: try WhereToken.all(in: text), end: text.count + 1)
        let condition = try parser.alternatives()
        if let rest = parser.current {
            throw rest.failure("'and' or 'or' is missing before this")
        }
        return condition
    }

    private init(collection: Collection, tokens: [WhereToken], end: Int) {
        self.collection = collection
        self.tokens = tokens
        self.end = end
    }

    private var current: WhereToken? { next < tokens.count ? tokens[next] : nil }

    private mutating func take(_ word: String) -> Bool {
        guard let current, !current.isQuoted, current.text.lowercased() == word else {
            return false
        }
        next += 1
        return true
    }

    private mutating func advance(_ meaning: String) throws(ControlFailure) -> WhereToken {
        guard let token = current else {
            throw .usage("--where, column \(end): \(meaning) is missing")
        }
        next += 1
        return token
    }

    private mutating func alternatives() throws(ControlFailure) -> Condition {
        var parts = [try conjunction()]
        while take("or") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(ControlFailure) -> Condition {
        var parts = [try factor()]
        while take("and") { parts.append(try factor()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func factor() throws(ControlFailure) -> Condition {
        depth += 1
        defer { depth -= 1 }
        if depth >= Condition.maximumDepth / 2, let current {
            throw current.failure("this is nested too deeply")
        }
        if take("not") { return .not(try factor()) }
        guard take("(") else { return try comparison() }
        let inner = try alternatives()
        guard take(")") else {
            throw current?.failure("')' belongs before this")
                ?? .usage("--where, column \(end): ')' is missing")
        }
        return inner
    }

    private mutating func comparison() throws(ControlFailure) -> Condition {
        let name = try advance("a field")
        if name.isOperator { throw name.failure("a field is expected here") }
        var column: Column?
        if name.text != "id" || collection.fields.contains(where: { $0.name == "id" }) {
            do throws(ControlFailure) {
                column = try Column.named(name.text, in: collection)
            } catch {
                throw name.failure(error.message)
            }
        }
        if take("is") {
            let isNegated = take("not")
            guard take("null") else {
                throw current?.failure("'null' is expected here")
                    ?? .usage("--where, column \(end): 'null' is missing")
            }
            return isNegated ? .not(.isNull(name.text)) : .isNull(name.text)
        }
        let sign = try advance("a comparison such as =")
        guard let comparison = Self.comparisons.first(where: { $0.0 == sign.text.lowercased() })
        else {
            throw sign.failure(
                "a comparison is expected here: =, !=, <, <=, >, >=, contains, begins, matches"
                    + " or is null")
        }
        let operand = try advance("a value")
        if operand.isOperator { throw operand.failure("a value is expected here") }
        return .test(name.text, comparison.1, try value(operand, column, comparison.1))
    }

    private func value(
        _ token: WhereToken, _ column: Column?, _ comparison: Comparison
    ) throws(ControlFailure) -> Value {
        let isPart = [.beginsWith, .contains, .matches].contains(comparison)
        guard let column, !(isPart && column.field.kind != .set) else { return .text(token.text) }
        do throws(ControlFailure) {
            return try ValueText.parse(token.text, for: column)
        } catch {
            throw token.failure(error.message)
        }
    }

    private static let comparisons: [(String, Comparison)] = [
        ("=", .equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less),
        ("<=", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual), ("contains", .contains),
        ("begins", .beginsWith), ("beginswith", .beginsWith), ("matches", .matches),
    ]
}

/// One word, value or sign of a condition.
struct WhereToken: Equatable {
    let text: String
    /// The place where it begins, in characters from 1.
    let column: Int
    let isQuoted: Bool

    var isOperator: Bool {
        guard !isQuoted, let first = text.first else { return false }
        return "=!<>()".contains(first)
    }

    func failure(_ message: String) -> ControlFailure {
        .usage("--where, column \(column), at '\(TerminalText.neutral(text))': \(message)")
    }

    static func all(in text: String) throws(ControlFailure) -> [WhereToken] {
        let characters = Array(text)
        var tokens: [WhereToken] = []
        var place = 0
        while place < characters.count {
            let start = place
            let character = characters[place]
            place += 1
            switch character {
            case _ where character.isWhitespace: continue
            case "(", ")": break
            case "=", "!", "<", ">":
                while place < characters.count, "=>".contains(characters[place]) { place += 1 }
            case "'", "\"":
                guard let end = characters[place...].firstIndex(of: character) else {
                    throw .usage("--where, column \(start + 1): the closing quote is missing")
                }
                tokens.append(
                    WhereToken(
                        text: String(characters[place..<end]), column: start + 1, isQuoted: true))
                place = end + 1
                continue
            default:
                while place < characters.count, !characters[place].isWhitespace,
                    !"=!<>()'\"".contains(characters[place])
                {
                    place += 1
                }
            }
            tokens.append(
                WhereToken(
                    text: String(characters[start..<place]), column: start + 1, isQuoted: false))
        }
        return tokens
    }
}
