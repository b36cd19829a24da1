/// Names one widget that a person has put somewhere; two of one kind have two names.
package struct WidgetID: Hashable, Comparable, Sendable {
    /// The number that the shell gave.
    package let number: Int

    /// A name.
    package init(_ number: Int) {
        self.number = number
    }

    /// Orders by number.
    package static func < (left: WidgetID, right: WidgetID) -> Bool { left.number < right.number }
}

/// One widget that a person has put somewhere, as WidgetKit's `WidgetInfo`.
package struct WidgetConfiguration: Equatable, Sendable {
    /// Which provider draws it.
    package var kind: String
    /// How large it is.
    package var family: WidgetFamily
    /// Where it stands, which decides about its budget.
    package var place: Place
    /// How often its page is looked at.
    package var viewing: Viewing

    /// Where a widget stands.
    package enum Place: Equatable, Sendable {
        /// On a screen of a phone or a laptop.
        case screen
        /// On the face of a watch, where it is always considered viewed.
        case watchFace
    }

    /// How often a widget is looked at.
    package enum Viewing: Equatable, Sendable {
        /// Often.
        case frequent
        /// On a page that is seldom shown.
        case rare
    }

    /// A configuration.
    package init(
        kind: String, family: WidgetFamily, place: Place = .screen, viewing: Viewing = .frequent
    ) {
        self.kind = kind
        self.family = family
        self.place = place
        self.viewing = viewing
    }
}
