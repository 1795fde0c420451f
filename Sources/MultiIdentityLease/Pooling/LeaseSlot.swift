import Synchronization

/// A resource of a pool, and its current lease.
///
/// It has no type parameter, so that the pool's code is compiled once; the code with the lease knows the resource's type.
@usableFromInline
final class LeaseSlot: Sendable {
    /// A `LeaseContents` of the pool's resource type.
    @usableFromInline let contents: any AnyObject & Sendable
    /// The place in the pool's ledger.
    let index: Int
    private let close: @Sendable () -> Void
    private let interrupt: (@Sendable () -> Void)?
    /// Returns the resource to another library's pool; `nil` in this package's pool.
    let giveBack: (@Sendable () -> Void)?
    /// The number of the lease (upper half; odd while it is open), the state of the lease and of the resource, and the number of uses
    /// beyond the lease's own handle.
    private let word = Atomic<UInt64>(0)
    /// The open transaction and its savepoints; `wasRolledBack` says whether one was rolled back.
    let transactions = Atomic<Int>(0)
    let wasRolledBack = Atomic(false)

    private static let once: UInt64 = 1 << 32
    private static let revoked: UInt64 = 1 << 31
    private static let unusable: UInt64 = 1 << 30
    private static let closing: UInt64 = 1 << 29
    private static let cut: UInt64 = 1 << 28
    private static let retired: UInt64 = 1 << 27
    private static let users: UInt64 = (1 << 27) - 1

    init(_ made: MadeResource, at index: Int) {
        contents = made.contents
        close = made.close
        interrupt = made.interrupt
        giveBack = made.giveBack
        self.index = index
    }

    /// The state of a lease.
    enum Standing: Sendable { case open, revoked, unusable, cut, ended }

    /// Begins a lease of a resource that is not leased.
    ///
    /// Code that revokes an identity and then searches its leases finds this lease. Otherwise this lease, which asks for admission
    /// next, finds the revocation: both sides have a fence.
    func begin() -> UInt32 {
        let lease = UInt32(word.wrappingAdd(Self.once, ordering: .acquiringAndReleasing).newValue >> 32)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return lease
    }

    func standing(of lease: UInt32) -> Standing { Self.standing(of: lease, in: word.load(ordering: .acquiring)) }

    private static func standing(of lease: UInt32, in word: UInt64) -> Standing {
        if UInt32(word >> 32) != lease { return .ended }
        if word & revoked != 0 { return .revoked }
        if word & unusable != 0 { return .unusable }
        return word & cut != 0 ? .cut : .open
    }

    /// Ends a lease, so that it can no longer be used.
    ///
    /// - Returns: The state of the lease, and whether the resource is still in use.
    func end(_ lease: UInt32) -> (standing: Standing, isInUse: Bool) {
        let old = change(lease) { ($0 & (Self.users | Self.closing | Self.retired)) | ((($0 >> 32) + 1) << 32) }
        guard let old else { return (.ended, false) }
        return (Self.standing(of: lease, in: old), old & Self.users != 0)
    }

    func makeUnusable(_ lease: UInt32) { _ = change(lease) { $0 | Self.unusable } }

    /// Marks a lease in which a use was cancelled: its answer may reach the next caller.
    func cutShort(_ lease: UInt32) { _ = change(lease) { $0 | Self.cut } }

    /// Begins a use through a reference; `leave` ends it.
    func enter(_ lease: UInt32) -> Standing {
        var found = Standing.ended
        _ = change(lease) { word in
            found = Self.standing(of: lease, in: word)
            return found == .open ? word + 1 : word
        }
        return found
    }

    /// Ends a use.
    ///
    /// - Returns: Whether this closed the resource, so that its place is free.
    func leave() -> Bool {
        let now = word.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
        guard now & Self.closing != 0, now & Self.users == 0 else { return false }
        close()
        return true
    }

    /// Marks a lease as revoked, and interrupts what runs on the resource.
    ///
    /// It never interrupts another lease, since a marked resource is not leased again.
    ///
    /// - Returns: Whether the lease was open; then `leave` must follow.
    func revoke(_ lease: UInt32) -> Bool { interrupt(lease, marking: Self.revoked) }

    /// Interrupts what runs on the resource in an overdue lease, whose resource is then closed.
    ///
    /// - Returns: Whether the lease was open; then `leave` must follow.
    func interrupt(_ lease: UInt32) -> Bool { interrupt(lease, marking: 0) }

    private func interrupt(_ lease: UInt32, marking mark: UInt64) -> Bool {
        // Counts as a use, so that the resource is not closed during the interruption; the caller then leaves it.
        guard change(lease, { ($0 | mark) + 1 }) != nil else { return false }
        interrupt?()
        return true
    }

    /// Begins a use by the pool, in a lease or outside of one; `leave` ends it.
    func hold() { word.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Interrupts what the pool runs on the resource, which is then closed; `leave` must follow.
    func interruptHeld() {
        hold()
        interrupt?()
    }

    /// Stops the resource from being leased again.
    func retire() { word.bitwiseOr(Self.retired, ordering: .acquiringAndReleasing) }

    var isRetired: Bool { word.load(ordering: .acquiring) & Self.retired != 0 }

    /// The open lease, for a revocation.
    var openLease: UInt32 {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return UInt32(word.load(ordering: .acquiring) >> 32)
    }

    /// Closes the resource once it is no longer in use.
    ///
    /// - Returns: Whether it is already closed, so that its place is free.
    func closeWhenLeft() -> Bool {
        let old = word.bitwiseOr(Self.closing, ordering: .acquiringAndReleasing).oldValue
        guard old & Self.users == 0, old & Self.closing == 0 else { return false }
        close()
        return true
    }

    /// Changes the word while a lease is open; returns `nil` if it is not.
    private func change(_ lease: UInt32, _ change: (UInt64) -> UInt64) -> UInt64? {
        var old = word.load(ordering: .acquiring)
        while UInt32(old >> 32) == lease {
            let (isExchanged, found) = word.compareExchange(
                expected: old,
                desired: change(old),
                ordering: .acquiringAndReleasing
            )
            if isExchanged { return old }
            old = found
        }
        return nil
    }
}

/// A resource behind a reference.
@usableFromInline
final class LeaseContents<Resource: Sendable>: Sendable {
    @usableFromInline let resource: Resource

    @inlinable
    init(_ resource: Resource) { self.resource = resource }
}

extension LeaseSlot {
    /// The resource, by the pool's resource type.
    @inlinable
    func resource<Resource: Sendable>(of type: Resource.Type) -> Resource {
        // Sound: a pool of `Resource` fills its slots only with `LeaseContents<Resource>`, and only its leases call this.
        unsafeDowncast(contents, to: LeaseContents<Resource>.self).resource
    }
}

/// A resource that was just opened or acquired, and the closures that close or return it.
@usableFromInline
struct MadeResource: Sendable {
    let contents: any AnyObject & Sendable
    let close: @Sendable () -> Void
    let interrupt: (@Sendable () -> Void)?
    let giveBack: (@Sendable () -> Void)?

    init<Resource: Sendable>(
        _ resource: Resource,
        close: @escaping @Sendable (Resource) -> Void,
        interrupt: (@Sendable (Resource) -> Void)?,
        giveBack: (@Sendable (Resource) -> Void)? = nil
    ) {
        contents = LeaseContents(resource)
        self.close = { close(resource) }
        self.interrupt = Self.applied(interrupt, to: resource)
        self.giveBack = Self.applied(giveBack, to: resource)
    }

    private static func applied<Resource: Sendable>(
        _ body: (@Sendable (Resource) -> Void)?,
        to resource: Resource
    ) -> (@Sendable () -> Void)? {
        guard let body else { return nil }
        return { body(resource) }
    }
}
