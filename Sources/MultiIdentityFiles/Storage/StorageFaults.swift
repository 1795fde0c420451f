internal import CSystemCalls
internal import MultiIdentity

/// The faults of the mutating system calls of this folder, so that tests meet each crash and each full disk.
///
/// Calls are counted from 1. In force either for the whole process (``install()``, for exit tests) or for a closure
/// (``during(_:)``, for tests that run beside others; bound to the task as an identity is).
package final class StorageFaults: Sendable {
    package enum Plan: Sendable {
        /// Only counts.
        case none
        /// Before call *n* the process ends as by `kill -9`; a write of that number writes its first half.
        case killProcess(atCall: Int)
        /// Call *n* fails; those after it go through.
        case fail(atCall: Int, with: Int32)
        /// Call *n* and all after it fail, so that what is on the disk is what a crash at *n* would leave.
        case failAll(fromCall: Int, with: Int32)
    }

    private struct State {
        var plan: Plan
        var calls: [String] = []

        /// `nil` if the call is executed, 0 if the process ends, otherwise the error number.
        mutating func count(_ call: String) -> Int32? {
            calls.append(call)
            switch plan {
            case .none: return nil
            case .killProcess(let number): return calls.count == number ? 0 : nil
            case .fail(let number, let code): return calls.count == number ? code : nil
            case .failAll(let number, let code): return calls.count >= number ? code : nil
            }
        }
    }

    /// A call that is about to be made, and on which file.
    package struct Call: Sendable {
        /// As its manual page has it.
        package let name: String
        package let path: String
        /// -1 where it is about a name.
        package let descriptor: Int32
    }

    @TaskLocal private static var scoped: StorageFaults?
    private static let installed = Locked<StorageFaults?>(nil)
    private let state: Locked<State>

    /// The features that the system or the file system lacks.
    package struct Lacks: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Each file has a name from the start.
        package static let unnamedFiles = Lacks(rawValue: 1)
        /// No extended attribute can be set.
        package static let attributes = Lacks(rawValue: 2)
        /// Birth times of files are unknown; asked once, when a root is opened.
        package static let birthTimes = Lacks(rawValue: 4)
        /// The power is never cut: what would last through it is counted, and the disk is not waited for.
        package static let powerCuts = Lacks(rawValue: 8)
    }

    private let lacks: Lacks
    private let observer: (@Sendable (Call) -> Void)?
    /// The keys of files on a disk that lost power, by their keys on the disk that they were put back on.
    let restored: [FileKey: FileKey]

    /// Creates a fault plan.
    ///
    /// - Parameters:
    ///   - plan: The fault of each call.
    ///   - lacks: What the system does not have.
    ///   - observer: Called before each mutating call that is executed, and before each lock.
    package convenience init(
        _ plan: Plan = .none,
        lacking lacks: Lacks = [],
        observer: (@Sendable (Call) -> Void)? = nil
    ) {
        self.init(plan, lacking: lacks, restored: [:], observer: observer)
    }

    init(
        _ plan: Plan = .none,
        lacking lacks: Lacks = [],
        restored: [FileKey: FileKey],
        observer: (@Sendable (Call) -> Void)? = nil
    ) {
        state = Locked(State(plan: plan))
        self.lacks = lacks
        self.restored = restored
        self.observer = observer
    }

    /// As on a system where each file has a name from the start.
    package convenience init(onlyNamedFiles plan: Plan) { self.init(plan, lacking: .unnamedFiles) }

    private static var inForce: StorageFaults? { scoped ?? installed.withLock { $0 } }
    static var hasOnlyNamedFiles: Bool { inForce?.lacks.contains(.unnamedFiles) ?? false }
    static var lacksAttributes: Bool { inForce?.lacks.contains(.attributes) ?? false }
    static var lacksPowerCuts: Bool { inForce?.lacks.contains(.powerCuts) ?? false }
    static var lacksBirthTimes: Bool { inForce?.lacks.contains(.birthTimes) ?? false }

    static var restored: [FileKey: FileKey] { inForce?.restored ?? [:] }

    /// The names of the calls that were counted, in order.
    package var calls: [String] { state.withLock { $0.calls } }

    /// Puts the plan in force for the whole process, for good.
    package func install() { Self.installed.withLock { $0 = self } }

    /// Puts the plan in force for what a closure does on this task or thread.
    package func during<Value, Failure: Error>(_ operation: () throws(Failure) -> Value) throws(Failure) -> Value {
        try Self.$scoped.withValue(self) { Result { () throws(Failure) in try operation() } }.get()
    }

    /// Fails, ends the process, or notifies the observer, before each mutating call.
    static func willCall(_ call: String, _ path: String, _ descriptor: Int32 = -1) throws(SystemCallError) {
        guard let faults = inForce else { return }
        let code = faults.state.withLock { $0.count(call) }
        switch code {
        case nil: faults.observer?(Call(name: call, path: path, descriptor: descriptor))
        case .some(0): endProcess()
        case .some(let code): throw SystemCallError(call, path, code: code)
        }
    }

    /// Notifies the observer before each lock, which is no change and never fails here.
    static func willLock(_ path: String, _ descriptor: Int32) {
        inForce?.observer?(Call(name: "flock", path: path, descriptor: descriptor))
    }

    /// As ``willCall(_:_:_:)`` for a write, of which the first half is made where the process ends.
    static func willWrite(
        _ call: String,
        _ path: String,
        _ descriptor: Int32,
        count: Int,
        firstHalf: (Int) -> Void
    ) throws(SystemCallError) {
        guard let faults = inForce else { return }
        let code = faults.state.withLock { $0.count(call) }
        switch code {
        case nil: faults.observer?(Call(name: call, path: path, descriptor: descriptor))
        case .some(let code):
            firstHalf(count / 2)
            if code == 0 { endProcess() }
            throw SystemCallError(call, path, code: code)
        }
    }

    private static func endProcess() {
        // As `kill -9`: nothing is flushed, no handler runs.
        kill(getpid(), SIGKILL)
        _exit(137)
    }
}
