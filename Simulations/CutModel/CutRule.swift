/// A rule of settled cuts, which a test may break to see what it is for.
package enum CutRule: CaseIterable, Hashable, Sendable {
    /// A voter promises what it shows, not what merely lies in its store.
    case promisesWhatItShows
    /// Whoever is bound by a promise shows nothing new that lies beside the cut.
    case holdsTheUndecided
    /// A batch that a promise lists is ordinary, though it does not build on the cut.
    case listedIsOrdinary
    /// A promise outlives the crash of its voter.
    case storesPromises
    /// A voter promises and folds only cuts above its floor.
    case risesOnly
    /// A device folds when it shows all that is listed.
    case foldsWhatIsListed
    /// Devices that a voter had let in before its promise are asked too.
    case asksNewcomers
    /// A newcomer is bound by what bound the device that let it in.
    case bindsNewcomers
    /// The voters are lives of devices, so that a copy put back does not promise again.
    case namesLives
    /// A batch is late by any settled cut, not by the newest alone.
    case isLateByAny
    /// A batch that builds on a late one is late.
    case spreadsLateness
    /// The proposer signs which promises count.
    case signsSettlements
    /// A lapsed device has no vote.
    case skipsLapsed
    /// A batch is as good as listed while a cut is open once any voter signed that it shows.
    case believesAnyWordOfVoters
    /// A settled cut ends every open one that does not stand on it, and frees whom it bound.
    case settledCutsFree
    /// Lives that began with a copy settle nothing among themselves.
    case asksOneThatRemembers
}
