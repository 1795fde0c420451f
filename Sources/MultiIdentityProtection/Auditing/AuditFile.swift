import CSystemCalls
import MultiIdentity
import MultiIdentityFiles
public import MultiIdentityPolicy

/// A file of audit events, one JSON object a line; a chain of digests reveals changed and missing lines.
///
/// ```swift
/// let audit = try AuditFile("/var/log/app/audit.jsonl")
/// let accounts = Accounts(mode: .multi, policies: policies, audit: audit)
/// …
/// logger.notice("audit", metadata: ["end": "\(audit.end)"])  // elsewhere, for a verifier of the file
/// let found = try AuditFile.verify("/var/log/app/audit.jsonl", holding: [audit.end])
/// ```
///
/// Each line contains the SHA-256 digest of itself and the line before. Anyone who can write the file can rewrite all of
/// it, or remove lines at the end; only an ``end`` kept where they cannot write reveals that. Only one process at a time
/// can open the file.
public final class AuditFile: AuditSink, Sendable {
    /// A line: its number, and the digest of all lines up to it.
    public struct Position: Hashable, Sendable, CustomStringConvertible {
        /// The number of the line, from 1; 0 before the first.
        public let number: UInt64
        let chain: [UInt8]

        init(_ number: UInt64, _ chain: [UInt8]) {
            self.number = number
            self.chain = chain
        }

        /// Parses a position from its ``description``.
        ///
        /// - Parameter text: The description; the result is `nil` for any other text.
        public init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let number = AuditLine.number(String(parts[0])),
                let chain = AuditLine.digest(parts[1].utf8)
            else { return nil }
            self.init(number, chain)
        }

        /// The number and the digest, such as `12:9f86…`.
        public var description: String { "\(number):\(Hexadecimal.text(of: chain))" }
    }

    private struct State: Sendable {
        var end: Position
        var size: UInt64
        /// Something may follow the end; it is cut off before the next line.
        var hasRest: Bool
        /// The end of the space reserved for the file on the disk.
        var reserved: UInt64
        var lost = 0

        /// Records that nothing follows the end, and that no space is reserved there.
        mutating func isCutOff() { (hasRest, reserved) = (false, size) }
    }

    /// The space reserved after the last line, for a line that reports lost events.
    private static let spare = 512

    private let file: OpenFile
    private let isSynchronized: Bool
    private let failed: (@Sendable (ProtectionError) -> Void)?
    private let state: Locked<State>

    /// Opens a file to append to, or creates one that only its owner can access.
    ///
    /// An incomplete last line, left by a process that ended, is removed.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - isSynchronized: Whether a recorded event survives a power cut; if `false`, it survives only the end of the
    ///     process.
    ///   - failed: Called for each event that cannot be written. The file records at once, in reserved space, that events
    ///     are lost, and their number before the next event. If `nil`, the failure is written to standard error.
    /// - Throws: ``ProtectionError`` if the file is open elsewhere, if others can write it, or if it does not end with
    ///   an audit line.
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

    /// Unlocks explicitly: a process that is just being started shares the lock until it executes its program.
    deinit { try? file.unlock() }

    /// The last line written.
    ///
    /// Keep it where those who can write the file cannot write; it later reveals whether lines up to it are missing or
    /// changed.
    public var end: Position { state.withLock { $0.end } }

    /// Appends a line; a failure is reported, and leaves no incomplete line.
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
                // The process may end before there is space for their number.
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

    /// `spare`: The space to reserve after the line; with none, the line uses the space reserved before.
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
            // Now if possible, otherwise before the next line. If nothing was written, the reserved space stays.
            if state.hasRest, (try? file.truncate(to: state.size)) != nil { state.isCutOff() }
            throw ProtectionError(error)
        }
        state.hasRest = false
        state.size += UInt64(line.bytes.count)
        state.end = Position(number, line.chain)
    }
}
