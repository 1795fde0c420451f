import MultiIdentity
public import MultiIdentityPolicy

/// Policies from a service: fetched as a whole, verified before they are parsed, and stored for when the service does
/// not answer.
///
/// ```swift
/// let policies = try await RemotePolicies(transport, verifying: { isSignature($0.signature, of: $0.bytes) }, store: accountStore)
/// async let following: Void = policies.run()          // until cancelled
/// let accounts = Accounts(mode: .multi, policies: policies)
/// ```
///
/// After a restart, the stored policies are verified again and put into force. If the service has not confirmed them for
/// too long, an event warns of it, and by default nothing is allowed. Without a stored copy, the first start needs an
/// answer.
public final class RemotePolicies: PolicySource, Sendable {
    /// Returns whether a signature is valid; the program decides which signers and algorithms it accepts.
    package typealias Verify = @Sendable (PolicySignature) throws -> Bool

    /// An event about the policies.
    public enum Event: Hashable, Sendable {
        /// New policies are in force.
        case replaced
        /// The policies could not be fetched or put into force; the earlier ones stay.
        case failed(ManagementError)
        /// The service has not confirmed the policies for longer than allowed.
        case tooOld(since: WallInstant?)
        /// The service has confirmed policies that were too old.
        case confirmed
    }

    /// The maximum size of a policy text in bytes: 8 MiB.
    public static var maximumSize: Int { PolicyFile.maximumSize }

    let transport: any PolicyTransport
    let verify: Verify
    let store: any AccountStore
    let name: String
    let options: RemotePoliciesOptions
    let now: @Sendable () -> WallInstant
    let sleep: @Sendable (WallInstant) async throws -> Void
    let feed = PolicyFeed()
    let state = Locked(State())
    private let onEvent: @Sendable (Event) -> Void

    /// A set from the service, with its copy and the time of its confirmation.
    struct Known {
        var copy: PolicyCopy
        let policies: PolicySet
        let issuedAt: Int64?
        /// The confirmation by the time of day.
        var confirmed: WallInstant
        /// The confirmation by a monotonic clock, so that setting the time of day back does not extend it.
        var heard: ContinuousClock.Instant

        func isLater(than other: Known) -> Bool { issuedAt ?? .min > other.issuedAt ?? .min }
    }

    struct State {
        /// The last policies of the service.
        var known: Known?
        var isTooOld = false
        /// The numbers of the last request, and of the last one whose answer is in force.
        var asked = 0
        var answered = 0
    }

    /// Loads the policies from the store; if there are none, from the service.
    ///
    /// - Parameters:
    ///   - transport: The transport to the service.
    ///   - verify: Returns whether a signature is valid.
    ///   - store: The store of the last copy.
    ///   - name: The name of the copy in the store, if several sources share it.
    ///   - options: The settings.
    ///   - clock: The time of day.
    ///   - onEvent: Called for each event, from any thread, possibly concurrently, under the identity bound here.
    /// - Throws: ``ManagementError`` if neither the store nor the service has valid policies.
    public init<Time: Clock>(
        _ transport: any PolicyTransport,
        verifying verify: @escaping @Sendable (PolicySignature) throws -> Bool,
        store: any AccountStore,
        name: String = "policies",
        options: RemotePoliciesOptions = RemotePoliciesOptions(),
        clock: Time = SystemWallClock(),
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(ManagementError) where Time.Instant == WallInstant {
        self.transport = transport
        self.verify = verify
        self.store = store
        self.name = name
        self.options = options
        now = { clock.now }
        sleep = { try await clock.sleep(until: $0, tolerance: nil) }
        let snapshot = IdentitySnapshot.capture()
        self.onEvent = { event in snapshot.restore { onEvent(event) } }
        load()
        checkAge()
        if confirmed != nil { return }
        do { try await refresh() } catch {
            if confirmed == nil { throw error }
            // Only the store failed.
            notify(.failed(error))
        }
    }

    /// The policies in force now.
    public var current: PolicySet { feed.current }

    /// Calls `changed` once after each change from now on, under the identity bound here.
    public func subscribe(
        _ changed: @escaping @Sendable (_ before: PolicySet, _ now: PolicySet) -> Void
    ) -> Subscription { feed.subscribe(changed) }

    /// The time when the service last confirmed the policies.
    public var confirmed: WallInstant? { state.withLock { $0.known?.confirmed } }

    func notify(_ event: Event) { onEvent(event) }

    /// Puts the stored copy into force, if it is valid.
    private func load() {
        do {
            guard let (copy, moment) = try kept() else { return }
            let known = try verified(copy, at: moment)
            state.withLock { $0.known = known }
            feed.publish(known.policies)
        } catch {
            notify(.failed(error))
        }
    }

    private func kept() throws(ManagementError) -> (PolicyCopy, WallInstant)? {
        do {
            return try store.reading { [name] (transaction) throws(ManagementError) in
                guard let copy = try transaction.policyCopy(of: name) else { return nil }
                return (copy, try transaction.time().now)
            }
        } catch { throw ManagementError(.storeFailed, error.message) }
    }

    /// Returns the verified policies of a copy, at a time by the store's clock; a copy from the future counts as too old.
    func verified(_ copy: PolicyCopy, at moment: WallInstant) throws(ManagementError) -> Known {
        let (policies, signature) = try verified(Array(copy.text.utf8), copy.signature)
        let age = copy.confirmed > moment ? .seconds(1e9) : copy.confirmed.duration(to: moment)
        return Known(
            copy: copy,
            policies: policies,
            issuedAt: signature.issuedAt,
            confirmed: now().advanced(by: .zero - age),
            heard: .now - age
        )
    }

    /// Returns the policies of a text, if its signature is valid.
    func verified(
        _ text: [UInt8],
        _ field: String?
    ) throws(ManagementError) -> (PolicySet, PolicySignature) {
        guard text.count <= Self.maximumSize else {
            throw ManagementError(
                .malformed,
                "The policies have \(text.count) bytes, but at most \(Self.maximumSize) are read. Have the service send fewer."
            )
        }
        guard let field else {
            throw ManagementError(
                .unsigned,
                "The policies have no signature. Have the service send \(PolicySignature.fieldName)."
            )
        }
        let signature = try PolicySignature(field, of: text)
        guard (try? verify(signature)) == true else {
            throw ManagementError(
                .wrongSignature,
                "The signature does not match these policies and an accepted key. Check the key, and whether the policies were changed."
            )
        }
        do { return (try PolicySet(text: text), signature) } catch {
            // Without its message, which quotes the text.
            throw ManagementError(
                .malformed,
                "The policies cannot be read: \(error.keyPath.isEmpty ? "" : "\(error.keyPath), ")line \(error.line): \(error.code). Have the service correct them."
            )
        }
    }
}
