/// The end of the lanes that a device is.
package enum CompanionRole: UInt8, Equatable, Sendable, CaseIterable {
    /// The iPhone's end: any number of paired watches, one of them active.
    case phone
    /// The watch's end: at most one phone.
    case watch
}
