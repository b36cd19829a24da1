import LinnetMembership

/// Something that people do with devices, or that somebody does who has one of them.
enum MemberStep: Sendable {
    case admit(newcomer: Int, by: Int, Role)
    /// `takesAlong` is true when those go along whom only the removed device admitted.
    case remove(Int, by: Int, takesAlong: Bool)
    case leave(Int)
    /// A device gets a role within some scopes; nil stands for all.
    case bind(Int, by: Int, Role, within: [String]?)
    /// A person answers all that a device asks about others.
    case answer(Int, isOwn: Bool)
    /// A person is against all that took a device out or its rights, and that stands.
    case contest(Int)
    /// Nobody meets for some days.
    case idle(days: Int)
    /// The device that founded the group makes recovery words.
    case makeWords
    /// A new device takes over what another one has, with the words, and removes some.
    case recover(Int, from: Int, removing: [Int])
    case lie(MemberLie, by: Int, to: Int)

    /// The step in words, for a person who reads the story of a failure.
    var sentence: String {
        switch self {
        case .admit(let newcomer, let member, let role): "\(member) admits \(newcomer) as \(role)"
        case .remove(let device, let author, let takesAlong):
            "\(author) removes \(device)" + (takesAlong ? " and its helpers" : "")
        case .leave(let device): "\(device) leaves"
        case .bind(let device, let author, let role, let scopes):
            "\(author) makes \(device) a \(role) of "
                + (scopes?.joined(separator: ", ") ?? "everything")
        case .answer(let device, let isOwn):
            "the person at \(device) says that she " + (isOwn ? "knows" : "does not know") + " all"
        case .contest(let device):
            "the person at \(device) is against all removals and lower roles"
        case .idle(let days): "nobody meets for \(days) days"
        case .makeWords: "0 makes recovery words"
        case .recover(let device, let source, let lost):
            "\(device) takes over what \(source) has with the words, and removes \(lost)"
        case .lie(let lie, let liar, let victim):
            "\(liar) \(lie.sentence), and says so to \(victim)"
        }
    }

    /// The devices that it happens to.
    var devices: [Int] {
        switch self {
        case .admit(let newcomer, let member, _): [newcomer, member]
        case .remove(let device, let author, _): [device, author]
        case .leave(let device), .answer(let device, _), .contest(let device): [device]
        case .bind(let device, let author, _, _): [device, author]
        case .idle, .makeWords: [0]
        case .recover(let device, let source, let lost): [device, source] + lost
        case .lie(_, let liar, let victim): [liar, victim]
        }
    }
}

/// Records that somebody signs with the keys of a device which others trust.
enum MemberLie: String, CaseIterable, Sendable {
    case removal, removalFromThePast, leaving, demotion, brokenEpoch, epochForOutsiders
    case narrowEpoch, bothVotes, ghosts, moreBatches, epochWithGuest, epochBarringOne

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
        case .epochWithGuest: "begins an epoch that opens, and has a box for a stranger"
        case .epochBarringOne: "begins an epoch that opens for all but one"
        }
    }
}

/// The decisions of a seed of the scenario `membership` besides its actions.
struct MembershipPlan: Sendable {
    /// The roles of the devices that are there from the beginning; the first one founds the group.
    var roles: [Role]
}
