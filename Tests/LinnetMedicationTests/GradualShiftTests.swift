import Testing

@testable import LinnetMedication

struct GradualShiftTests {
    @Test(arguments: [
        (minutes: 150, step: 60, left: [150, 90, 30, 0, 0]),
        (minutes: -150, step: 60, left: [-150, -90, -30, 0, 0]),
        (minutes: 30, step: 60, left: [30, 0, 0, 0, 0]),
        (minutes: 720, step: 720, left: [720, 0, 0, 0, 0]),
        (minutes: 3, step: 1, left: [3, 2, 1, 0, 0]),
    ])
    func `a shift comes closer by a step each day`(
        minutes: Int, step: Int, left: [Int]
    ) throws {
        let day = try #require(Day("2026-11-23"))
        let shift = try GradualShift(firstDay: day, minutes: minutes, minutesPerDay: step)
        let found = (-1...3).map { shift.displacementMinutes(on: day.advanced(byDays: $0)) }
        #expect(found == left)
        #expect(shift.displacementMinutes(on: shift.lastDay) == 0)
        #expect(shift.displacementMinutes(on: Day(number: .max)) == 0)
    }

    @Test(arguments: [(721, 60), (-721, 60), (60, 0), (60, 721)])
    func `a shift of more than half a day and steps of none are refused`(
        minutes: Int, step: Int
    ) {
        #expect(throws: MedicationError.badShift) {
            try GradualShift(firstDay: Day(number: 0), minutes: minutes, minutesPerDay: step)
        }
    }
}
