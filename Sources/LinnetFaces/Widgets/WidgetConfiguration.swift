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
    /// The kind of widget, which says which provider draws it.
    package var kind: String
    /// The size of the widget.
    package var family: WidgetFamily
    /// The place at which it stands, which decides about its budget.
    package var place: Place
    /// The frequency with which its page is looked at.
    package var viewing: Viewing

    /// The place at which a widget stands.
    package enum Place: Equatable, Sendable {
        /// On a screen of a phone or a laptop.
        case screen
        /// On the face of a watch, where it is always considered viewed.
        case watchFace
    }

    /// The frequency with which a widget is looked at.
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
