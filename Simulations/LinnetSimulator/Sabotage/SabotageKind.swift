/// The things that a device says which means harm.
package enum SabotageKind: String, CaseIterable, Sendable {
    // The membership.
    case epochWithoutBoxes, epochWithWrongBoxes, manyEpochs, criticalRecord, ignoredRecords
    case recordWithoutParents
    // Lives and chains.
    case manyLives, gaps, forkBetweenTwo, manyForks, forkOfThePast, anothersName
    // Batches that wait.
    case waitsForNothing, waitsInACircle
    // Commits of several parts.
    case manyParts, missingPart, samePart
    // Contents of batches.
    case unreadable, wrongKey, unknownOperations, badOperations, largeRecord, stampOfTheFuture
    case deletions, unknownScope
    // Claims about others.
    case claimsOwnChain, claimsUnknownChains, wantsEverything, proofOfNothing, wrongCertificate
    case listingThatLies, brokenMessage, manyPings

    /// It in a sentence.
    var sentence: String {
        switch self {
        case .epochWithoutBoxes: "begins an epoch that gives nobody its keys"
        case .epochWithWrongBoxes: "begins an epoch whose boxes do not open"
        case .manyEpochs: "begins epochs one after the other"
        case .criticalRecord: "signs a critical record of an unknown kind"
        case .ignoredRecords: "signs records of a kind that means nothing"
        case .recordWithoutParents: "signs records whose parents nobody has"
        case .manyLives: "begins many lives"
        case .gaps: "leaves gaps in a chain"
        case .forkBetweenTwo: "tells two devices two histories"
        case .manyForks: "divides a chain again and again"
        case .forkOfThePast: "denies what its device wrote before"
        case .anothersName: "writes in the name of another device"
        case .waitsForNothing: "writes what waits for batches that nobody has"
        case .waitsInACircle: "writes batches that wait for each other"
        case .manyParts: "writes a commit of many parts"
        case .missingPart: "writes commits that lack a part"
        case .samePart: "writes a commit whose parts bear one number"
        case .unreadable: "writes batches that cannot be read"
        case .wrongKey: "seals batches under a wrong key"
        case .unknownOperations: "writes operations of unknown kinds"
        case .badOperations: "writes operations that break rules"
        case .largeRecord: "makes a record large"
        case .stampOfTheFuture: "writes with the largest stamps"
        case .deletions: "deletes and restores what others wrote"
        case .unknownScope: "writes into a scope that there is not"
        case .claimsOwnChain: "claims that others wrote more than they did"
        case .claimsUnknownChains: "lists chains that nobody has"
        case .wantsEverything: "asks for all batches, many times"
        case .proofOfNothing: "shows forks that are none"
        case .wrongCertificate: "certifies nonsense"
        case .listingThatLies: "lists what it does not have"
        case .brokenMessage: "sends messages that cannot be read"
        case .manyPings: "pings without end"
        }
    }
}
