public import MultiIdentity

/// The managed identities of a process, and the policy of each.
///
/// The policies come from a source. In multi-identity mode the identities that the source names are managed, and so are
/// those that are enrolled; in the two other modes only the one user who is enrolled. Whoever a registry has is managed in
/// each mode, and under ``Policy/nothing`` until it is enrolled. None, nobody and everybody else are unmanaged: no policy
/// applies to them.
///
/// ```swift
/// let accounts = Accounts(mode: .multi, policies: try PolicyFile("/etc/tenants/policies.json"))
/// accounts.isManaged(ada)
/// accounts.decide(.save(to: .localStorage), for: ada).isAllowed
/// ```
///
/// What the source holds is asked anew each time. Who is enrolled is kept in memory: a program enrolls its users anew
/// when it starts.
public final class Accounts: ManagedIdentities, Sendable {
    let state: AccountsState
    private let uiGuard: UIGuard
    private let policyChanges: PolicySubscription

    /// The accounts of a process; in modes of several users, sets the process and UI levels to unset.
    ///
    /// The thread level is not touched: it is bound by scopes alone, and unset outside them. As long as these accounts
    /// live, their policies are in force on the levels: the UI level gets a managed identity by a switch only
    /// (``IdentitySwitcher``), and an identity that is revoked is on no level any more.
    ///
    /// - Parameters:
    ///   - mode: How many users the process has.
    ///   - policies: Where the policies come from.
    ///   - withoutOwner: What becomes of work that needs an owner and has none.
    ///   - levels: The levels that are meant: those in force here, unless a program has others.
    ///   - audit: The receiver of what an auditor asks about.
    public init(
        mode: AccountsMode,
        policies: any PolicySource,
        withoutOwner: WorkWithoutOwner = .open,
        levels: IdentityLevels = .current,
        audit: (any AuditSink)? = nil
    ) {
        let state = AccountsState(mode, withoutOwner, policies, levels, audit)
        self.state = state
        uiGuard = UIGuard(of: .accounts) { state.view.isManaged($0) }
        policyChanges = policies.subscribe { _, _ in
            state.announce(.policiesReplaced)
            state.tell()
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
    public var withoutOwner: WorkWithoutOwner { state.withoutOwner }

    /// The levels on which these accounts are: where enrolled users go, and what a switcher of these accounts switches.
    public var levels: IdentityLevels { state.levels }

    /// The receiver of what an auditor asks about.
    public var audit: (any AuditSink)? { state.audit }

    var source: any PolicySource { state.source }

    /// All that is known now.
    var view: AccountsView { state.view }

    /// Calls `changed` once for each change that a decision can depend on, from now on, in order, under the identity
    /// that is bound here; the change is in force already.
    ///
    /// It is called on the thread that brought the change about, or on that of another change that is being delivered.
    ///
    /// - Parameter changed: Called until the subscription is cancelled or dropped.
    /// - Returns: What keeps it subscribed.
    public func onChange(_ changed: @escaping @Sendable (AccountsChange) -> Void) -> PolicySubscription {
        state.announcements.subscribe(changed)
    }

    /// Returns whether an identity is managed now; never nobody, nor one signed out or wiped and not readmitted.
    ///
    /// Another name of an account is, and nothing is allowed under it.
    ///
    /// - Complexity: O(1).
    public func isManaged(_ identity: Identity) -> Bool {
        // As `AccountsView` has it, without a view of all that is known: who is enrolled is asked for often.
        !IdentityRevocation.isRevoked(identity) && state.isEnrolled(identity) || view.isManaged(identity)
    }

    /// The policy of an identity; `nil` for none, for nobody, and for one that is not managed.
    ///
    /// An identity is under ``Policy/nothing`` that is managed and has none that it may be used under: the source no longer has
    /// one, it is not among the allowed accounts, or a registry has it and it is not enrolled.
    ///
    /// - Parameter identity: The identity.
    /// - Returns: The policy.
    /// - Complexity: O(1).
    public func policy(of identity: Identity?) -> Policy? { view.policy(of: identity) }

    /// The identities that are enrolled now.
    public var enrolledIdentities: Set<Identity> { state.enrolledIdentities }

    /// Makes a user managed; in single-identity mode, the process level holds that user from then on.
    ///
    /// Enrolling someone again changes nothing.
    ///
    /// - Parameter identity: The user.
    /// - Throws: ``PolicyError`` where the identity is nobody, revoked, not among the allowed accounts or without a
    ///   policy, and where somebody else is enrolled, unless the mode is multi-identity.
    public func enroll(_ identity: Identity) throws(PolicyError) {
        try admit(identity)
        switch state.enroll(identity) {
        case .enrolled: break
        case .revoked: throw Self.revoked(identity)
        case .another(let other): throw another(identity, other)
        }
    }

    /// Lets a user leave; in single-identity mode, the process level is again what it was before.
    ///
    /// The level is left alone where somebody has set it since; where its identity before was revoked meanwhile, it is
    /// set to nobody. In multi-identity mode a user whom the source names stays managed. A user who is signed out
    /// leaves by that, and one who is wiped leaves once the wipe is complete.
    ///
    /// - Parameter identity: The user.
    /// - Throws: ``PolicyError`` where the identity is not enrolled.
    public func unenroll(_ identity: Identity) throws(PolicyError) {
        guard !state.unenroll(identity) else { return }
        throw PolicyError(
            .notEnrolled,
            of: identity,
            "\(identity) cannot leave, since it is not enrolled. Ask enrolledIdentities who is."
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

    /// Says why an account of a registry cannot be enrolled now; `nil` where it can, though its name is being added to another one.
    ///
    /// `hasPolicy`: a policy for it is put into force before.
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
            Let \(other) leave first, or use multi-identity mode.
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
                "Nobody is no account and cannot be enrolled. Enroll a named identity."
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
