import Testing

@testable import LinnetMembership

struct RecordSetTests {
    @Test func `a set holds the places that were put in, however far apart`() {
        var set = RecordSet()
        #expect(set.count == 0 && !set.contains(0) && !set.contains(1_000))
        let places = [0, 1, 63, 64, 65, 127, 128, 5_000]
        for place in places + places { set.insert(place) }
        #expect(set.count == places.count)
        for place in 0..<6_000 { #expect(set.contains(place) == places.contains(place)) }
    }

    @Test func `a union holds what either holds, whichever is longer`() {
        var (short, long) = (RecordSet(), RecordSet())
        short.insert(3)
        long.insert(700)
        var (left, right) = (short, long)
        left.formUnion(long)
        right.formUnion(short)
        #expect(left == right)
        #expect(left.count == 2 && left.contains(3) && left.contains(700))
    }
}
