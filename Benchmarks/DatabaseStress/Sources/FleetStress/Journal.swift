import Foundation
import MultiIdentityManagement

/// The lines that all processes of a run write, each whole and with its moment, whatever becomes of the process.
struct Journal: Sendable {
    /// A line.
    enum Entry: Hashable, Sendable {
        /// A process has registered an account, as its parent said.
        case registered(account: String)
        /// A process asks the service, or wipes.
        case begins(String, account: String, request: String)
        /// It has its answer.
        case ends(request: String, good: Bool)
        /// A process received an event.
        case event(Int64, account: String, status: String, moment: Int64)
        /// A process is up: it hears of all events that come now.
        case up
    }

    struct Line: Sendable {
        let life: Int
        let moment: Int64
        let entry: Entry
    }

    private let file: Int32
    private let life: Int
    private let clock: HurriedClock

    init(_ path: String, life: Int, _ clock: HurriedClock) {
        file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        self.life = life
        self.clock = clock
    }

    func write(_ entry: Entry) {
        let words: [String] =
            switch entry {
            case .registered(let account): ["registered", account]
            case .begins(let kind, let account, let request): ["begins", kind, account, request]
            case .ends(let request, let good): ["ends", request, "\(good)"]
            case .event(let number, let account, let status, let moment):
                ["event", "\(number)", account, status, "\(moment)"]
            case .up: ["up"]
            }
        let line = "\(life)\t\(clock.now.milliseconds)\t\(words.joined(separator: "\t"))\n"
        // In one call, which the kernel does not mix with another's, and which a kill does not take back.
        let count = line.utf8.count
        precondition(Foundation.write(file, line, count) == count, "The journal takes no more.")
    }

    /// Reads all lines.
    static func lines(of path: String) throws -> [Line] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
            let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard words.count > 2, let life = Int(words[0]), let moment = Int64(words[1]) else { return nil }
            let entry: Entry? =
                switch (words[2], words.count) {
                case ("registered", 4): .registered(account: words[3])
                case ("begins", 6): .begins(words[3], account: words[4], request: words[5])
                case ("ends", 5): .ends(request: words[3], good: words[4] == "true")
                case ("event", 7):
                    .event(Int64(words[3]) ?? 0, account: words[4], status: words[5], moment: Int64(words[6]) ?? 0)
                case ("up", 3): .up
                default: nil
                }
            return entry.map { Line(life: life, moment: moment, entry: $0) }
        }
    }
}
