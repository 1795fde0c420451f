public import MultiIdentity

/// The managed identities of a process, and the policy of each.
///
/// The policies come from a source. In multi-identity mode, the identities that the source names are managed, and so
/// are enrolled ones. In the other two modes, only the enrolled user is managed. Accounts in a registry are managed in
/// every mode; until they are enrolled, their policy is ``Policy/nothing``. Everyone else, nobody and work without an
/// identity are unmanaged: no policy applies to them.
///
/// ```swift
/// let accounts = Accounts(mode: .multi, policies: try PolicyFile("/etc/tenants/policies.json"))
/// accounts.isManaged(ada)
/// accounts.decide(.save(to: .localStorage), for: ada).isAllowed
/// ```
///
/// The source is asked for every decision. Enrolments are kept in memory: a program enrolls its users again when it
/// starts.
public final class Accounts: ManagedIdentities, Sendable {
    let state: AccountsState
    private let uiGuard: UIGuard
    private let policyChanges: Subscription

    /// Creates the accounts of a process; in the modes with several users, unsets the process and UI levels.
    ///
    /// The thread level stays as it is: only scopes bind it, and it is unset outside of them. While these accounts
    /// exist, their policies apply to the levels. Only a switch can set the UI level to a managed identity
    /// (``IdentitySwitcher``), and a revoked identity is removed from every level.
    ///
    /// - Parameters:
    ///   - mode: How many users the process has.
    ///   - policies: The source of the policies.
    ///   - withoutOwner: The rule for work that needs an owner and has none.
    ///   - levels: The identity levels; by default those in force here.
    ///   - audit: The receiver of audit events.
    public init(
        mode: AccountsMode,
        policies: any PolicySource,
        withoutOwner: UnownedWork = .allowed,
        levels: IdentityLevels = .current,
        audit: (any AuditSink)? = nil
    ) {
        let state = AccountsState(mode, withoutOwner, policies, levels, audit)
        self.state = state
        uiGuard = UIGuard(of: .accounts) { state.view.isManaged($0) }
        policyChanges = policies.subscribe { _, _ in
            state.announce(.policiesReplaced)
            state.notify()
        }
        if mode != .single {
            levels.process = nil
            levels.ui = nil
        }
        levels.installUIGuard(uiGuard)
        IdentityRevocation.watch(state)
    }

    deinit {
        IdentityRevocation.unwatch(state)
        levels.removeUIGuard(uiGuard)
    }

    /// The number of users that the process has.
    public var mode: AccountsMode { state.mode }

    /// The rule for work that needs an owner and has none.
    package var withoutOwner: UnownedWork { state.withoutOwner }

    /// The levels that these accounts apply to: enrolment and switches set them.
    package var levels: IdentityLevels { state.levels }

    /// The receiver of audit events.
    public var audit: (any AuditSink)? { state.audit }

    var source: any PolicySource { state.source }

    /// The current state.
    var view: AccountsView { state.view }

    /// Calls `changed` once for each change from now on that a decision can depend on, in order, under the identity bound
    /// here.
    ///
    /// The change is already in force. The call comes on the thread that made the change, or on a thread that is
    /// delivering another change.
    ///
    /// - Parameter changed: Called until the subscription is cancelled or dropped.
    /// - Returns: The subscription; keep it.
    public func onChange(_ changed: @escaping @Sendable (AccountsChange) -> Void) -> Subscription {
        state.announcements.subscribe(changed)
    }

    /// Returns whether an identity is managed now.
    ///
    /// It is `false` for nobody, and for an identity that was signed out or wiped and not readmitted. An alias of an
    /// account is managed, and nothing is allowed under it.
    ///
    /// - Complexity: O(1).
    public func isManaged(_ identity: Identity) -> Bool {
        // As in `AccountsView`, but without creating a view for enrolled identities, which are asked about often.
        !IdentityRevocation.isRevoked(identity) && state.isEnrolled(identity) || view.isManaged(identity)
    }

    /// Returns the policy of an identity; `nil` without an identity, for nobody and for unmanaged identities.
    ///
    /// A managed identity that may not be used has the policy ``Policy/nothing``: the source no longer has a policy for
    /// it, it is not among the allowed accounts, or a registry has it and it is not enrolled.
    ///
    /// - Parameter identity: The identity.
    /// - Returns: The policy.
    /// - Complexity: O(1).
    public func policy(of identity: Identity?) -> Policy? { view.policy(of: identity) }

    /// The identities that are enrolled now.
    public var enrolledIdentities: Set<Identity> { state.enrolledIdentities }

    /// Makes a user managed; in single-identity mode, sets the process level to that user.
    ///
    /// Enrolling a user again changes nothing.
    ///
    /// - Parameter identity: The user.
    /// - Throws: ``PolicyError`` if the identity is nobody, is revoked, is not among the allowed accounts or has no
    ///   policy; outside multi-identity mode, also if another user is enrolled.
    public func enroll(_ identity: Identity) throws(PolicyError) {
        try admit(identity)
        switch state.enroll(identity) {
        case .enrolled: break
        case .revoked: throw Self.revoked(identity)
        case .another(let other): throw another(identity, other)
        }
    }

    /// Unenrolls a user; in single-identity mode, restores the process level.
    ///
    /// The level stays as it is if it has been set since. If its earlier identity has been revoked since, it is set to
    /// nobody. In multi-identity mode, a user that the source names stays managed. Signing a user out unenrolls that
    /// user; so does a complete wipe.
    ///
    /// - Parameter identity: The user.
    /// - Throws: ``PolicyError`` if the identity is not enrolled.
    public func unenroll(_ identity: Identity) throws(PolicyError) {
        guard !state.unenroll(identity) else { return }
        throw PolicyError(
            .notEnrolled,
            of: identity,
            "\(identity) cannot be unenrolled, since it is not enrolled. See enrolledIdentities."
        )
    }

    private static func revoked(_ identity: Identity) -> PolicyError {
        let owner = RevokedOwner(of: identity)
        return PolicyError(
            .revoked,
            of: identity,
            "\(identity) cannot be enrolled, since it \(owner.why); \(owner.remedy)."
        )
    }

    /// Returns why an account of a registry cannot be enrolled now; `nil` if it can, even if its name is becoming an alias.
    ///
    /// `hasPolicy`: Whether a policy for it comes into force before.
    package func refusal(of identity: Identity, hasPolicy: Bool) -> PolicyError? {
        do { try admit(identity, IdentityRevocation.isRevokedItself, hasPolicy: hasPolicy) } catch { return error }
        guard mode.managesOne, let other = enrolledIdentities.first, other != identity else { return nil }
        return another(identity, other)
    }

    private func another(_ identity: Identity, _ other: Identity) -> PolicyError {
        PolicyError(
            .anotherIsEnrolled,
            of: identity,
            """
            \(identity) cannot be enrolled, since \(other) is and one user is managed at a time (the mode \(mode)). \
            Unenroll \(other) first, or use multi-identity mode.
            """
        )
    }

    private func admit(
        _ identity: Identity,
        _ isRevoked: (Identity) -> Bool = IdentityRevocation.isRevoked,
        hasPolicy: Bool = false
    ) throws(PolicyError) {
        if identity.isNobody {
            throw PolicyError(
                .nobody,
                of: identity,
                "Nobody is not an account and cannot be enrolled. Enroll a named identity."
            )
        }
        if isRevoked(identity) { throw Self.revoked(identity) }
        let policies = source.current
        if let allowed = policies.allowedAccounts, !policies.allows(identity) {
            throw PolicyError(
                .notAllowed,
                of: identity,
                """
                \(identity) cannot be enrolled, since it is not on the list of allowed accounts, which has \
                \(allowed.count). Add it there.
                """
            )
        }
        if !hasPolicy, policies.policy(of: identity) == nil {
            throw PolicyError(
                .noPolicy,
                of: identity,
                """
                \(identity) cannot be enrolled, since the source of policies has neither one for it nor a default. Add \
                either.
                """
            )
        }
    }
}
