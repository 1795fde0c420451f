public import Dispatch

// Calls that do not compile, with a message that says what to write instead: otherwise the compiler only reports that no
// overload matches.

extension IdentityQueue {
    /// Not available.
    @available(*, unavailable, message: "a queue's work cannot await or throw: start a task or catch the error")
    public func async(execute work: @escaping @Sendable () async throws -> Void) {}

    /// Not available.
    @available(*, unavailable, message: "an IdentityQueue is a value: compare by ==")
    public static func === (one: IdentityQueue, other: IdentityQueue) -> Bool { one == other }
}

extension IdentityMainQueue {
    /// Not available.
    @available(*, unavailable, message: "a queue's work cannot await or throw: start a task or catch the error")
    public func async(execute work: @escaping @MainActor @Sendable () async throws -> Void) {}
}

extension IdentityNotifier {
    /// Not available.
    @available(*, unavailable, message: "a queue's work cannot await or throw: start a task or catch the error")
    public func notify(queue: DispatchQueue, execute work: @escaping @Sendable () async throws -> Void) {}
}

// In a protocol's extension: a type cannot have two properties of one name.
extension Hashable where Self == IdentityQueue {
    /// Not available.
    @available(*, unavailable, message: "use DispatchQueue.main.propagatingIdentity, which is an IdentityQueue")
    public static var main: IdentityQueue { DispatchQueue.main.propagatingIdentity }
}
