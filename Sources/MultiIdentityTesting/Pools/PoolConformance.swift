public import MultiIdentity

/// A pool to check for the promises of leases: how to check resources out, and how to ask them for their identity.
///
/// ```swift
/// PoolConformance("my pool") { work in
///     try await theirs.withConnection { connection in
///         try await work(.init(id: connection.id) { try await connection.currentUser() })
///     }
/// }
/// ```
///
/// Give each check its own pool with few resources, preferably one: a promise about the next lessee needs the same resource
/// to come back. What is not declared (``rollingBack(_:)``, ``joining(_:)``, …) is reported as not applicable, with the reason.
public struct PoolConformance: Sendable {
    /// A resource that is checked out.
    public struct Held: Sendable {
        /// The number that distinguishes it from the others; a reopened resource has a new one.
        let id: Int
        let ask: @Sendable () async throws -> Identity?
        var setting: (change: @Sendable () async throws -> Void, isChanged: @Sendable () async throws -> Bool)?

        /// Creates a resource that is checked out.
        ///
        /// - Parameters:
        ///   - id: A number that distinguishes it from the others.
        ///   - ask: Asks the resource, not the program, for its identity; returns `nil` for nobody, whose name is empty.
        public init(id: Int, ask: @escaping @Sendable () async throws -> Identity?) {
            self.id = id
            self.ask = ask
        }

        /// Declares how to change a setting that has to end with the lease, such as a session variable or a temporary table.
        ///
        /// - Parameters:
        ///   - change: Changes the setting on this resource.
        ///   - isChanged: Asks the resource whether the setting is as `change` leaves it.
        /// - Returns: The resource with this declaration.
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

    /// The name in reports.
    let name: String
    let checkOut: @Sendable (@escaping Work) async throws -> Void
    var isWaitedFor = false
    var refusesNobody = false
    var backsOff = false
    var failReset: (@Sendable () -> Void)?
    var dieWhileBinding: (@Sendable () -> Void)?
    var rollBack: (@Sendable () async throws -> Void)?
    var join: (@Sendable (@escaping @Sendable () async -> Identity?) async throws -> Identity?)?
    var batch: (@Sendable (Int) async throws -> Identity?)?
    /// The time that a check waits, on the continuous clock: a minute by default.
    var limit: Duration = .seconds(60)

    /// Creates a pool to check.
    ///
    /// - Parameters:
    ///   - name: A name for reports.
    ///   - checkOut: Checks a resource out for the current identity, calls its argument with it, and checks it in.
    public init(_ name: String, checkOut: @escaping @Sendable (@escaping Work) async throws -> Void) {
        self.name = name
        self.checkOut = checkOut
    }

    /// Declares that the pool has one resource, and that a caller waits for it while it is checked out.
    ///
    /// - Returns: The pool with this declaration.
    public func waitedFor() -> Self { with { $0.isWaitedFor = true } }

    /// Declares that the pool refuses nobody (`Identity.nobody`) by design, so that serving it breaks a promise.
    ///
    /// - Returns: The pool with this declaration.
    public func refusingNobody() -> Self { with { $0.refusesNobody = true } }

    /// Declares that the pool refuses leases for a while after a failure, such as a failed opening.
    ///
    /// The checks try again until they get a resource. Getting none within the limit breaks the promise (``waiting(atMost:)``).
    ///
    /// - Returns: The pool with this declaration.
    public func backingOff() -> Self { with { $0.backsOff = true } }

    /// Declares how to make a reset fail.
    ///
    /// - Parameter failReset: Makes the next check-in fail to reset its resource, which keeps its owner.
    /// - Returns: The pool with this declaration.
    public func failingReset(_ failReset: @escaping @Sendable () -> Void) -> Self { with { $0.failReset = failReset } }

    /// Declares how to make the server die.
    ///
    /// - Parameter die: Makes the next binding fail halfway.
    /// - Returns: The pool with this declaration.
    public func dyingWhileBinding(_ die: @escaping @Sendable () -> Void) -> Self { with { $0.dieWhileBinding = die } }

    /// Declares how a transaction is rolled back.
    ///
    /// - Parameter rollBack: Checks out, begins a transaction, changes a setting in it, rolls back, and checks in.
    /// - Returns: The pool with this declaration.
    public func rollingBack(_ rollBack: @escaping @Sendable () async throws -> Void) -> Self {
        with { $0.rollBack = rollBack }
    }

    /// Declares how a caller joins running work.
    ///
    /// - Parameter join: Asks for the same thing each time: runs its argument, or joins one that runs already.
    /// - Returns: The pool with this declaration.
    public func joining(
        _ join: @escaping @Sendable (@escaping @Sendable () async -> Identity?) async throws -> Identity?
    ) -> Self { with { $0.join = join } }

    /// Declares how work is batched.
    ///
    /// - Parameter batch: Asks for the value of a key in a batch, and returns the identity as which that batch was loaded.
    /// - Returns: The pool with this declaration.
    public func batching(_ batch: @escaping @Sendable (Int) async throws -> Identity?) -> Self {
        with { $0.batch = batch }
    }

    /// Sets how long to wait for a resource before the promise counts as broken.
    ///
    /// - Parameter limit: The longest time to wait, on the continuous clock.
    /// - Returns: The pool with that limit.
    public func waiting(atMost limit: Duration) -> Self { with { $0.limit = limit } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var pool = self
        change(&pool)
        return pool
    }
}

extension PoolConformance.Held {
    /// Calls `note` with the name and the error of each step that fails.
    func noting(_ note: @escaping @Sendable (_ step: String, any Error) -> Void) -> Self {
        @Sendable func run<Value: Sendable>(_ step: String, _ run: () async throws -> Value) async throws -> Value {
            do { return try await run() } catch {
                note(step, error)
                throw error
            }
        }
        let held = Self(id: id) { try await run("`ask`", ask) }
        guard let (change, ask) = setting else { return held }
        return held.setting({ try await run("`setting`", change) }, isChanged: { try await run("`isChanged`", ask) })
    }
}

/// An error of a step that the pool's description takes, with the step's name and the promise.
struct StepError: Error, CustomStringConvertible {
    let description: String
}

extension PoolConformance: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// A promise that a pool broke: which one, where, and what was found.
public struct PoolViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The broken promise.
    public let promise: PoolPromise
    /// The name of the pool.
    package let pool: String
    /// How the resource was leased.
    package let situation: String
    /// The finding that the promise requires.
    package let expected: String
    /// The actual finding.
    package let found: String

    /// The complete violation, as text.
    public var description: String {
        "\"\(pool)\" breaks a promise of a pool: \(promise).\n\(situation): expected \(expected), found \(found)."
    }
}
