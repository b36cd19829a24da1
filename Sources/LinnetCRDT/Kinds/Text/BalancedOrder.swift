/// An AVL tree of numbered nodes, each with a weight, in an order that grows anywhere.
///
/// A weight is a number of scalars. Nodes can be given measures too, which count in other units and
/// take memory only from then on.
///
/// The algorithm is that of Adelson-Velsky and Landis, 1962. Nodes are never taken out. Inserting,
/// changing a weight and searching take O(log n) steps whatever the input, and many nodes whose
/// order is known are taken in at once in O(n); nothing recurses deeper than the tree is high.
struct BalancedOrder: Sendable {
    /// The number that stands for no node.
    static let none: Int32 = -1

    private struct Link: Sendable {
        var left = BalancedOrder.none
        var right = BalancedOrder.none
        var parent = BalancedOrder.none
        var height: Int8 = 1
        var weight: UInt32 = 0
        // It wraps rather than trap, since 2^32 scalars do not fit in memory.
        var total: UInt32 = 0
    }

    /// The measure of a node, and that of all nodes of its subtree.
    private struct Measured: Sendable {
        var own = TextMeasure()
        var total = TextMeasure()
    }

    private var links: [Link] = []
    private var root = BalancedOrder.none
    // It stands beside `links`, or is empty until the nodes have measures.
    private var measures: [Measured] = []

    /// Makes a tree without nodes.
    init() {}

    /// Makes a tree of nodes in their order, whose numbers are below `bound` and distinct.
    init(_ nodes: [Int32], below bound: Int, weight: (Int32) -> Int) {
        links = Array(repeating: Link(), count: bound)
        for node in nodes {
            links[Int(node)].weight = UInt32(truncatingIfNeeded: weight(node))
        }
        root = join(nodes, nodes.indices, below: BalancedOrder.none).top
    }

    /// The sum of all weights.
    var total: Int { root < 0 ? 0 : Int(links[Int(root)].total) }

    /// The first node; `none` if there are no nodes.
    var first: Int32 { root < 0 ? root : leftmost(below: root) }

    /// All nodes in order.
    var nodes: [Int32] {
        var (nodes, above): ([Int32], [Int32]) = ([], [])
        nodes.reserveCapacity(links.count)
        var node = root
        while true {
            while node >= 0 {
                above.append(node)
                node = links[Int(node)].left
            }
            guard let next = above.popLast() else { return nodes }
            nodes.append(next)
            node = links[Int(next)].right
        }
    }

    /// Returns the node after another one; `none` after the last.
    func next(after node: Int32) -> Int32 {
        let right = links[Int(node)].right
        if right >= 0 { return leftmost(below: right) }
        var child = node
        var parent = links[Int(node)].parent
        while parent >= 0, links[Int(parent)].right == child {
            child = parent
            parent = links[Int(parent)].parent
        }
        return parent
    }

    /// Returns the node before another one; `none` before the first.
    func previous(before node: Int32) -> Int32 {
        let left = links[Int(node)].left
        if left >= 0 { return rightmost(below: left) }
        var child = node
        var parent = links[Int(node)].parent
        while parent >= 0, links[Int(parent)].left == child {
            child = parent
            parent = links[Int(parent)].parent
        }
        return parent
    }

    /// Returns the last node that satisfies a condition, which holds for all nodes up to some place
    /// and for none after it; `none` if it holds for none.
    func last(where condition: (Int32) -> Bool) -> Int32 {
        var found = BalancedOrder.none
        var node = root
        while node >= 0 {
            if condition(node) {
                found = node
                node = links[Int(node)].right
            } else {
                node = links[Int(node)].left
            }
        }
        return found
    }

    /// Returns the node within whose weight an offset into the sum of all falls, and the offset
    /// within it; nil outside the sum.
    func find(_ offset: Int) -> (node: Int32, offset: Int)? {
        guard offset >= 0, offset < total else { return nil }
        var rest = UInt32(offset)
        var node = root
        while node >= 0 {
            let link = links[Int(node)]
            let before = link.left < 0 ? 0 : links[Int(link.left)].total
            if rest < before {
                node = link.left
            } else if rest - before < link.weight {
                return (node, Int(rest - before))
            } else {
                rest -= before + link.weight
                node = link.right
            }
        }
        return nil
    }

    /// Returns the sum of the weights of all nodes before one.
    func offset(of node: Int32) -> Int {
        var sum = weight(below: links[Int(node)].left)
        var child = node
        var parent = links[Int(node)].parent
        while parent >= 0 {
            let link = links[Int(parent)]
            if link.right == child { sum &+= link.weight &+ weight(below: link.left) }
            child = parent
            parent = link.parent
        }
        return Int(sum)
    }

    /// Gives a node another weight.
    mutating func setWeight(of node: Int32, to weight: Int) {
        let change = UInt32(truncatingIfNeeded: weight) &- links[Int(node)].weight
        links[Int(node)].weight &+= change
        raise(from: node, by: change)
    }

    /// Adds to the sums from a node up to the root.
    private mutating func raise(from start: Int32, by change: UInt32) {
        guard change != 0 else { return }
        var node = start
        while node >= 0 {
            links[Int(node)].total &+= change
            node = links[Int(node)].parent
        }
    }

    /// Inserts a new node after another one, which gives it a part of its weight and its measure,
    /// if the nodes have measures.
    mutating func divide(_ node: Int32, at weight: Int, _ measure: TextMeasure, to tail: Int32) {
        let rest = links[Int(node)].weight &- UInt32(truncatingIfNeeded: weight)
        setWeight(of: node, to: weight)
        add(tail, weight: Int(rest))
        if !measures.isEmpty {
            let part = measures[Int(node)].own - measure
            setMeasure(of: node, to: measure)
            measures[Int(tail)] = Measured(own: part, total: part)
        }
        hang(tail, after: node)
    }

    /// Inserts a new node after another one, or as the first after `none`.
    mutating func insert(_ node: Int32, weight: Int, after other: Int32) {
        add(node, weight: weight)
        hang(node, after: other)
    }

    private mutating func hang(_ node: Int32, after other: Int32) {
        if other < 0 {
            hang(node, below: first, onLeft: true)
        } else if links[Int(other)].right < 0 {
            hang(node, below: other, onLeft: false)
        } else {
            hang(node, below: leftmost(below: links[Int(other)].right), onLeft: true)
        }
    }

    /// Inserts a new node before another one, or as the last before `none`.
    mutating func insert(_ node: Int32, weight: Int, before other: Int32) {
        add(node, weight: weight)
        if other < 0 {
            hang(node, below: root < 0 ? root : rightmost(below: root), onLeft: false)
        } else if links[Int(other)].left < 0 {
            hang(node, below: other, onLeft: true)
        } else {
            hang(node, below: rightmost(below: links[Int(other)].left), onLeft: false)
        }
    }

    /// The sum of all measures.
    var measure: TextMeasure { root < 0 ? TextMeasure() : measures[Int(root)].total }

    /// Returns the measure of a node.
    func measure(of node: Int32) -> TextMeasure { measures[Int(node)].own }

    /// Gives all nodes measures, listed by number.
    mutating func setMeasures(_ all: [TextMeasure]) {
        measures = all.map { Measured(own: $0) }
        sumMeasures(below: root)
    }

    /// Gives a node another measure, once all have one.
    mutating func setMeasure(of node: Int32, to measure: TextMeasure) {
        let change = measure - measures[Int(node)].own
        measures[Int(node)].own = measure
        raiseMeasure(from: node, by: change)
    }

    /// Adds to the sums of measures from a node up to the root.
    private mutating func raiseMeasure(from start: Int32, by change: TextMeasure) {
        guard change != TextMeasure() else { return }
        var node = start
        while node >= 0 {
            measures[Int(node)].total += change
            node = links[Int(node)].parent
        }
    }

    /// Returns the node within whose measure an offset falls, in the unit that `unit` takes from
    /// it, the offset within it, and the weights before it; nil outside the sum.
    func find(
        _ offset: Int, by unit: (TextMeasure) -> UInt32
    ) -> (node: Int32, offset: Int, before: Int)? {
        guard root >= 0, offset >= 0, offset < Int(unit(measure)) else { return nil }
        var rest = UInt32(offset)
        var passed: UInt32 = 0
        var node = root
        while node >= 0 {
            let link = links[Int(node)]
            let before = link.left < 0 ? 0 : unit(measures[Int(link.left)].total)
            let own = unit(measures[Int(node)].own)
            if rest < before {
                node = link.left
            } else if rest - before < own {
                passed &+= weight(below: link.left)
                return (node, Int(rest - before), Int(passed))
            } else {
                rest -= before + own
                passed &+= weight(below: link.left) &+ link.weight
                node = link.right
            }
        }
        return nil
    }

    private func leftmost(below top: Int32) -> Int32 {
        var node = top
        while links[Int(node)].left >= 0 { node = links[Int(node)].left }
        return node
    }

    private func rightmost(below top: Int32) -> Int32 {
        var node = top
        while links[Int(node)].right >= 0 { node = links[Int(node)].right }
        return node
    }
}

extension BalancedOrder {
    /// Makes a subtree of nodes in their order. Its top is the middle one.
    private mutating func join(
        _ nodes: [Int32], _ range: Range<Int>, below parent: Int32
    ) -> (top: Int32, height: Int8, total: UInt32) {
        guard !range.isEmpty else { return (BalancedOrder.none, 0, 0) }
        let middle = range.lowerBound + range.count / 2
        let top = nodes[middle]
        let left = join(nodes, range.lowerBound..<middle, below: top)
        let right = join(nodes, middle + 1..<range.upperBound, below: top)
        let height = max(left.height, right.height) + 1
        let total = links[Int(top)].weight &+ left.total &+ right.total
        links[Int(top)].left = left.top
        links[Int(top)].right = right.top
        links[Int(top)].parent = parent
        links[Int(top)].height = height
        links[Int(top)].total = total
        return (top, height, total)
    }

    private mutating func add(_ node: Int32, weight: Int) {
        while links.count <= Int(node) { links.append(Link()) }
        links[Int(node)].weight = UInt32(truncatingIfNeeded: weight)
        links[Int(node)].total = links[Int(node)].weight
        if measures.isEmpty { return }
        while measures.count < links.count { measures.append(Measured()) }
    }

    /// Sums the measures of a subtree, which is no higher than the tree.
    private mutating func sumMeasures(below node: Int32) {
        if node < 0 { return }
        sumMeasures(below: links[Int(node)].left)
        sumMeasures(below: links[Int(node)].right)
        refreshMeasure(node)
    }

    private mutating func refreshMeasure(_ node: Int32) {
        let (left, right) = (links[Int(node)].left, links[Int(node)].right)
        var total = measures[Int(node)].own
        if left >= 0 { total += measures[Int(left)].total }
        if right >= 0 { total += measures[Int(right)].total }
        measures[Int(node)].total = total
    }

    private mutating func hang(_ node: Int32, below parent: Int32, onLeft: Bool) {
        links[Int(node)].parent = parent
        if parent < 0 {
            root = node
        } else if onLeft {
            links[Int(parent)].left = node
        } else {
            links[Int(parent)].right = node
        }
        raise(from: parent, by: links[Int(node)].weight)
        if !measures.isEmpty { raiseMeasure(from: parent, by: measures[Int(node)].own) }
        balance(from: parent)
    }

    private func height(_ node: Int32) -> Int8 {
        node < 0 ? 0 : links[Int(node)].height
    }

    private func weight(below node: Int32) -> UInt32 {
        node < 0 ? 0 : links[Int(node)].total
    }

    private mutating func refresh(_ node: Int32) {
        let link = links[Int(node)]
        links[Int(node)].height = max(height(link.left), height(link.right)) + 1
        links[Int(node)].total =
            link.weight &+ weight(below: link.left) &+ weight(below: link.right)
        if !measures.isEmpty { refreshMeasure(node) }
    }

    /// Balances the nodes from one up to the first whose subtree stayed as high as it was.
    private mutating func balance(from start: Int32) {
        var node = start
        while node >= 0 {
            let before = links[Int(node)].height
            let (left, right) = (links[Int(node)].left, links[Int(node)].right)
            if height(left) > height(right) + 1 {
                let inner = links[Int(left)].right
                if height(inner) > height(links[Int(left)].left) { rotate(inner, over: left) }
                rotate(links[Int(node)].left, over: node)
                node = links[Int(node)].parent
            } else if height(right) > height(left) + 1 {
                let inner = links[Int(right)].left
                if height(inner) > height(links[Int(right)].right) { rotate(inner, over: right) }
                rotate(links[Int(node)].right, over: node)
                node = links[Int(node)].parent
            } else {
                links[Int(node)].height = max(height(left), height(right)) + 1
            }
            guard links[Int(node)].height != before else { return }
            node = links[Int(node)].parent
        }
    }

    /// Turns the edge between a node and its child round.
    private mutating func rotate(_ child: Int32, over node: Int32) {
        let parent = links[Int(node)].parent
        let moved: Int32
        if links[Int(node)].left == child {
            moved = links[Int(child)].right
            links[Int(node)].left = moved
            links[Int(child)].right = node
        } else {
            moved = links[Int(child)].left
            links[Int(node)].right = moved
            links[Int(child)].left = node
        }
        if moved >= 0 { links[Int(moved)].parent = node }
        links[Int(node)].parent = child
        links[Int(child)].parent = parent
        if parent < 0 {
            root = child
        } else if links[Int(parent)].left == node {
            links[Int(parent)].left = child
        } else {
            links[Int(parent)].right = child
        }
        refresh(node)
        refresh(child)
    }
}
