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
    private var log: AccessLogReader
    private var isFirstPass = true
    private var callsInPass = 0
    private(set) var malformedCount = 0

    private static let shownLimit = 20

    /// Opens the log, which begins again at its end if `isRepeated`.
    ///
    /// `report` gets a line of text for each of the first malformed lines, and one for the rest of them.
    ///
    /// - Throws: `AccessLogError` when the log cannot be opened.
    init(path: String, seed: UInt64, isRepeated: Bool, report: @escaping (String) -> Void) throws {
        self.path = path
        self.seed = seed
        self.isRepeated = isRepeated
        self.report = report
        log = try AccessLogReader(path: path)
    }

    mutating func next(_ number: Int) throws -> Call? {
        while true {
            switch try log.next() {
            case .request(let request, let lineNumber):
                if let call = try call(for: request, lineNumber) { return call }
            case .malformed(let reason, let lineNumber): refuse(lineNumber, reason.rawValue)
            case nil:
                guard try beginAgain() else { return nil }
            }
        }
    }

    private mutating func call(for request: LoggedRequest, _ lineNumber: Int) throws -> Call? {
        var hash = FNV1a()
        hash.combine(seed)
        hash.combine(request.path ?? "")
        var generator = SeededGenerator(seed: hash.value)
        let levels = generator.below(2 * LevelsChoice.all.count)
        do throws(IdentityError) {
            let identity: Identity = if let user = request.user { try Identity(user) } else { .nobody }
            let twin: Identity = if let user = request.user { try Identity(user) } else { .nobody }
            callsInPass += 1
            return Call(
                identity: identity,
                twin: twin,
                levels: levels < LevelsChoice.all.count ? levels : nil,
                stepSeed: generator.next()
            )
        } catch {
            refuse(lineNumber, "\(error)")
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
        log = try AccessLogReader(path: path)
        return true
    }
}
