/// Scalars that follow one another in a text, each the right child of the one before.
///
/// Only the first may have left children, and only the last may have right children from outside
/// the run, so that runs are the nodes of a coarser tree. The ids follow one another by one rule,
/// and no id of another run lies between them.
struct TextRun: Sendable {
    /// The part of an id that counts up from scalar to scalar.
    enum Step: UInt8, Sendable {
        /// The offset: scalars of one insertion.
        case offset = 0
        /// The op's index in its batch: insertions of one scalar.
        case index = 1
        /// The batch's number: insertions of one scalar.
        case seq = 2
    }

    /// The first scalar.
    var first: TextID
    /// The rule by which the ids follow; `offset` for a single scalar.
    var step = Step.offset
    /// The number of scalars, at least 1.
    var count: Int
    /// The place of the scalars in the tree's store; it has no meaning once they are deleted.
    var textStart = 0
    /// True when the scalars are deleted.
    var isDeleted: Bool
    /// True only when each scalar is a character by itself beside another such scalar, and one
    /// UTF-16 code unit.
    var isEven = true
    /// The left child with the least id.
    var firstLeft = BalancedOrder.none
    /// The right child with the greatest id.
    var firstRight = BalancedOrder.none
    /// The next child of the same parent and side: of left ones the next greater, of right ones
    /// the next smaller.
    var nextSibling = BalancedOrder.none

    /// The number of visible scalars.
    var weight: Int { isDeleted ? 0 : count }

    /// The last scalar.
    var last: TextID { id(at: count - 1) }

    /// Returns the scalar at a place from 0 to `count` - 1.
    func id(at place: Int) -> TextID {
        let position = first.position
        switch step {
        case .offset:
            return TextID(
                position: position, offset: first.offset &+ UInt32(truncatingIfNeeded: place))
        case .index:
            let index = position.index &+ UInt32(truncatingIfNeeded: place)
            return TextID(
                position: Position(chain: position.chain, seq: position.seq, index: index),
                offset: 0)
        case .seq:
            let seq = position.seq &+ UInt64(truncatingIfNeeded: place)
            return TextID(
                position: Position(chain: position.chain, seq: seq, index: position.index),
                offset: 0)
        }
    }

    /// Returns the number of scalars with an id of at most `id`.
    func count(upTo id: TextID) -> Int {
        guard first <= id else { return 0 }
        guard id.position.chain == first.position.chain else { return count }
        let steps: UInt64
        switch step {
        case .offset:
            guard id.position == first.position else { return count }
            steps = UInt64(id.offset - first.offset)
        case .index:
            guard id.position.seq == first.position.seq else { return count }
            steps = UInt64(id.position.index - first.position.index)
        case .seq:
            steps = id.position.seq - first.position.seq
            if id.position.index < first.position.index {
                return Int(min(steps, UInt64(count)))
            }
        }
        return steps >= UInt64(count) ? count : Int(steps) + 1
    }

    /// Returns the number of scalars with an id below `id`.
    func count(below id: TextID) -> Int {
        let upTo = count(upTo: id)
        return upTo > 0 && self.id(at: upTo - 1) == id ? upTo - 1 : upTo
    }

    /// Returns the place of a scalar; nil if it is not in this run.
    func place(of id: TextID) -> Int? {
        let upTo = count(upTo: id)
        return upTo > 0 && self.id(at: upTo - 1) == id ? upTo - 1 : nil
    }

    /// Returns the rule by which a scalar could follow the last one; nil if there is none.
    func step(to next: TextID) -> Step? {
        guard let found = TextRun.step(from: last, to: next) else { return nil }
        return count == 1 || found == step ? found : nil
    }

    /// Returns the rule by which another run could follow; nil if there is none.
    func step(to next: TextRun) -> Step? {
        guard let found = step(to: next.first) else { return nil }
        return next.count == 1 || next.step == found ? found : nil
    }

    /// Returns the scalars from a place on, with the right children but no left ones and no
    /// sibling.
    func dropping(_ places: Int) -> TextRun {
        var rest = self
        rest.first = id(at: places)
        rest.count -= places
        rest.textStart += places
        if rest.count == 1 { rest.step = .offset }
        rest.firstLeft = BalancedOrder.none
        rest.nextSibling = BalancedOrder.none
        return rest
    }

    /// Keeps the scalars before a place, at least one.
    mutating func keep(_ places: Int) {
        count = places
        if places == 1 { step = .offset }
    }

    private static func step(from last: TextID, to next: TextID) -> Step? {
        let (old, new) = (last.position, next.position)
        guard old.chain == new.chain else { return nil }
        if old == new {
            return last.offset < .max && next.offset == last.offset + 1 ? .offset : nil
        }
        guard last.offset == 0, next.offset == 0 else { return nil }
        if old.seq == new.seq {
            return old.index < .max && new.index == old.index + 1 ? .index : nil
        }
        guard old.index == new.index else { return nil }
        return old.seq < .max && new.seq == old.seq + 1 ? .seq : nil
    }
}
