import LinnetCompanion

/// A defect of the platform under the name that the companion gives it.
struct LaneDefect {
    let kind: FaultKind
    let profile: PlatformFaults

    static let all: [LaneDefect] = PlatformFaults.named.compactMap { defect in
        FaultKind(rawValue: defect.name).map { LaneDefect(kind: $0, profile: defect.profile) }
    }
}
