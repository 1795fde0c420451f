import Dispatch
import MultiIdentity

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Lets one thread at a time do something; what it does meanwhile belongs to its turn.
final class Turns: Sendable {
    private let free = DispatchSemaphore(value: 1)
    private let owner = Locked<pthread_t?>(nil)

    func take<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let own = pthread_self()
        // Nobody else sets this thread's own id, so that nothing can change between this look and the wait.
        if owner.withLock({ $0.map { pthread_equal($0, own) != 0 } ?? false }) { return try body() }
        free.wait()
        owner.withLock { $0 = own }
        defer {
            owner.withLock { $0 = nil }
            free.signal()
        }
        return try body()
    }
}
