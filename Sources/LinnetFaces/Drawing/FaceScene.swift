/// A picture of a face as shapes and words, in points from the upper left.
package struct FaceScene: Equatable, Sendable {
    /// Width in points.
    package let width: Double
    /// Height in points; screens that scroll grow with what is on them.
    package var height: Double
    /// Radius of the picture's corners.
    package let corner: Double
    /// Its colours.
    package let palette: FacePalette
    /// The elements that it shows, from the back to the front.
    package private(set) var elements: [Element] = []

    /// One thing in a picture.
    package enum Element: Equatable, Sendable {
        /// A rectangle with round corners.
        case box(x: Double, y: Double, width: Double, height: Double, radius: Double, FaceColour)
        /// The part of a circle that a share fills, clockwise from the top.
        case ring(x: Double, y: Double, radius: Double, line: Double, share: Double, FaceColour)
        /// A line through points.
        case stroke([Point], line: Double, FaceColour)
        /// A quarter of a circle around the lower right, of which a share is drawn.
        case quarter(x: Double, y: Double, radius: Double, line: Double, share: Double, FaceColour)
        /// One line of words.
        case words(Words)
    }

    /// A place in a picture.
    package struct Point: Equatable, Sendable {
        /// From the left, and from the top.
        package let x, y: Double
    }

    /// The alignment of words to their place.
    package enum Anchor: Equatable, Sendable {
        /// They begin there, whatever direction they are written in.
        case leading
        /// They are around it.
        case middle
        /// They end there.
        case trailing
    }

    /// One line of words.
    package struct Words: Equatable, Sendable {
        /// The words.
        package let text: String
        /// The place.
        package let place: Point
        /// The alignment of the words to it.
        package let anchor: Anchor
        /// Their size.
        package let size: Double
        /// Their weight, 400 to 700.
        package let weight: Int
        /// Their colour.
        package let ink: FaceColour
        /// The colour behind them.
        package let ground: FaceColour
        /// By how many degrees they are turned around their place.
        package let turn: Int
        /// The room that they have.
        package let limit: Double
    }

    init(width: Double, height: Double, corner: Double, _ palette: FacePalette) {
        self.width = width
        self.height = height
        self.corner = corner
        self.palette = palette
    }

    /// Adds shapes.
    mutating func add(_ element: Element) { elements.append(element) }

    mutating func box(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double,
        _ fill: FaceColour
    ) {
        add(.box(x: x, y: y, width: width, height: height, radius: radius, fill))
    }

    /// A ring with its empty part.
    mutating func ring(
        _ x: Double, _ y: Double, radius: Double, line: Double, share: Double, _ fill: FaceColour
    ) {
        add(.ring(x: x, y: y, radius: radius, line: line, share: 1, palette.track))
        guard share > 0 else { return }
        // Its round ends reach half a line further: a ring that is not full has to look open.
        let open = 1 - 1.6 * line / (2 * Double.pi * radius)
        let drawn = share >= 1 ? 1 : min(share, open)
        add(.ring(x: x, y: y, radius: radius, line: line, share: drawn, fill))
    }

    /// A bar with its empty part.
    mutating func bar(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, share: Double,
        _ fill: FaceColour
    ) {
        box(x, y, width, height, radius: height / 2, palette.track)
        let full = width * min(1, max(0, share))
        if full > 0 { box(x, y, max(full, height), height, radius: height / 2, fill) }
    }

    /// Adds words that are cut to their room; without any when there is nothing to say.
    mutating func words(
        _ text: String, _ x: Double, _ y: Double, size: Double, weight: Int = 400,
        _ ink: FaceColour, on ground: FaceColour? = nil, _ anchor: Anchor = .leading,
        limit: Double, turn: Int = 0
    ) {
        let fitting = FaceText.fit(
            text, ems: limit / size, isBold: weight >= 600)
        guard !fitting.isEmpty else { return }
        add(
            .words(
                Words(
                    text: fitting, place: Point(x: x, y: y), anchor: anchor, size: size,
                    weight: weight, ink: ink, ground: ground ?? palette.ground, turn: turn,
                    limit: limit)))
    }

    /// Adds words in lines, broken between words, of which the last is cut when there is no room
    /// for all; returns the number of lines.
    @discardableResult
    mutating func lines(
        _ text: String, _ x: Double, _ y: Double, size: Double, weight: Int = 400,
        _ ink: FaceColour, on ground: FaceColour? = nil, limit: Double, atMost count: Int,
        step: Double
    ) -> Int {
        let lines = Self.lines(of: text, size: size, weight: weight, limit: limit, atMost: count)
        for (index, line) in lines.enumerated() {
            words(
                line, x, y + Double(index) * step, size: size, weight: weight, ink, on: ground,
                limit: limit)
        }
        return lines.count
    }

    /// Returns the lines into which words are broken.
    static func lines(
        of text: String, size: Double, weight: Int = 400, limit: Double, atMost count: Int
    ) -> [String] {
        FaceText.lines(of: text, ems: limit / size, isBold: weight >= 600, atMost: count)
    }

    /// Returns the approximate width of words.
    static func width(of text: String, size: Double, weight: Int = 400) -> Double {
        FaceText.ems(text, isBold: weight >= 600) * size
    }
}
