/// A reference that is not counted, or that is counted by hand.
///
/// A reference count costs some 40 instructions, and a hop would need five more. Skipping it is safe if something else
/// keeps the object alive while this is used: the bound frame retains the work it is bound for, a hop's frame its
/// origin, a scope or a box the frame, and libdispatch its argument until it has called back. Each owner says which.
@usableFromInline
struct Borrowed<Object: AnyObject> {
    @usableFromInline let reference: Unmanaged<Object>

    @inlinable @inline(__always)
    init(_ object: Object) { reference = .passUnretained(object) }

    /// Retains the object, for ``taken()`` or ``release()``.
    init(retaining object: Object) { reference = .passRetained(object) }

    /// Makes a reference to the object at an address from ``address``.
    init(at address: UnsafeRawPointer) { reference = .fromOpaque(address) }

    @inline(__always)
    func read<Value>(_ body: (Object) -> Value) -> Value { reference._withUnsafeGuaranteedRef(body) }

    @inlinable var object: Object { reference.takeUnretainedValue() }
    @inlinable var address: UnsafeMutableRawPointer { reference.toOpaque() }

    /// Returns the object, and consumes its reference.
    func taken() -> Object { reference.takeRetainedValue() }

    func release() { reference.release() }

    /// Returns the object as the type that it is known to have.
    @inline(__always)
    func `as`<Subclass: AnyObject>(_ type: Subclass.Type) -> Subclass { unsafeDowncast(object, to: type) }
}

extension Borrowed: Sendable where Object: Sendable {}
