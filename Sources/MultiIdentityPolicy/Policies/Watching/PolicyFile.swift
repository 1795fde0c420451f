import MultiIdentity

/// Policies in a JSON file, which is watched and read again as a whole when it changes.
///
/// If the file cannot be read or has any error, the earlier policies stay in force and the problem is reported. Replace
/// the file by renaming another one over it, as editors and configuration maps do. A file that is written in place is
/// read when the writer closes it.
///
/// ```swift
/// let file = try PolicyFile("/etc/tenants/policies.json") { logger.error("\($0)") }
/// let accounts = Accounts(mode: .multi, policies: file)
/// ```
public final class PolicyFile: PolicySource, Sendable {
    /// The maximum size of a policy file in bytes: 8 MiB.
    package static var maximumSize: Int { PolicySet.maximumByteCount }

    /// The file's path as given.
    public let path: String

    private let feed: PolicyFeed
    private let readings = Locked(PolicyReadings())
    private let notify: @Sendable (PolicyError) -> Void
    private let watch = Locked<PolicyFileWatch?>(nil)

    /// Reads a policy file, and watches it from then on.
    ///
    /// - Parameters:
    ///   - path: The file's path; a relative one is resolved against the current working directory at each read.
    ///   - pollInterval: The time between checks for changes that the system does not report: on a network file system,
    ///     in directories further up, and on systems other than Linux. `nil` turns watching off: only ``reload()`` reads
    ///     the file again.
    ///   - onProblem: Called once for each version of the file that cannot be put into force, under the identity bound
    ///     here, on a queue of this package.
    /// - Throws: ``PolicyError`` if the file cannot be put into force now.
    public init(
        _ path: String,
        pollInterval: Duration? = .seconds(5),
        onProblem: @escaping @Sendable (PolicyError) -> Void = { _ in }
    ) throws(PolicyError) {
        self.path = path
        let snapshot = IdentitySnapshot.capture()
        notify = { problem in snapshot.restore { onProblem(problem) } }
        let reading = try PolicyFileReading(path: path)
        feed = PolicyFeed(try Self.policies(of: reading, path))
        readings.withLock { _ = $0.end($0.begin(), reading.fingerprint, nil) }
        guard let pollInterval else { return }
        let watch = PolicyFileWatch(path: path, pollInterval) { [weak self] in self?.look() }
        self.watch.withLock { $0 = watch }
    }

    deinit { watch.withLock { $0?.cancel() } }

    /// The policies in force now: those of the last valid version of the file.
    public var current: PolicySet { feed.current }

    /// The problem with the version of the file that was read last; `nil` if it is in force.
    public var problem: PolicyError? { readings.withLock { $0.problem } }

    /// Calls `changed` once after each change from now on, under the identity bound here.
    public func subscribe(
        _ changed: @escaping @Sendable (_ before: PolicySet, _ now: PolicySet) -> Void
    ) -> Subscription {
        feed.subscribe(changed)
    }

    /// Reads the file now.
    ///
    /// When this returns, the content that it read is in force, or that of a later read.
    ///
    /// - Throws: ``PolicyError`` if the file cannot be put into force; the earlier policies stay.
    public func reload() throws(PolicyError) {
        if let problem = load() { throw problem }
    }

    /// Reads the file if it has changed since the last valid reading.
    package func look() {
        let fingerprint = FileFingerprint(path: path)
        switch readings.withLock({ $0.look(fingerprint) }) {
        case .known: break
        case .read: if let problem = load() { notify(problem) }
        case .tryAgain(let known): if let problem = load(), problem != known { notify(problem) }
        }
    }

    /// Reads the file and puts it into force, unless a later reading has ended first.
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
            // Under the lock, so that the latest reading is in force; subscribers are notified outside it.
            return feed.put(policies)
        }
        if tells { feed.notifyAll() }
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
