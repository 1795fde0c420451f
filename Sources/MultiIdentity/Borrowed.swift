/// A reference that is not counted, or that was counted by hand.
///
/// A count costs some 40 instructions, and there would be five more in a hop. It is sound where something else keeps the object
/// for as long as this is used: the frame that is bound keeps the work it is bound for, a hop's frame its origin, a scope or a
/// box the frame, and libdispatch what it is given until it has called back. Each holder says which.
@usableFromInline
struct Borrowed<Object: AnyObject> {
    @usableFromInline let reference: Unmanaged<Object>

    @inlinable @inline(__always)
    init(_ object: Object) { reference = .passUnretained(object) }

    /// Counts one reference more, for ``taken()`` or ``release()``.
    init(retaining object: Object) { reference = .passRetained(object) }

    /// The object at an address that ``address`` gave.
    init(at address: UnsafeRawPointer) { reference = .fromOpaque(address) }

    @inline(__always)
    func read<Value>(_ body: (Object) -> Value) -> Value { reference._withUnsafeGuaranteedRef(body) }

    @inlinable var object: Object { reference.takeUnretainedValue() }
    @inlinable var address: UnsafeMutableRawPointer { reference.toOpaque() }

    /// The object, with the reference that was counted for it.
    func taken() -> Object { reference.takeRetainedValue() }

    func release() { reference.release() }

    /// The object as what it is known to be.
    @inline(__always)
    func `as`<Subclass: AnyObject>(_ type: Subclass.Type) -> Subclass { unsafeDowncast(object, to: type) }
}

extension Borrowed: Sendable where Object: Sendable {}
