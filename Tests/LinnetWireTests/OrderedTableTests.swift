import LinnetWire
import Testing

@Suite struct OrderedTableTests {
    @Test(arguments: 0..<20)
    func `a table answers like a plain list of pairs`(seed: Int) throws {
        var seeded = Seeded(seed)
        var table = OrderedTable<Int, Int>()
        var pairs: [(key: Int, value: Int)] = []
        for step in 0..<300 {
            let key = seeded.below(40)
            pairs.removeAll { $0.key == key }
            if seeded.below(3) == 0 {
                table[key] = nil
            } else {
                table[key] = step
                pairs.append((key, step))
            }
            pairs.sort { $0.key < $1.key }
            #expect(table.keys == pairs.map(\.key) && table.values == pairs.map(\.value))
            let place = table.lowerBound(of: key)
            if table.index(of: key) == nil {
                table.insert(0, forNew: key, at: place)
                pairs.insert((key, 0), at: place)
            }
            table[position: place] += 1_000
            pairs[place].value += 1_000
            #expect(table[position: place] == pairs[place].value)
            let probe = seeded.below(42)
            #expect(table[probe] == pairs.first { $0.key == probe }?.value)
            let next = pairs.first { $0.key >= probe }
            #expect(table.first(atOrAfter: probe)?.key == next?.key)
            #expect(table.lowerBound(of: probe) == pairs.count { $0.key < probe })
        }
        #expect(table.map(\.key) == pairs.map(\.key))
        #expect(table.first?.value == pairs.first?.value && table.last?.key == pairs.last?.key)
    }

    @Test func `a value is changed in place, from a fallback if it is absent`() {
        var table = OrderedTable<Int, [Int]>()
        table[2, default: []].append(1)
        table[2, default: []].append(2)
        table[1, default: [9]].append(3)
        #expect(table[2] == [1, 2] && table[1] == [9, 3])
        #expect(table[7, default: [5]] == [5] && table.count == 2)
        #expect(table.removeValue(forKey: 1) == [9, 3] && table.removeValue(forKey: 1) == nil)
    }

    @Test func `tables with the same entries are equal whatever their history`() {
        var left = OrderedTable([(3, "c"), (1, "a"), (2, "b")])
        var right = OrderedTable([(1, "x"), (2, "b"), (1, "a")])
        left.removeAll { key, _ in key == 3 }
        #expect(left == right)
        right = right.mapValues { $0 + $0 }
        #expect(right.values == ["aa", "bb"] && left != right)
        left.removeAll()
        #expect(left.isEmpty && left.first == nil && left.entry(at: 0) == nil)
    }

    @Test(arguments: 0..<20) func `a set answers like a plain list`(seed: Int) {
        var seeded = Seeded(seed)
        var set = OrderedSet<Int>()
        var list: [Int] = []
        for _ in 0..<200 {
            let element = seeded.below(30)
            if seeded.below(2) == 0 {
                #expect(set.insert(element) == !list.contains(element))
                if !list.contains(element) { list.append(element) }
            } else {
                #expect(set.remove(element) == list.contains(element))
                list.removeAll { $0 == element }
            }
            list.sort()
            #expect(set.elements == list && set.contains(element) == list.contains(element))
        }
        #expect(OrderedSet(list.reversed() + list) == set)
        #expect(set.first == list.first && set.last == list.last && set.count == list.count)
    }
}
