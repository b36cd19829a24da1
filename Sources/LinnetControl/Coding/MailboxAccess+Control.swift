package import LinnetSystem

/// An account travels as a home keeps it.
extension MailboxAccess: ControlCodable {}
