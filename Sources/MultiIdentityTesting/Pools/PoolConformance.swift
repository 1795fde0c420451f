public import MultiIdentity

/// A pool that is to keep what leases promise: how to check out, ask who it is, and check in, and what else is known of it.
///
/// ```swift
/// PoolConformance("my pool") { work in
///     try await theirs.withConnection { connection in
///         try await work(.init(id: connection.id) { try await connection.currentUser() })
///     }
/// }
/// ```
///
/// Give each check a pool of its own, of few resources, best of one: a promise about who comes next needs the same resource to come
/// back. What is not said (``rollingBack(_:)``, ``joining(_:)``, …) is reported as not applicable, with the reason.
public struct PoolConformance: Sendable {
    /// A resource that is checked out.
    public struct Held: Sendable {
        /// The number that tells it from the others; a resource that is opened anew has another one.
        public let id: Int
        let ask: @Sendable () async throws -> Identity?
        var setting: (change: @Sendable () async throws -> Void, isChanged: @Sendable () async throws -> Bool)?

        /// A resource that is checked out.
        ///
        /// - Parameters:
        ///   - id: What tells it from the others.
        ///   - ask: Asks the resource, and not the program, who it is; `nil` where it is nobody.
        public init(id: Int, ask: @escaping @Sendable () async throws -> Identity?) {
            self.id = id
            self.ask = ask
        }

        /// Says how to change a setting that has to end with the lease, such as a session variable or a temporary table.
        ///
        /// - Parameters:
        ///   - change: Changes it, on this resource.
        ///   - isChanged: Asks the resource whether it is as `change` leaves it.
        /// - Returns: The resource, with that known.
        public func setting(
            _ change: @escaping @Sendable () async throws -> Void,
            isChanged: @escaping @Sendable () async throws -> Bool
        ) -> Held {
            var held = self
            held.setting = (change, isChanged)
            return held
        }
    }

    /// The work with a resource.
    public typealias Work = @Sendable (Held) async throws -> Void

    /// The name, for people.
    public let name: String
    let checkOut: @Sendable (@escaping Work) async throws -> Void
    var isWaitedFor = false
    var refusesNobody = false
    var backsOff = false
    var failReset: (@Sendable () -> Void)?
    var dieWhileBinding: (@Sendable () -> Void)?
    var rollBack: (@Sendable () async throws -> Void)?
    var join: (@Sendable (@escaping @Sendable () async -> Identity?) async throws -> Identity?)?
    var batch: (@Sendable (Int) async throws -> Identity?)?
    /// The time that a check waits, on the continuous clock: a minute, unless set otherwise.
    var limit: Duration = .seconds(60)

    /// A pool.
    ///
    /// - Parameters:
    ///   - name: What people read.
    ///   - checkOut: Checks a resource out for the current identity, calls its argument with it, and checks it in.
    public init(_ name: String, checkOut: @escaping @Sendable (@escaping Work) async throws -> Void) {
        self.name = name
        self.checkOut = checkOut
    }

    /// Says that the pool has one resource, and who asks while it is out waits for it.
    ///
    /// - Returns: The pool, with that known.
    public func waitedFor() -> Self { with { $0.isWaitedFor = true } }

    /// Says that the pool refuses nobody by design, so that serving nobody breaks a promise.
    ///
    /// - Returns: The pool, with that known.
    public func refusingNobody() -> Self { with { $0.refusesNobody = true } }

    /// Says that the pool refuses leases for a while after a failure, such as a failed opening.
    ///
    /// The checks ask again until they get a resource. Getting none within the limit breaks the promise (``waiting(atMost:)``).
    ///
    /// - Returns: The pool, with that known.
    public func backingOff() -> Self { with { $0.backsOff = true } }

    /// Says how a reset is made to fail.
    ///
    /// - Parameter failReset: Has the next check-in fail to reset its resource, which keeps its owner.
    /// - Returns: The pool, with that known.
    public func failingReset(_ failReset: @escaping @Sendable () -> Void) -> Self { with { $0.failReset = failReset } }

    /// Says how the server is made to die.
    ///
    /// - Parameter die: Has the next binding fail when it is done by half.
    /// - Returns: The pool, with that known.
    public func dyingWhileBinding(_ die: @escaping @Sendable () -> Void) -> Self { with { $0.dieWhileBinding = die } }

    /// Says how a transaction is rolled back.
    ///
    /// - Parameter rollBack: Checks out, begins a transaction, changes a setting in it, rolls back, and checks in.
    /// - Returns: The pool, with that known.
    public func rollingBack(_ rollBack: @escaping @Sendable () async throws -> Void) -> Self {
        with { $0.rollBack = rollBack }
    }

    /// Says how work is joined.
    ///
    /// - Parameter join: Asks for the same thing each time: runs its argument, or joins where that runs already.
    /// - Returns: The pool, with that known.
    public func joining(
        _ join: @escaping @Sendable (@escaping @Sendable () async -> Identity?) async throws -> Identity?
    ) -> Self { with { $0.join = join } }

    /// Says how work is batched.
    ///
    /// - Parameter batch: Asks for the value of a key in a batch: the identity as which that batch was loaded.
    /// - Returns: The pool, with that known.
    public func batching(_ batch: @escaping @Sendable (Int) async throws -> Identity?) -> Self {
        with { $0.batch = batch }
    }

    /// Says how long to wait for a resource before that counts as broken.
    ///
    /// - Parameter limit: The time, on the continuous clock.
    /// - Returns: The pool, with that known.
    public func waiting(atMost limit: Duration) -> Self { with { $0.limit = limit } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var pool = self
        change(&pool)
        return pool
    }
}

extension PoolConformance: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// A promise that a pool broke: which, where, and what was found.
public struct PoolViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The promise.
    public let promise: PoolPromise
    /// The name of the pool.
    public let pool: String
    /// The way in which the resource was leased.
    public let situation: String
    /// The finding that the promise asks for.
    public let expected: String
    /// The finding instead.
    public let found: String

    /// All of it, for people.
    public var description: String {
        "\"\(pool)\" breaks a promise of a pool: \(promise).\n\(situation): expected \(expected), found \(found)."
    }
}
