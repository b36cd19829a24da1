import LinnetCRDT

extension Schema {
    /// The fields of a medication, by number; a number is never used again.
    enum MedicationFields {
        static let name: UInt32 = 1
        static let genericName: UInt32 = 2
        static let dosage: UInt32 = 3
        static let form: UInt32 = 4
        static let route: UInt32 = 5
        static let startDate: UInt32 = 6
        static let endDate: UInt32 = 7
        static let isActive: UInt32 = 8
        static let instructions: UInt32 = 9
        static let tags: UInt32 = 10
        static let frequency: UInt32 = 11
        static let requiresPrescription: UInt32 = 12
        static let packageSize: UInt32 = 13
        static let expirationDate: UInt32 = 14
        static let minimumStock: UInt32 = 15
        static let maximumPerDay: UInt32 = 16
    }

    /// The fields of a stock, by number; a number is never used again.
    enum StockFields {
        static let stock: UInt32 = 1
    }

    /// The fields of a schedule, by number; a number is never used again.
    enum ScheduleFields {
        static let medication: UInt32 = 1
        static let timing: UInt32 = 2
        static let isActive: UInt32 = 3
        static let startDate: UInt32 = 4
        static let endDate: UInt32 = 5
    }

    /// The fields of a dose event, by number; a number is never used again.
    enum DoseEventFields {
        static let medication: UInt32 = 1
        static let schedule: UInt32 = 2
        static let scheduled: UInt32 = 3
        static let event: UInt32 = 4
        static let at: UInt32 = 5
        static let timeZone: UInt32 = 6
        static let reason: UInt32 = 7
        static let note: UInt32 = 8
        static let device: UInt32 = 9
        static let additional: UInt32 = 10
        static let undoes: UInt32 = 11
        static let quantity: UInt32 = 12
        static let name: UInt32 = 13
        static let amount: UInt32 = 14
        static let unit: UInt32 = 15
        static let form: UInt32 = 16
        static let witness: UInt32 = 17
    }

    /// The fields of a change of time zone, by number; a number is never used again.
    enum TimeZoneEventFields {
        static let from: UInt32 = 1
        static let to: UInt32 = 2
        static let detection: UInt32 = 3
        static let at: UInt32 = 4
        static let device: UInt32 = 5
    }

    /// The fields of a change of a timing, by number; a number is never used again.
    enum AdjustmentFields {
        static let schedule: UInt32 = 1
        static let timeZoneEvent: UInt32 = 2
        static let strategy: UInt32 = 3
        static let before: UInt32 = 4
        static let after: UInt32 = 5
        static let at: UInt32 = 6
        static let device: UInt32 = 7
    }

    /// The fields of a month's total, by number; a number is never used again.
    enum TotalFields {
        static let total: UInt32 = 1
    }

    /// The members of a dosage, by their place in the group.
    enum DosageMembers {
        static let amount = 0
        static let unit = 1
    }

    /// The members of a timing, by their place in the group.
    enum TimingMembers {
        static let times = 0
        static let daysOfWeek = 1
        static let referenceTimeZone = 2
        static let shift = 3
        static let since = 4
        static let adjustment = 5
    }

    /// The members of a month's total, by their place in the group.
    enum TotalMembers {
        static let counts = 0
        static let events = 1
        static let beginning = 2
        static let days = 3
    }
}
