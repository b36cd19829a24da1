import LinnetStorage
import Testing

struct LaneTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test func `rows of a family come in the order of their keys, and stay across openings`() throws
    {
        var store = try home.open()
        try store.begin()
        for key in [[1, 9], [2], [1], [1, 2, 3], [0, 255]] as [[UInt8]] {
            try store.putLane(LaneRow(key: key, value: key + key))
        }
        try store.putLane(LaneRow(key: [1], value: [7]))
        try store.removeLane([1, 9])
        try store.removeLane([5])
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(
            try store.lanes(family: 1) == [
                LaneRow(key: [1], value: [7]),
                LaneRow(key: [1, 2, 3], value: [1, 2, 3, 1, 2, 3]),
            ])
        #expect(try store.lane([2]) == [2, 2])
        #expect(try store.lane([1, 9]) == nil)
        #expect(try store.lanes(family: 3).isEmpty)
        try store.close()
    }

    @Test func `what a transaction wrote is gone when it is rolled back`() throws {
        let store = try home.open()
        try store.begin()
        try store.putLane(LaneRow(key: [1], value: [1]))
        try store.commit()
        try store.begin()
        try store.putLane(LaneRow(key: [1], value: [2]))
        try store.removeLane([1])
        store.rollback()
        #expect(try store.lane([1]) == [1])
        try store.close()
    }

    @Test func `a row under another key does not open`() throws {
        var store = try home.open()
        try store.begin()
        try store.putLane(LaneRow(key: [1], value: [1]))
        try store.commit()
        try store.close()
        try home.tamper("UPDATE lanes SET key = x'0101'")
        store = try home.open()
        #expect(
            failure { () throws(StorageError) in _ = try store.lane([1, 1]) }
                == .corrupt(where: "lanes"))
        try store.close()
    }
}
