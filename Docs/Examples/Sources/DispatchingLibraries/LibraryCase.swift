public import MultiIdentity

/// A call of a library that nobody changed, and that has its work done elsewhere.
public struct LibraryCase: Sendable {
    /// The name that people read.
    public let name: String
    /// The reason why automatic mode does not reach it; `nil` where it does.
    public let outOfReach: String?
    /// Has the library run the work, and returns what has to live until then.
    private let start: @Sendable (@escaping @Sendable () -> Void) throws -> Any?

    init(
        _ name: String,
        outOfReach: String? = nil,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) throws -> Any?
    ) {
        self.name = name
        self.outOfReach = outOfReach
        self.start = start
    }

    /// All of them.
    public static let all = grdb + openCombine + nio

    /// Calls the library as an identity.
    ///
    /// - Parameter caller: The identity that is bound around the call, and around nothing else.
    /// - Returns: The identity of the work where the library ran it.
    /// - Throws: What the library throws; ``LibraryError/neverRan(_:)`` where it dropped the work.
    public func identityOfWork(as caller: Identity?) async throws -> Identity? {
        let (identities, found) = AsyncStream<Identity?>.makeStream()
        let kept = try withIdentity(caller) {
            try start {
                found.yield(Identity.current)
                found.finish()
            }
        }
        defer { withExtendedLifetime(kept) {} }
        for await identity in identities { return identity }
        throw LibraryError.neverRan(name)
    }
}

extension LibraryCase: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// An error of a library that did not do its work.
public enum LibraryError: Error, Hashable, Sendable {
    /// It let go of the work of this case without running it.
    case neverRan(String)
}
