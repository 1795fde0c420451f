import CSystemCalls
import MultiIdentity
import MultiIdentityFiles
public import MultiIdentityPolicy

/// A file of audit events, a line of JSON each, chained by digests so that one that is missing or was changed shows.
///
/// ```swift
/// let audit = try AuditFile("/var/log/app/audit.jsonl")
/// let accounts = Accounts(mode: .multi, policies: policies, audit: audit)
/// …
/// logger.notice("audit", metadata: ["end": "\(audit.end)"])  // elsewhere, for a verifier of the file
/// let found = try AuditFile.verify("/var/log/app/audit.jsonl", holding: [audit.end])
/// ```
///
/// Each line has the SHA-256 digest of itself and the one before. Who can write the file can write all of it anew, or cut lines off at
/// its end: that shows only by an ``end`` that is kept where they cannot write. One process at a time has the file open.
public final class AuditFile: AuditSink, Sendable {
    /// A line by its number, and by the digest of all lines up to it.
    public struct Position: Hashable, Sendable, CustomStringConvertible {
        /// The number of the line, from 1; 0 before the first.
        public let number: UInt64
        let chain: [UInt8]

        init(_ number: UInt64, _ chain: [UInt8]) {
            self.number = number
            self.chain = chain
        }

        /// Reads a position that was written down.
        ///
        /// - Parameter text: As ``description`` has it; anything else is none.
        public init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let number = AuditLine.number(String(parts[0])),
                let chain = AuditLine.digest(parts[1].utf8)
            else { return nil }
            self.init(number, chain)
        }

        /// The number and the digest: `12:9f86…`.
        public var description: String { "\(number):\(Hexadecimal.text(of: chain))" }
    }

    private struct State: Sendable {
        var end: Position
        var size: UInt64
        /// Something may stand behind the end, which is to be cut off before the next line.
        var hasRest: Bool
        /// The end of the room that the disk keeps for the file.
        var reserved: UInt64
        var lost = 0

        /// Nothing stands behind the end any more, nor is room kept there.
        mutating func isCutOff() { (hasRest, reserved) = (false, size) }
    }

    /// The room behind the last line that is kept for one that says that events are lost.
    private static let spare = 512

    private let file: OpenFile
    private let isSynchronized: Bool
    private let failed: (@Sendable (ProtectionError) -> Void)?
    private let state: Locked<State>

    /// Opens a file to add lines to, or makes an empty one, for its owner alone.
    ///
    /// A line that the end of a process cut off is removed.
    ///
    /// - Parameters:
    ///   - path: The file; its folder exists.
    ///   - isSynchronized: Whether each line would survive a power cut when its event is recorded; else the end of a process only.
    ///   - failed: Called for each event that cannot be written, which the file says at once, in room that is kept for that, and the
    ///     next line that can be written says how many; without, there is a line on standard error.
    /// - Throws: ``ProtectionError`` where it is open elsewhere, others can write it, or it ends with no audit line.
    public init(
        _ path: String,
        isSynchronized: Bool = true,
        failed: (@Sendable (ProtectionError) -> Void)? = nil
    ) throws(ProtectionError) {
        file = try Self.opened(path)
        let (end, size, hasRest) = try Self.end(of: file)
        state = Locked(State(end: end, size: size, hasRest: hasRest, reserved: size))
        self.isSynchronized = isSynchronized
        self.failed = failed
    }

    /// Closing alone leaves the lock with a process that is just being started, until that executes its program.
    deinit { try? file.unlock() }

    /// The last line that was written.
    ///
    /// Kept where nobody can write who can write the file, it shows later whether lines up to it are gone or others.
    public var end: Position { state.withLock { $0.end } }

    /// Adds a line; one that cannot be written is reported, and never half there.
    public func record(_ event: AuditEvent) {
        let failure = state.withLock { state -> ProtectionError? in
            do throws(ProtectionError) {
                if state.lost > 0 {
                    try add(Self.lost("\(state.lost) events could not be written"), to: &state)
                    state.lost = 0
                }
                try add(event, to: &state)
                return nil
            } catch {
                state.lost += 1
                // The process can end before there is room for their number.
                if state.lost == 1 {
                    try? add(Self.lost("events from here on could not be written"), to: &state, leaving: 0)
                }
                return error
            }
        }
        guard let failure else { return }
        if let failed { failed(failure) } else { StandardError.print("multi-identity: \(failure)") }
    }

    private static func lost(_ text: String) -> AuditEvent { AuditEvent(ofRecord: .eventsLost, because: text) }

    /// `spare`: The room that has to be left behind the line; with none, the line goes where room was kept before.
    private func add(
        _ event: AuditEvent,
        to state: inout State,
        leaving spare: Int = AuditFile.spare
    ) throws(ProtectionError) {
        guard let number = AuditLine.number(after: state.end.number) else {
            throw ProtectionError(fullAudit: file.path)
        }
        let line = try AuditLine.made(event, number, after: state.end.chain)
        do {
            if state.hasRest {
                try file.truncate(to: state.size)
                state.isCutOff()
            }
            let next = state.size + UInt64(line.bytes.count + spare)
            if spare > 0, next > state.reserved {
                try file.reserve(next - state.reserved, at: state.reserved)
                state.reserved = next
            }
            state.hasRest = true
            try file.write(line.bytes, at: state.size)
            if isSynchronized { try file.synchronize() }
        } catch {
            // Now if it can be, else before the next line. Where nothing was written, the room that is kept stays.
            if state.hasRest, (try? file.truncate(to: state.size)) != nil { state.isCutOff() }
            throw ProtectionError(error)
        }
        state.hasRest = false
        state.size += UInt64(line.bytes.count)
        state.end = Position(number, line.chain)
    }
}
