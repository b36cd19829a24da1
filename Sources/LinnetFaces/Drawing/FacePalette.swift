/// A colour of a picture, without transparency.
package struct FaceColour: Equatable, Sendable {
    /// Red, green and blue, 0 to 255 each.
    package let red, green, blue: UInt8

    init(_ rgb: UInt32) {
        red = UInt8(truncatingIfNeeded: rgb >> 16)
        green = UInt8(truncatingIfNeeded: rgb >> 8)
        blue = UInt8(truncatingIfNeeded: rgb)
    }

    /// The colour as SVG writes it.
    package var hex: String {
        "#"
            + [red, green, blue].map { part in
                (part < 16 ? "0" : "") + String(part, radix: 16)
            }.joined()
    }
}

/// The appearance of a picture: light or dark.
public enum FaceAppearance: String, CaseIterable, Equatable, Sendable {
    /// Dark words on a light ground.
    case light
    /// Light words on a dark ground.
    case dark
}

/// The colours of one appearance. Every ink reads on `ground` and on `card` with a contrast of at
/// least 4.5 (WCAG 2.2, success criterion 1.4.3).
package struct FacePalette: Equatable, Sendable {
    /// Behind everything.
    package let ground: FaceColour
    /// Behind a group, and the empty part of rings and bars.
    package let card: FaceColour
    /// The empty part of rings and bars.
    package let track: FaceColour
    /// Ordinary words.
    package let ink: FaceColour
    /// Words that matter less.
    package let quiet: FaceColour
    /// The ink of what the eye should find first.
    package let accent: FaceColour
    /// The ink of what is done.
    package let good: FaceColour
    /// The ink of what it is time for.
    package let due: FaceColour
    /// The ink of what went wrong.
    package let bad: FaceColour

    /// The colours of an appearance.
    package init(_ appearance: FaceAppearance) {
        switch appearance {
        case .light:
            ground = FaceColour(0xffffff)
            card = FaceColour(0xf2f2f7)
            track = FaceColour(0xdcdce3)
            ink = FaceColour(0x1c1c1e)
            quiet = FaceColour(0x5f5f66)
            accent = FaceColour(0x0b5fb0)
            good = FaceColour(0x1b7038)
            due = FaceColour(0x8f4700)
            bad = FaceColour(0xb3261e)
        case .dark:
            ground = FaceColour(0x000000)
            card = FaceColour(0x1c1c1e)
            track = FaceColour(0x3a3a3c)
            ink = FaceColour(0xffffff)
            quiet = FaceColour(0xaeaeb2)
            accent = FaceColour(0x64b5ff)
            good = FaceColour(0x5bd778)
            due = FaceColour(0xffb95c)
            bad = FaceColour(0xff8a80)
        }
    }
}
