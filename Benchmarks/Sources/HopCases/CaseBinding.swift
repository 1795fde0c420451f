import MultiIdentity

/// The binding around the calls of a case: only what it carries, since each further binding makes the others more expensive to find.
public enum CaseBinding: Sendable {
    case nothing
    /// Nothing, after an identity was bound before: as in a program that binds elsewhere.
    case nothingAnyMore
    case identity
    case user
    case threadLocal
    /// An identity, and a number of companions in its scope.
    case companions(Int)
    /// The same for task-locals that no one names, while all are carried.
    case allTaskLocals(Int)
    /// The task-locals that handwritten code carries.
    case handwrittenTaskLocals
    /// An identity, after a feature has been turned on.
    case switchedOn(@Sendable () -> Void)

    /// Runs `body` with it bound.
    public func around(_ body: () -> Void) {
        switch self {
        case .nothing: body()
        case .nothingAnyMore:
            withIdentity(Bound.identity) {}
            body()
        case .identity: withIdentity(Bound.identity) { body() }
        case .user: Handwritten.$user.withValue(Bound.user) { body() }
        case .switchedOn(let switchOn):
            switchOn()
            withIdentity(Bound.identity) { body() }
        case .companions(let count):
            let locals = Self.locals(count)
            for local in locals { IdentityCompanions.carry(local) }
            withIdentity(Bound.identity) { Self.bind(locals[...], body) }
        case .allTaskLocals(let count):
            do { try IdentityCompanions.carryAll() } catch { fatalError("\(error)") }
            withIdentity(Bound.identity) { Self.bind(Handwritten.all[..<count], body) }
        case .handwrittenTaskLocals: Self.bind(Handwritten.all[..<4], body)
        case .threadLocal: ThreadLocalUser.with(Bound.user, body)
        }
    }

    private static func locals(_ count: Int) -> [TaskLocal<User?>] {
        (0..<count).map { _ in TaskLocal<User?>(wrappedValue: nil) }
    }

    private static func bind(_ locals: ArraySlice<TaskLocal<User?>>, _ body: () -> Void) {
        guard let first = locals.first else { return body() }
        first.withValue(Bound.user) { bind(locals.dropFirst(), body) }
    }
}

/// Made once, outside the measured code.
enum Bound {
    static let identity = try? Identity("ada@contoso.com")
    static let user = User(name: "ada@contoso.com")
}
