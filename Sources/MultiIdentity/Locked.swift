public import CMultiIdentity
public import Synchronization

/// State behind one lock.
///
/// A class, so that the lock has an address: `Mutex` on Linux is a futex that the thread sanitizer cannot see, and the two
/// annotations report the order by that address (no effect in other builds). Inlinable, since a generic call from another
/// module looks its metadata up at run time, which costs some 1,000 instructions. `Sendable` state rather than state that is
/// sent in and out: Swift 6.2 treats an `inout sending` value that is passed on as consumed.
@usableFromInline package final class Locked<State: Sendable>: Sendable {
    @usableFromInline package let mutex: Mutex<State>

    @inlinable package init(_ state: State) {
        mutex = Mutex(state)
    }

    @inlinable package func withLock<Value, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Value
    ) throws(Failure) -> sending Value {
        try mutex.withLock(of: self, body)
    }
}

extension Mutex where Value: Sendable & ~Copyable {
    /// Locks a lock that is part of an object; the thread sanitizer knows the lock by the object's address.
    ///
    /// For objects that are numerous: a separate `Locked` takes one allocation more, and looks its metadata up when it is freed.
    @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        of owner: AnyObject,
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try withLock { (state) throws(Failure) -> sending Result in
            // Only an address for the sanitizer: nothing is read or written through it.
            let address = Borrowed(owner).address
            mi_tsan_acquire(address)
            defer { mi_tsan_release(address) }
            return try body(&state)
        }
    }
}
