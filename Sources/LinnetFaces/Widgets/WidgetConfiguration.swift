/// Names one widget that a person has put somewhere; two of one kind have two names.
public struct WidgetID: Hashable, Comparable, Sendable {
    /// The number that the shell gave.
    public let number: Int

    /// A name.
    public init(_ number: Int) {
        self.number = number
    }

    /// Orders by number.
    public static func < (left: WidgetID, right: WidgetID) -> Bool { left.number < right.number }
}

/// One widget that a person has put somewhere, as WidgetKit's `WidgetInfo`.
public struct WidgetConfiguration: Equatable, Sendable {
    /// The kind of widget, which says which provider draws it.
    public var kind: String
    /// The size of the widget.
    public var family: WidgetFamily
    /// The place at which it stands, which decides about its budget.
    public var place: Place
    /// The frequency with which its page is looked at.
    public var viewing: Viewing

    /// The place at which a widget stands.
    public enum Place: Equatable, Sendable {
        /// On a screen of a phone or a laptop.
        case screen
        /// On the face of a watch, where it is always considered viewed.
        case watchFace
    }

    /// The frequency with which a widget is looked at.
    public enum Viewing: Equatable, Sendable {
        /// Often.
        case frequent
        /// On a page that is seldom shown.
        case rare
    }

    /// A configuration.
    public init(
        kind: String, family: WidgetFamily, place: Place = .screen, viewing: Viewing = .frequent
    ) {
        self.kind = kind
        self.family = family
        self.place = place
        self.viewing = viewing
    }
}
