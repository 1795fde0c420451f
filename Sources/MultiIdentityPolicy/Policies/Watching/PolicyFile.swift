import MultiIdentity

/// Policies in a file of JSON, which is watched, and read again as a whole when it changes.
///
/// A file that cannot be read, or that has anything wrong in it, leaves the policies in force that were before, and is
/// reported. Replace the file by renaming another to its name, as editors and configuration maps do; one that is
/// written in place is read when the writer closes it.
///
/// ```swift
/// let file = try PolicyFile("/etc/tenants/policies.json") { logger.error("\($0)") }
/// let accounts = Accounts(mode: .multi, policies: file)
/// ```
public final class PolicyFile: PolicySource, Sendable {
    /// The most bytes that a file of policies has: 8 MiB.
    public static var maximumSize: Int { PolicySet.maximumByteCount }

    /// The file's path, as it was given.
    public let path: String

    private let feed: PolicyFeed
    private let readings = Locked(PolicyReadings())
    private let tell: @Sendable (PolicyError) -> Void
    private let watch = Locked<PolicyFileWatch?>(nil)

    /// Reads a file of policies, and watches it from then on.
    ///
    /// - Parameters:
    ///   - path: The file's path; a relative one is taken from the working folder of each moment.
    ///   - pollInterval: The longest time until a change is noticed that the system does not report: on a network's file system, where
    ///     a folder further up was replaced, and on other systems than Linux. `nil` reads it again only by ``reload()``.
    ///   - onProblem: Called once for each state of the file that cannot be put into force, under the identity that is
    ///     bound here, on a queue of this package.
    /// - Throws: ``PolicyError`` where the file cannot be put into force now.
    public init(
        _ path: String,
        pollInterval: Duration? = .seconds(5),
        onProblem: @escaping @Sendable (PolicyError) -> Void = { _ in }
    ) throws(PolicyError) {
        self.path = path
        let snapshot = IdentitySnapshot.capture()
        tell = { problem in snapshot.restore { onProblem(problem) } }
        let reading = try PolicyFileReading(path: path)
        feed = PolicyFeed(try Self.policies(of: reading, path))
        readings.withLock { _ = $0.end($0.begin(), reading.fingerprint, nil) }
        guard let pollInterval else { return }
        let watch = PolicyFileWatch(path: path, pollInterval) { [weak self] in self?.look() }
        self.watch.withLock { $0 = watch }
    }

    deinit { watch.withLock { $0?.cancel() } }

    /// The policies in force now: those of the file when last it was in order.
    public var current: PolicySet { feed.current }

    /// The problem with the file as it was read last; `nil` where that is in force.
    public var problem: PolicyError? { readings.withLock { $0.problem } }

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
    /// - Throws: ``PolicyError`` where the file cannot be put into force; what was in force stays so.
    public func reload() throws(PolicyError) {
        if let problem = load() { throw problem }
    }

    /// Reads the file if it is in another state than the one that counts.
    package func look() {
        let fingerprint = FileFingerprint(path: path)
        switch readings.withLock({ $0.look(fingerprint) }) {
        case .known: break
        case .read: if let problem = load() { tell(problem) }
        case .tryAgain(let known): if let problem = load(), problem != known { tell(problem) }
        }
    }

    /// Reads the file and puts it into force, unless a reading that was begun later has come first.
    private func load() -> PolicyError? {
        let number = readings.withLock { $0.begin() }
        var fingerprint = FileFingerprint(path: path)
        var policies: PolicySet?
        var problem: PolicyError?
        do {
            let reading = try PolicyFileReading(path: path)
            fingerprint = reading.fingerprint
            policies = try Self.policies(of: reading, path)
        } catch { problem = error }
        let tells = readings.withLock { readings in
            guard readings.end(number, fingerprint, problem), let policies else { return false }
            // Under the lock, so that what is in force is what counted last; subscribers are notified outside it.
            return feed.put(policies)
        }
        if tells { feed.tellAll() }
        return problem
    }

    private static func policies(of reading: PolicyFileReading, _ path: String) throws(PolicyError) -> PolicySet {
        do {
            return try PolicySet(text: reading.bytes)
        } catch {
            throw PolicyError(error, path: path)
        }
    }
}
