import LinnetMembership

/// Something that people do with devices, or that somebody does who has one of them.
enum MemberStep: Sendable {
    case admit(newcomer: Int, by: Int, Role)
    /// `takesAlong` is true when those go along whom only the removed device admitted.
    case remove(Int, by: Int, takesAlong: Bool)
    case leave(Int)
    case lie(MemberLie, by: Int, to: Int)

    /// The step in words, for a person who reads the story of a failure.
    var sentence: String {
        switch self {
        case .admit(let newcomer, let member, let role): "\(member) admits \(newcomer) as \(role)"
        case .remove(let device, let author, let takesAlong):
            "\(author) removes \(device)" + (takesAlong ? " and its helpers" : "")
        case .leave(let device): "\(device) leaves"
        case .lie(let lie, let liar, let victim):
            "\(liar) \(lie.sentence), and says so to \(victim)"
        }
    }

    /// The devices that it happens to.
    var devices: [Int] {
        switch self {
        case .admit(let newcomer, let member, _): [newcomer, member]
        case .remove(let device, let author, _): [device, author]
        case .leave(let device): [device]
        case .lie(_, let liar, let victim): [liar, victim]
        }
    }
}

/// Records that somebody signs with the keys of a device which others trust.
enum MemberLie: String, CaseIterable, Sendable {
    case removal, removalFromThePast, leaving, demotion, brokenEpoch, epochForOutsiders
    case narrowEpoch, bothVotes, ghosts, moreBatches

    /// It in a sentence.
    var sentence: String {
        switch self {
        case .removal: "removes somebody"
        case .removalFromThePast: "removes somebody as if nothing else had happened"
        case .leaving: "leaves, and goes on"
        case .demotion: "takes rights away from somebody"
        case .brokenEpoch: "begins an epoch whose boxes do not open"
        case .epochForOutsiders: "begins an epoch for devices that are out"
        case .narrowEpoch: "begins an epoch for half of the members"
        case .bothVotes: "votes for a restriction and against it"
        case .ghosts: "admits a device that nobody has, which removes somebody"
        case .moreBatches: "lets batches count that nobody has"
        }
    }
}

/// The decisions of a seed of the scenario `membership` besides its actions.
struct MembershipPlan: Sendable {
    /// The roles of the devices that are there from the beginning; the first one founds the group.
    var roles: [Role]
}
