/// The difference between a text as it was and as it is, in steps from the start to the end.
///
/// All that follows the last step is kept. In one place, what is deleted comes before what is
/// inserted.
public struct TextDelta: Equatable, Sendable {
    /// One step over a text.
    public enum Step: Equatable, Sendable {
        /// So much of the text stays.
        case keep(Int)
        /// So much of the text goes.
        case delete(Int)
        /// This text comes.
        case insert(String)
    }

    /// The unit in which the steps count.
    public let unit: TextUnit
    /// The steps; none of them is empty, and no two of a kind follow one another.
    public private(set) var steps: [Step] = []

    init(in unit: TextUnit) { self.unit = unit }

    /// True when nothing changes.
    public var isEmpty: Bool { steps.isEmpty }

    /// Adds a part of the text that stays.
    mutating func keep(_ count: Int) {
        guard count > 0 else { return }
        if case .keep(let before) = steps.last {
            steps[steps.count - 1] = .keep(before + count)
        } else {
            steps.append(.keep(count))
        }
    }

    /// Adds a change; texts that follow one another without a part that stays become one.
    mutating func replace(_ count: Int, with text: String) {
        var (count, text) = (count, text)
        if case .insert(let before) = steps.last {
            text = before + text
            steps.removeLast()
        }
        if case .delete(let before) = steps.last {
            count += before
            steps.removeLast()
        }
        if count > 0 { steps.append(.delete(count)) }
        if !text.isEmpty { steps.append(.insert(text)) }
    }

    /// Takes away what is kept at the end, which goes without saying.
    mutating func finish() {
        if case .keep = steps.last { steps.removeLast() }
    }

    /// Returns the text after the change; nil when the text is too short for it, or when a step
    /// would end within a scalar.
    public func applied(to text: String) -> String? {
        let pieces = text.pieces(in: unit)
        var result = String.UnicodeScalarView()
        var place = 0
        func pass(_ count: Int, keeping isKept: Bool) -> Bool {
            var left = count
            while left > 0 {
                guard place < pieces.count else { return false }
                left -= pieces[place].length
                if isKept { result.append(contentsOf: pieces[place].scalars) }
                place += 1
            }
            return left == 0
        }
        for step in steps {
            switch step {
            case .keep(let count): guard pass(count, keeping: true) else { return nil }
            case .delete(let count): guard pass(count, keeping: false) else { return nil }
            case .insert(let text): result.append(contentsOf: text.unicodeScalars)
            }
        }
        for piece in pieces[place...] { result.append(contentsOf: piece.scalars) }
        return String(result)
    }

    /// Returns where an offset into the text before the change is after it: within what was
    /// deleted, and right after it, it is where that was, and before text that was inserted right
    /// there.
    public func moved(_ offset: Int) -> Int {
        var (passed, moved) = (0, offset)
        for step in steps {
            if passed >= offset, case .keep = step { return moved }
            switch step {
            case .keep(let count): passed += count
            case .delete(let count):
                moved -= max(0, min(count, offset - passed))
                passed += count
            case .insert(let text):
                if passed < offset { moved += text.length(in: unit) }
            }
        }
        return moved
    }
}
