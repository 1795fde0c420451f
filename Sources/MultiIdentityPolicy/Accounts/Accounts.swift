public import MultiIdentity

/// Which identities are managed, and under which policy each is.
///
/// The policies come from a source. In multi-identity mode whoever the source names is managed, and so is whoever is
/// enrolled; in single-identity mode only the one user who is enrolled. None, nobody and everybody else are unmanaged:
/// no policy applies to them.
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
    private struct Enrolled {
        var identities: Set<Identity> = []
        /// In single-identity mode, what the process level held before.
        var processBefore: Identity?
    }

    /// How many users the process has.
    public let mode: AccountsMode

    /// What becomes of work that needs an owner and has none.
    public let withoutOwner: WorkWithoutOwner

    /// The levels on which these accounts are: where enrolled users go, and what a switcher of these accounts switches.
    public let levels: IdentityLevels

    let source: any PolicySource
    private let enrolled = Locked(Enrolled())

    /// The accounts of a process; in multi-identity mode, sets the process and UI levels to unset.
    ///
    /// The thread level is not touched: it is bound by scopes alone, and unset outside them.
    ///
    /// - Parameters:
    ///   - mode: How many users the process has.
    ///   - policies: Where the policies come from.
    ///   - withoutOwner: What becomes of work that needs an owner and has none.
    ///   - levels: The levels that are meant: those in force here, unless a program has others.
    public init(
        mode: AccountsMode,
        policies: any PolicySource,
        withoutOwner: WorkWithoutOwner = .open,
        levels: IdentityLevels = .current
    ) {
        self.mode = mode
        self.withoutOwner = withoutOwner
        self.source = policies
        self.levels = levels
        if mode == .multi {
            levels.process = nil
            levels.ui = nil
        }
    }

    /// All that is known now.
    var view: AccountsView {
        AccountsView(
            mode: mode,
            withoutOwner: withoutOwner,
            policies: source.current,
            enrolled: enrolled.withLock { $0.identities }
        )
    }

    /// Whether an identity is managed now; nobody never is.
    ///
    /// - Complexity: O(1).
    public func isManaged(_ identity: Identity) -> Bool { view.isManaged(identity) }

    /// The policy of an identity; `nil` for none, for nobody, and for one that is not managed.
    ///
    /// An identity that is enrolled and that the source no longer has a policy for is under ``Policy/nothing``.
    ///
    /// - Parameter identity: Whose policy.
    /// - Returns: The policy.
    /// - Complexity: O(1).
    public func policy(of identity: Identity?) -> Policy? { view.policy(of: identity) }

    /// Who is enrolled now.
    public var enrolledIdentities: Set<Identity> { enrolled.withLock { $0.identities } }

    /// Makes a user managed; in single-identity mode, the process level holds that user from then on.
    ///
    /// Enrolling someone again changes nothing.
    ///
    /// - Parameter identity: Who.
    /// - Throws: ``AccountsError`` where the identity is nobody, revoked, not among the allowed accounts or without a
    ///   policy, and in single-identity mode where somebody else is enrolled.
    public func enroll(_ identity: Identity) throws(AccountsError) {
        try admit(identity)
        let other = enrolled.withLock { enrolled -> Identity? in
            if enrolled.identities.contains(identity) { return nil }
            if mode == .single {
                if let other = enrolled.identities.first { return other }
                // Under the lock, so that enrolling and leaving at once do not leave the level to the wrong one.
                enrolled.processBefore = levels.process
                levels.process = identity
            }
            enrolled.identities.insert(identity)
            return nil
        }
        if let other {
            throw AccountsError(
                .anotherIsEnrolled,
                identity,
                """
                \(identity) cannot be enrolled, since \(other) is and this process has one user (single-identity mode). \
                Let \(other) leave first, or use multi-identity mode.
                """
            )
        }
    }

    /// Lets a user leave; in single-identity mode, the process level holds again what it held before.
    ///
    /// The level is left alone where somebody has set it since; where what it held was revoked meanwhile, it holds nobody.
    /// In multi-identity mode a user whom the source names stays managed.
    ///
    /// - Parameter identity: Who.
    /// - Throws: ``AccountsError`` where the identity is not enrolled.
    public func unenroll(_ identity: Identity) throws(AccountsError) {
        let wasEnrolled = enrolled.withLock { enrolled -> Bool in
            guard enrolled.identities.remove(identity) != nil else { return false }
            if mode == .single {
                let before = enrolled.processBefore
                enrolled.processBefore = nil
                if levels.process == identity {
                    levels.process = before.map { IdentityRevocation.isRevoked($0) ? .nobody : $0 }
                }
            }
            return true
        }
        if !wasEnrolled {
            throw AccountsError(
                .notEnrolled,
                identity,
                "\(identity) cannot leave, since it is not enrolled. Ask enrolledIdentities who is."
            )
        }
    }

    private func admit(_ identity: Identity) throws(AccountsError) {
        if identity.isNobody {
            throw AccountsError(
                .nobody,
                identity,
                "Nobody is no account and cannot be enrolled. Enroll a named identity."
            )
        }
        do {
            try IdentityRevocation.admit(identity)
        } catch {
            throw AccountsError(
                .revoked,
                identity,
                """
                \(identity) cannot be enrolled, since it is revoked: it was signed out, or is being wiped. Enroll it when \
                that is over and it has signed in anew.
                """
            )
        }
        let policies = source.current
        if let allowed = policies.allowedAccounts, !allowed.contains(identity) {
            throw AccountsError(
                .notAllowed,
                identity,
                """
                \(identity) cannot be enrolled, since it is not on the list of allowed accounts, which has \
                \(allowed.count). Add it there.
                """
            )
        }
        if policies.policy(of: identity) == nil {
            throw AccountsError(
                .noPolicy,
                identity,
                """
                \(identity) cannot be enrolled, since the source of policies has neither one for it nor a default. Add \
                either.
                """
            )
        }
    }
}
