/// Writes a picture as SVG (Scalable Vector Graphics 1.1, for the widest reach).
package enum SVGWriter {
    private static let typeface =
        "-apple-system, 'SF Pro Text', Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, "
        + "'Noto Sans', sans-serif"

    /// The document; `name` distinguishes its parts from those of other pictures on a page.
    package static func document(
        _ scene: FaceScene, name: String, title: String, description: String
    ) -> String {
        let (width, height) = (number(scene.width), number(scene.height))
        let name = escaped(name)
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
                + #"viewBox="0 0 \#(width) \#(height)" role="img" xml:lang="en" "#
                + #"aria-labelledby="\#(name)-title \#(name)-desc">"#,
            #"<title id="\#(name)-title">\#(escaped(title))</title>"#,
            #"<desc id="\#(name)-desc">\#(escaped(FaceText.plain(description)))</desc>"#,
            #"<g font-family="\#(typeface)">"#,
            box(0, 0, scene.width, scene.height, scene.corner, scene.palette.ground),
        ]
        lines += scene.elements.map(element)
        lines += ["</g>", "</svg>", ""]
        return lines.joined(separator: "\n")
    }

    private static func element(_ element: FaceScene.Element) -> String {
        switch element {
        case .box(let x, let y, let width, let height, let radius, let fill):
            return box(x, y, width, height, radius, fill)
        case .ring(let x, let y, let radius, let line, let share, let fill):
            let around = 2 * Double.pi * radius
            let dash =
                share >= 1
                ? ""
                : #" stroke-linecap="round" stroke-dasharray="\#(number(around * share)) "#
                    + #"\#(number(around))" transform="rotate(-90 \#(number(x)) \#(number(y)))""#
            return #"<circle cx="\#(number(x))" cy="\#(number(y))" r="\#(number(radius))" "#
                + #"fill="none" stroke="\#(fill.hex)" stroke-width="\#(number(line))"\#(dash)/>"#
        case .quarter(let x, let y, let radius, let line, let share, let fill):
            let length = Double.pi / 2 * radius
            return #"<path d="M\#(number(x - radius)) \#(number(y)) A\#(number(radius)) "#
                + #"\#(number(radius)) 0 0 1 \#(number(x)) \#(number(y - radius))" fill="none" "#
                + #"stroke="\#(fill.hex)" stroke-width="\#(number(line))" stroke-linecap="round" "#
                + #"stroke-dasharray="\#(number(length * share)) \#(number(length * 4))"/>"#
        case .stroke(let points, let line, let fill):
            let path = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
            return #"<polyline points="\#(path)" fill="none" stroke="\#(fill.hex)" "#
                + #"stroke-width="\#(number(line))" stroke-linecap="round" "#
                + #"stroke-linejoin="round"/>"#
        case .words(let words): return text(words)
        }
    }

    private static func box(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double,
        _ fill: FaceColour
    ) -> String {
        #"<rect x="\#(number(x))" y="\#(number(y))" width="\#(number(width))" "#
            + #"height="\#(number(height))" rx="\#(number(radius))" fill="\#(fill.hex)"/>"#
    }

    /// Words from right to left keep their place: only where they begin and end is swapped.
    private static func text(_ words: FaceScene.Words) -> String {
        let isReversed = FaceText.isRightToLeft(words.text)
        let anchor =
            switch (words.anchor, isReversed) {
            case (.leading, false), (.trailing, true): "start"
            case (.middle, _): "middle"
            case (.trailing, false), (.leading, true): "end"
            }
        let (x, y) = (number(words.place.x), number(words.place.y))
        let direction = isReversed ? #" direction="rtl""# : ""
        let turn = words.turn == 0 ? "" : #" transform="rotate(\#(words.turn) \#(x) \#(y))""#
        return #"<text x="\#(x)" y="\#(y)" font-size="\#(number(words.size))" "#
            + #"font-weight="\#(words.weight)" fill="\#(words.ink.hex)" text-anchor="\#(anchor)" "#
            + #"unicode-bidi="isolate"\#(direction)\#(turn)>\#(escaped(words.text))</text>"#
    }

    /// At most two digits after the point.
    private static func number(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e9 else { return "0" }
        let hundredths = Int((value * 100).rounded())
        let sign = hundredths < 0 ? "-" : ""
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(sign)\(whole)" }
        let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(sign)\(whole).\(digits)"
    }

    /// The text with what XML reserves written as entities, and without what it forbids.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": escaped += " "
            case "\0"..<" ", "\u{fffe}", "\u{ffff}": continue
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
