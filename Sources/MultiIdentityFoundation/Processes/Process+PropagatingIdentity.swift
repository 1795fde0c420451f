#if os(macOS) || !canImport(Darwin)
public import Foundation
import MultiIdentity

extension Process {
    /// A view of this process with a termination handler that carries identity: it is captured when set.
    public var propagatingIdentity: PropagatingProcess { PropagatingProcess(base: self) }

    /// Processes with termination handlers that carry identity: each is captured when its process is run.
    public static var propagatingIdentity: IdentityProcesses { IdentityProcesses() }
}

extension IdentityBoundary {
    static let processTermination = IdentityBoundary("process termination")
}

/// A view of a process whose termination handler carries identity.
///
/// ```swift
/// process.propagatingIdentity.terminationHandler = { report($0.terminationStatus) }  // as the identity bound here
/// try process.run()
/// ```
public struct PropagatingProcess: Sendable {
    /// The process itself; a handler that is set on it directly carries no identity.
    public let base: Process

    /// Captured when set: the handler runs once the process has ended, as the identity bound here.
    ///
    /// It is released, with the identity, as soon as it has run for this process. A copy that is read back and set on
    /// another process runs there only until then. `nil` removes it.
    public var terminationHandler: (@Sendable (Process) -> Void)? {
        get { base.terminationHandler }
        nonmutating set {
            base.terminationHandler = newValue.map { work in
                let captured = BoundaryCapture(at: .processTermination, of: base.executableURL?.lastPathComponent)
                let carried = HeldWork(work, captured)
                let own = ObjectIdentifier(base)  // and not the process, which keeps the handler
                return { process in
                    if ObjectIdentifier(process) == own {
                        carried.runOnce { $0(process) }
                    } else {
                        carried.run { $0(process) }
                    }
                }
            }
        }
    }
}

/// Processes with termination handlers that run as the identity that ran the process.
public struct IdentityProcesses: Sendable {
    init() {}

    /// Captured when the process is run: `terminationHandler` runs as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - url: The executable.
    ///   - arguments: The arguments.
    ///   - terminationHandler: Runs once the process has ended, and is then released, with the identity.
    /// - Returns: The running process.
    /// - Throws: Foundation's error if the process cannot be run.
    @discardableResult
    public func run(
        _ url: URL,
        arguments: [String],
        terminationHandler: (@Sendable (Process) -> Void)? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.propagatingIdentity.terminationHandler = terminationHandler
        try process.run()
        return process
    }
}
#endif
