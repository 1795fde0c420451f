import AccessLog
import MultiIdentity
@_spi(Checks) import MultiIdentityTesting

/// Calls from an access log, in its order: the user makes the call, and the path chooses the levels and the steps.
struct LoggedCalls: CallSource {
    /// The error of a log that gives no calls.
    struct NoCalls: Error, CustomStringConvertible {
        let path: String
        let malformedCount: Int
        var description: String {
            "the access log \(String(reflecting: path)) has no usable line: all \(malformedCount) are malformed"
        }
    }

    private let path: String
    private let seed: UInt64
    private let isRepeated: Bool
    private let report: (String) -> Void
    private var log: OpenLog
    private var isFirstPass = true
    private var callsInPass = 0
    private(set) var malformedCount = 0

    private static let shownLimit = 20

    /// Opens the log, which begins again at its end if `isRepeated`.
    ///
    /// `report` gets a line of text for each of the first malformed lines, and one for the rest of them.
    ///
    /// - Throws: `AccessLogError` when the log cannot be read or is empty.
    init(path: String, seed: UInt64, isRepeated: Bool, report: @escaping (String) -> Void) throws {
        self.path = path
        self.seed = seed
        self.isRepeated = isRepeated
        self.report = report
        log = try OpenLog(path: path)
    }

    mutating func next(_ number: Int) throws -> Call? {
        while true {
            switch try log.next() {
            case .entry(let entry):
                if let call = try call(for: entry) { return call }
            case .malformed(let line):
                refuse(line.lineNumber, "\(line.reason)")
            case nil:
                guard try beginAgain() else { return nil }
            }
        }
    }

    private mutating func call(for entry: AccessLogEntry) throws -> Call? {
        var hash = FNV1a()
        hash.combine(seed)
        hash.combine(entry.path ?? "")
        var generator = SeededGenerator(seed: hash.value)
        let levels = generator.below(2 * LevelsChoice.all.count)
        do throws(IdentityError) {
            let identity: Identity = if let user = entry.user { try Identity(user) } else { .nobody }
            let twin: Identity = if let user = entry.user { try Identity(user) } else { .nobody }
            callsInPass += 1
            return Call(
                identity: identity,
                twin: twin,
                levels: levels < LevelsChoice.all.count ? levels : nil,
                stepSeed: generator.next()
            )
        } catch {
            refuse(entry.lineNumber, "\(error)")
            return nil
        }
    }

    /// Counts each malformed line once, however often the log is gone through.
    private mutating func refuse(_ lineNumber: Int, _ reason: String) {
        guard isFirstPass else { return }
        malformedCount += 1
        if malformedCount <= Self.shownLimit { report("line \(lineNumber): \(reason)") }
    }

    private mutating func beginAgain() throws -> Bool {
        if isFirstPass, malformedCount > Self.shownLimit {
            report("\u{2026} and \(malformedCount - Self.shownLimit) more malformed lines")
        }
        if callsInPass == 0 { throw NoCalls(path: path, malformedCount: malformedCount) }
        guard isRepeated else { return false }
        isFirstPass = false
        callsInPass = 0
        log = try OpenLog(path: path)
        return true
    }
}

/// A reader that can be replaced by a new one where it stands: the reader itself cannot be copied.
private final class OpenLog {
    private var reader: AccessLogReader

    init(path: String) throws {
        reader = try AccessLogReader(path: path)
    }

    func next() throws -> AccessLogLine? { try reader.next() }
}
