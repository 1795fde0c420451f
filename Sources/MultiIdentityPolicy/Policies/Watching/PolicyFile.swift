import MultiIdentity

/// Policies in a file of JSON, which is watched, and read again as a whole when it changes.
///
/// A file that cannot be read, or that has anything wrong in it, keeps the policies in force that were before, and what
/// is wrong is told. Replace the file by renaming another to its name, as editors and configuration maps do; one that is
/// written in place is read when the writer closes it.
///
/// ```swift
/// let file = try PolicyFile("/etc/tenants/policies.json") { logger.error("\($0)") }
/// let accounts = Accounts(mode: .multi, policies: file)
/// ```
public final class PolicyFile: PolicySource, Sendable {
    private struct State {
        /// The number of the latest reading that was begun, and of the latest that counted.
        var begun: UInt64 = 0
        var counted: UInt64 = 0
        /// The state of the file that counted; `nil` where it could not be reached.
        var fingerprint: FileFingerprint?
        /// No state of it was read: the system refused, as it does while a process has too many files open.
        var isToBeTriedAgain = false
        var problem: PolicyFileError?
    }

    /// The most bytes that a file of policies has: 64 MiB.
    public static var maximumSize: Int { PolicyFileReading.maximumSize }

    /// The file's path, as it was given.
    public let path: String

    private let feed: PolicyFeed
    private let state: Locked<State>
    private let tell: @Sendable (PolicyFileError) -> Void
    private let watch = Locked<PolicyFileWatch?>(nil)

    /// Reads a file of policies, and watches it from then on.
    ///
    /// - Parameters:
    ///   - path: The file's path; a relative one is taken from the working folder of each moment.
    ///   - watching: How it is watched.
    ///   - onProblem: Told once of each state of the file that cannot be put into force, under the identity that is bound
    ///     here, on a queue of this package.
    /// - Throws: ``PolicyFileError`` where the file cannot be put into force now.
    public init(
        _ path: String,
        watching: PolicyFileWatching = .events(lookingEvery: .seconds(5)),
        onProblem: @escaping @Sendable (PolicyFileError) -> Void = { _ in }
    ) throws(PolicyFileError) {
        self.path = path
        let snapshot = IdentitySnapshot.capture()
        tell = { problem in snapshot.restore { onProblem(problem) } }
        let reading = try PolicyFileReading(path: path)
        feed = PolicyFeed(try Self.policies(of: reading, path))
        state = Locked(State(fingerprint: reading.fingerprint))
        let watch = PolicyFileWatch(path: path, watching) { [weak self] in self?.look() }
        self.watch.withLock { $0 = watch }
    }

    deinit { watch.withLock { $0?.cancel() } }

    /// The policies in force now: those of the file when last it was in order.
    public var current: PolicySet { feed.current }

    /// What is wrong with the file as it was read last; `nil` where that is in force.
    public var problem: PolicyFileError? { state.withLock { $0.problem } }

    /// Calls `changed` once after each change from now on, under the identity that is bound here.
    public func subscribe(
        _ changed: @escaping @Sendable (_ before: PolicySet, _ now: PolicySet) -> Void
    ) -> PolicySubscription {
        feed.subscribe(changed)
    }

    /// Reads the file now.
    ///
    /// What it says is in force when this returns, or what a later reading found.
    ///
    /// - Throws: ``PolicyFileError`` where the file cannot be put into force; what was in force stays so.
    public func reload() throws(PolicyFileError) {
        if let problem = load() { throw problem }
    }

    /// Reads the file if it is in another state than the one that counts.
    func look() {
        let fingerprint = FileFingerprint(path: path)
        let (isToBeRead, known) = state.withLock { state in
            (fingerprint != state.fingerprint || state.isToBeTriedAgain, state.isToBeTriedAgain ? state.problem : nil)
        }
        if isToBeRead, let problem = load(), problem != known { tell(problem) }
    }

    /// Reads the file and puts it into force, unless a reading that was begun later has come first.
    private func load() -> PolicyFileError? {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        var fingerprint = FileFingerprint(path: path)
        let result: Result<PolicySet, PolicyFileError>
        do throws(PolicyFileError) {
            let reading = try PolicyFileReading(path: path)
            fingerprint = reading.fingerprint
            result = .success(try Self.policies(of: reading, path))
        } catch {
            result = .failure(error)
        }
        let tells = state.withLock { state in
            guard number > state.counted else { return false }
            state.counted = number
            state.fingerprint = fingerprint
            switch result {
            case .success(let policies):
                state.problem = nil
                state.isToBeTriedAgain = false
                // Under the lock, so that what is in force is what counted last; told outside it.
                return feed.put(policies)
            case .failure(let problem):
                state.problem = problem
                state.isToBeTriedAgain = problem.code == .unreadable || problem.code == .missing
                return false
            }
        }
        if tells { feed.tellAll() }
        if case .failure(let problem) = result { return problem }
        return nil
    }

    private static func policies(of reading: PolicyFileReading, _ path: String) throws(PolicyFileError) -> PolicySet {
        do {
            return try PolicySet(json: reading.bytes)
        } catch {
            throw PolicyFileError(error, path: path)
        }
    }
}
