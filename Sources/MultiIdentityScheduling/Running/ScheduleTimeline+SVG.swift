#if os(Linux)
extension ScheduleTimeline {
    /// A picture of the steps: a row for each thread, from left to right a column for each step, a bar for each piece in the colour
    /// of its identity, and a line from each hand-over to where that piece begins.
    public var svg: String {
        let (column, row, left) = (14, 26, 70)
        let threads = Set(entries.compactMap(\.thread)).sorted()
        func x(_ step: Int) -> Int { left + step * column }
        func y(_ thread: Int?) -> Int {
            20 + ((thread.flatMap { threads.firstIndex(of: $0) }).map { $0 + 1 } ?? 0) * row
        }
        var shapes: [String] = []
        for (index, thread) in threads.enumerated() {
            shapes.append("<text x=\"4\" y=\"\(20 + (index + 1) * row + 14)\">thread \(thread)</text>")
        }
        shapes.append("<text x=\"4\" y=\"34\">the test</text>")
        var began: [Int: (step: Int, thread: Int?, queue: String)] = [:]
        var handedOver: [Int: (step: Int, thread: Int?)] = [:]
        var identities: [Int: String] = [:]
        for (step, entry) in entries.enumerated() {
            if let piece = entry.piece, let identity = entry.identity { identities[piece] = "\(identity)" }
            switch entry.event {
            case .handsOver(let piece, _): handedOver[piece] = (step, entry.thread)
            case .begins(let piece, let queue):
                began[piece] = (step, entry.thread, queue)
                guard let from = handedOver[piece] else { continue }
                shapes.append(
                    "<line x1=\"\(x(from.step))\" y1=\"\(y(from.thread) + 9)\" x2=\"\(x(step))\" y2=\"\(y(entry.thread) + 9)\"/>"
                )
            case .ends(let piece):
                guard let from = began.removeValue(forKey: piece) else { continue }
                shapes.append(bar(of: piece, from.queue, identities[piece], x(from.step), y(from.thread), x(step)))
            case .waits: continue
            }
        }
        // What never ended goes on to the right edge.
        for (piece, from) in began.sorted(by: { $0.key < $1.key }) {
            shapes.append(bar(of: piece, from.queue, identities[piece], x(from.step), y(from.thread), x(entries.count)))
        }
        let (width, height) = (x(entries.count) + 20, 30 + (threads.count + 1) * row)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" font-family="sans-serif" font-size="11">
            <style>line { stroke: #888; stroke-dasharray: 2 2 } rect { stroke: #333; fill-opacity: 0.7 }</style>
            \(shapes.joined(separator: "\n"))
            </svg>
            """
    }

    private func bar(of piece: Int, _ queue: String, _ identity: String?, _ from: Int, _ top: Int, _ to: Int) -> String
    {
        // Of the name, so that a user has one colour in all pictures.
        let hue = identity.map { $0.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 360 } }
        let colour = hue.map { "hsl(\($0), 60%, 70%)" } ?? "#ddd"
        let title = "piece \(piece) on \(queue)" + (identity.map { ", as \($0)" } ?? "")
        return """
            <rect x="\(from)" y="\(top)" width="\(max(4, to - from))" height="18" fill="\(colour)"><title>\(Self.escaped(title))</title></rect>
            <text x="\(from + 2)" y="\(top + 13)">\(piece)</text>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
#endif
