import LinnetWire
import Testing

@testable import LinnetCRDT

/// The parts that a text is built from.
@Suite struct TextPartsTests {
    @Test func `BalancedOrder keeps any order of insertions, and its weights`() {
        for seed in 0..<40 {
            var random = Seeded(seed)
            var order = BalancedOrder()
            var nodes: [Int32] = []
            var weights: [Int] = []
            for node in Int32(0)..<300 {
                let place = seed == 0 ? nodes.count : seed == 1 ? 0 : random.below(nodes.count + 1)
                let weight = random.below(4)
                if random.below(2) == 0 {
                    order.insert(node, weight: weight, after: place == 0 ? -1 : nodes[place - 1])
                } else {
                    order.insert(
                        node, weight: weight, before: place == nodes.count ? -1 : nodes[place])
                }
                nodes.insert(node, at: place)
                weights.insert(weight, at: place)
                let changed = random.below(nodes.count)
                weights[changed] = random.below(4)
                order.setWeight(of: nodes[changed], to: weights[changed])
            }
            var walked = [order.first]
            while let last = walked.last, order.next(after: last) >= 0 {
                walked.append(order.next(after: last))
                #expect(order.previous(before: walked[walked.count - 1]) == last)
            }
            #expect(walked == nodes && order.previous(before: order.first) < 0)
            #expect(order.nodes == nodes)
            let flat = zip(nodes, weights).flatMap { node, weight in (0..<weight).map { (node, $0) }
            }
            #expect(order.total == flat.count)
            for offset in flat.indices {
                let found = order.find(offset)
                #expect(found?.node == flat[offset].0 && found?.offset == flat[offset].1)
            }
            #expect(order.find(-1) == nil && order.find(flat.count) == nil)
            let middle = Array(nodes[..<150])
            #expect(order.last { middle.contains($0) } == middle.last)
            #expect(order.last { _ in false } < 0)
        }
    }

    @Test(arguments: [0, 1, 2, 3, 30, 1_000])
    func `a BalancedOrder that is made at once is as one that grew, and grows on`(count: Int) {
        var random = Seeded(7)
        var numbers = Array(Int32(0)..<Int32(2 * count))
        for index in numbers.indices { numbers.swapAt(index, random.below(index + 1)) }
        // Half of the numbers come in later.
        var nodes = Array(numbers[..<count])
        var order = BalancedOrder(nodes, below: 2 * count) { Int($0 % 5) }
        for node in numbers[count...] {
            let place = random.below(nodes.count + 1)
            order.insert(
                node, weight: Int(node % 5), after: place == 0 ? -1 : nodes[place - 1])
            nodes.insert(node, at: place)
        }
        var walked: [Int32] = []
        var next = order.first
        while next >= 0 {
            walked.append(next)
            next = order.next(after: next)
        }
        #expect(walked == nodes)
        let flat = nodes.flatMap { node in (0..<Int(node % 5)).map { (node, $0) } }
        #expect(order.total == flat.count)
        for offset in flat.indices {
            let found = order.find(offset)
            #expect(found?.node == flat[offset].0 && found?.offset == flat[offset].1)
        }
    }

    @Test func `a BalancedOrder sums measures however it grows, and finds by them`() {
        var random = Seeded(11)
        for start in [1, 2, 40] {
            var order = BalancedOrder()
            var nodes: [Int32] = []
            var measures: [TextMeasure] = []
            func measure() -> TextMeasure {
                let characters = UInt32(random.below(3))
                return TextMeasure(characters: characters, utf16: characters + 1)
            }
            for node in 0..<Int32(start + 60) {
                if node == start { order.setMeasures(measures) }
                let place = random.below(nodes.count + 1)
                order.insert(node, weight: 2, after: place == 0 ? -1 : nodes[place - 1])
                nodes.insert(node, at: place)
                measures.append(measure())
                if node >= start { order.setMeasure(of: node, to: measures[Int(node)]) }
                guard node >= start, random.below(3) == 0 else { continue }
                let changed = nodes[random.below(nodes.count)]
                measures[Int(changed)] = measure()
                order.setMeasure(of: changed, to: measures[Int(changed)])
            }
            let flat = nodes.enumerated().flatMap { place, node in
                (0..<Int(measures[Int(node)].characters)).map { (node, $0, 2 * place) }
            }
            #expect(Int(order.measure.characters) == flat.count)
            #expect(order.measure.utf16 == measures.reduce(0) { $0 + $1.utf16 })
            for (offset, expected) in flat.enumerated() {
                let found = order.find(offset, by: \.characters)
                #expect(found?.node == expected.0 && found?.offset == expected.1)
                #expect(found?.before == expected.2)
            }
            #expect(order.find(flat.count, by: \.characters) == nil)
            for (place, node) in nodes.enumerated() {
                #expect(order.offset(of: node) == 2 * place)
                #expect(order.measure(of: node) == measures[Int(node)])
            }
        }
    }

    @Test func `a TextColumn gives back its numbers, in one way only`() throws {
        var random = Seeded(8)
        var column = TextColumn()
        let numbers = (0..<500).map { _ in random.number() }
        for number in numbers { column.append(number) }
        var reader = TextColumnReader(column.bytes)
        for number in numbers { #expect(try reader.number() == number) }
        #expect(reader.isAtEnd)
        for number in numbers { #expect(UInt64(zigzag: number).unzigzag == number) }
        #expect([0, .max, 1, .max - 1].map { UInt64(zigzag: $0) } == [0, 1, 2, 3])
        let ones = [UInt8](repeating: 0xff, count: 9)
        for (bytes, error): ([UInt8], WireError) in [
            ([], .truncated), ([0x80], .truncated), ([0x80, 0], .nonCanonical),
            (ones + [2], .tooLarge), (ones + [0x81, 1], .tooLarge), (ones + [0x81], .tooLarge),
        ] {
            var reader = TextColumnReader(bytes)
            #expect(throws: error) { try reader.number() }
        }
        var wide = TextColumnReader([0x80, 0x80, 0x80, 0x80, 0x10])
        #expect(throws: WireError.tooLarge) { try wide.number32() }
    }

    @Test func `a TextDiff is as short as can be`() {
        var random = Seeded(6)
        for _ in 0..<2_000 {
            let texts = (0..<2).map { _ in
                String(
                    (0..<random.below(9)).map { _ in ["a", "b", "c"][random.below(3)] }.joined())
            }
            let (old, new) = (Array(texts[0]), Array(texts[1]))
            let hunks = TextDiff(from: texts[0], to: texts[1]).hunks
            var built: [Character] = []
            var end = 0
            for hunk in hunks {
                built += old[end..<hunk.deleted.lowerBound] + Array(hunk.text)
                end = hunk.deleted.upperBound
            }
            #expect(built + old[end...] == new)
            let size = hunks.reduce(0) { $0 + $1.deleted.count + $1.text.count }
            #expect(size == distance(old, new))
        }
    }

    @Test func `a TextRun finds its scalars, and knows what follows it`() {
        let steps: [(TextRun.Step, TextID)] = [
            (.offset, .of(1, 5, 7)), (.index, .of(1, 5)), (.seq, .of(1, 5)),
        ]
        for (step, first) in steps {
            let run = TextRun(first: first, step: step, count: 4, isDeleted: false)
            let ids = (0..<5).map { run.id(at: $0) }
            #expect(ids == ids.sorted())
            for (place, id) in ids.enumerated() {
                #expect(run.place(of: id) == (place < 4 ? place : nil))
                #expect(run.count(below: id) == place)
                #expect(run.count(upTo: id) == min(place + 1, 4))
            }
            #expect(run.step(to: ids[4]) == step && run.step(to: ids[3]) == nil)
            #expect(run.count(upTo: .of(0, 9)) == 0 && run.count(upTo: .of(2, 0)) == 4)
            #expect(run.place(of: .of(1, 6, 9)) == nil && run.place(of: .of(1, 4)) == nil)
        }
    }

    /// Single differences between two texts, by the longest common subsequence.
    private func distance(_ old: [Character], _ new: [Character]) -> Int {
        var row = Array(0...new.count)
        for (line, letter) in old.enumerated() {
            var corner = row[0]
            row[0] = line + 1
            for (column, other) in new.enumerated() {
                let above = row[column + 1]
                row[column + 1] = letter == other ? corner : min(above, row[column]) + 1
                corner = above
            }
        }
        return row[new.count]
    }
}
