import Foundation
import MultiIdentityManagement

/// The lines that all processes of a run write, each whole and with its moment, whatever becomes of the process.
struct Journal: Sendable {
    enum Entry: Codable, Sendable {
        /// A process has registered an account, as its parent said.
        case registered(account: String)
        /// A process asks the service, or wipes.
        case begins(kind: String, account: String, request: String)
        /// It has its answer.
        case ends(request: String, isGood: Bool)
        /// A process received an event.
        case event(number: Int64, account: String, status: String, moment: Int64)
        /// A process is up: it hears of all events that come now.
        case up
    }

    struct Line: Codable, Sendable {
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
        let line = Line(life: life, moment: clock.now.milliseconds, entry: entry)
        guard let bytes = try? JSONEncoder().encode(line) + [10] else { preconditionFailure("A line is no JSON.") }
        // In one call, which the kernel does not mix with another's, and which a kill does not take back.
        let count = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
        precondition(count == bytes.count, "The journal takes no more.")
    }

    /// Reads all lines.
    static func lines(of path: String) throws -> [Line] {
        try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 10).map {
            try JSONDecoder().decode(Line.self, from: $0)
        }
    }
}
