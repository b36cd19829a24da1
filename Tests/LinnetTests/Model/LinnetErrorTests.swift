import Linnet
import LinnetSystem
import Testing

struct LinnetErrorTests {
    private static let errors: [LinnetError] = [
        .home(.missing(path: "/x")), .keyFile("it is damaged"), .database("The disk is full."),
        .schema(.notAChoice(field: "form", allowed: ["tablet", "cream"])), .badRecordID("\n"),
        .schemaChange("x changes"), .tooLarge, .badIntent, .badAddress("x"),
        .cannotListen(address: "a:1", reason: "taken"),
        .notStarted, .alreadyStarted, .stopped, .notAMember,
        .alreadyAMember, .notReachable("peer a:1"), .timedOut(why: []),
        .timedOut(why: ["Phone lacks 2 batches"]), .upgradeNeeded, .noGroupKey,
        .noResources, .unexpected("x"), .pairing(.badCode), .pairing(.badURI), .pairing(.newerURI),
        .pairing(.wrongCode(triesLeft: 2)), .pairing(.wrongCode(triesLeft: nil)),
        .pairing(.codeDead), .pairing(.locked(untilMilliseconds: 5)), .pairing(.expired),
        .pairing(.denied), .pairing(.exactlyOneMemberNeeded), .pairing(.wrongDevice),
        .pairing(.closedAfterAnswer), .pairing(.interrupted), .pairing(.refused),
        .pairing(.severalCandidates(["abc", "xyz"])), .pairing(.busy), .pairing(.cancelled),
        .passphraseNeeded, .wrongPassphrase, .noPassphrase, .passphraseExists, .locked, .notLocked,
        .backup("the disk is full"), .restore("the file is damaged"), .noSuchRecord("x"),
        .noSuchRemoval("cdad"),
        .unreadable("x"), .badCertificate, .transactionEnded, .noRoomInOrder, .recordTooLarge("x"),
        .damagedBatches(["0123456789"]), .schemaUnknown, .wiped(by: "0123456789"), .notRemoved,
        .integrity(IntegrityFacts(userID: 0).findings.filter { $0.state == .found }),
        .pairing(.olderVersion), .scope(.tooMany),
        .pairing(.schemaContradiction(["note.count (2): int in the group, text here"])),
    ]

    @Test(arguments: errors)
    func `every error says what is wrong and what to do next`(error: LinnetError) {
        #expect(error.description.count > 10)
        #expect(error.remedy.first?.isUppercase == true && error.remedy.last == ".")
    }

    @Test(arguments: errors)
    func `a program is told of calls and a person at a terminal of commands`(error: LinnetError) {
        let told = error.description + error.remedy
        #expect(!told.contains("linnet ") && !told.contains("--"), "\(told)")
        let shown = error.commandText + error.commandRemedy
        #expect(!shown.contains("Node.") && !shown.contains("Call "), "\(shown)")
    }

    @Test(arguments: [
        HomeError.missing(path: "/x"), .notADirectory(path: "/x"), .fileExists(path: "/x"),
        .restoreUnfinished(path: "/x"), .notEmpty(path: "/x", name: "y"),
        .keyFileMissing(path: "/x"), .keyFileExists(path: "/x"), .locked(path: "/x", processID: 5),
    ])
    func `what is wrong with a home is said to each in his words`(error: HomeError) {
        #expect(!error.description.contains("linnet ") && !error.description.contains("--"))
        #expect(!error.commandText.contains("Node.") && error.commandText.contains("/x"))
    }

    @Test func `what a person needs is in the text`() {
        #expect(
            LinnetError.schema(.notAChoice(field: "form", allowed: ["tablet", "cream"])).description
                == "form must be one of tablet, cream")
        #expect(LinnetError.pairing(.wrongCode(triesLeft: 2)).description.contains("tries left: 2"))
        #expect(
            LinnetError.pairing(.severalCandidates(["abc", "xyz"])).description
                .contains("abc, xyz"))
        #expect(
            LinnetError.cannotListen(address: "a:1", reason: "taken").description
                == "cannot listen at a:1: taken")
        #expect(
            LinnetError.damagedBatches(["0123456789", "ab", "cd"]).description
                .contains("batch 01234567 (and 2 more)"))
    }
}
