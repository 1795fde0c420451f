/// A closure for a C function with a callback and a context pointer; it runs as the identity that created it.
///
/// The context is a reference to the closure. The callback decides how long the closure lives:
///
/// ```swift
/// // Called back once: the call takes the reference back.
/// let once = IdentityCallback { (_: Void) in reply(to: request) }
/// call_back_later(once.retainedContext()) { IdentityCallback<Void, Void>.callOnce($0) }
///
/// // Called back any number of times, until the listener is removed:
/// let listener = IdentityCallback { (event: Int32) in handle(event) }
/// let context = listener.retainedContext()
/// add_listener({ event, context in IdentityCallback.call(context, event) as Void }, context)
/// // … and once the listener is removed:
/// IdentityCallback<Int32, Void>.release(context)
/// ```
///
/// Every ``retainedContext()`` needs exactly one ``callOnce(_:_:)`` or ``release(_:)``. Otherwise the closure and its captures leak.
public final class IdentityCallback<Argument, Value>: Sendable {
    private let work: @Sendable (Argument) -> Value
    private let captured: BoundaryCapture

    /// Captured when created: runs `work` as the identity bound here, on any thread and at each call.
    ///
    /// - Parameters:
    ///   - work: The work. Pass several arguments of the C function as one tuple, and none as `Void`.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    public init(
        _ work: @escaping @Sendable (Argument) -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.work = work
        captured = BoundaryCapture(at: .cCallback, fileID, line)
    }

    /// Returns a context for the C function; it retains this callback until ``callOnce(_:_:)`` or ``release(_:)`` takes it.
    public func retainedContext() -> UnsafeMutableRawPointer { Borrowed(retaining: self).address }

    /// Runs the callback of a context, and keeps the context valid.
    ///
    /// - Parameters:
    ///   - context: The context from ``retainedContext()``, which the C function passes back.
    ///   - argument: The argument from the C function.
    /// - Returns: The result of the callback's work.
    public static func call(_ context: UnsafeMutableRawPointer?, _ argument: Argument) -> Value {
        let callback = reference(to: context).object
        return callback.run(argument)
    }

    /// Runs the callback of a context, and releases it: the context is invalid afterwards.
    ///
    /// - Parameters:
    ///   - context: The context from ``retainedContext()``, which the C function passes back.
    ///   - argument: The argument from the C function.
    /// - Returns: The result of the callback's work.
    public static func callOnce(_ context: UnsafeMutableRawPointer?, _ argument: Argument) -> Value {
        let callback = reference(to: context).taken()
        return callback.run(argument)
    }

    /// Releases the callback of a context: the context is invalid afterwards.
    ///
    /// - Parameter context: The context from ``retainedContext()``.
    public static func release(_ context: UnsafeMutableRawPointer?) { reference(to: context).release() }

    private func run(_ argument: Argument) -> Value { captured.restore { work(argument) } }

    private static func reference(to context: UnsafeMutableRawPointer?) -> Borrowed<IdentityCallback> {
        guard let context else {
            fatalError("A C function called back without the context from retainedContext(). Have it pass that back.")
        }
        return Borrowed(at: context)
    }
}

extension IdentityCallback where Argument == Void {
    /// Runs the callback of a context, and keeps the context valid.
    ///
    /// - Parameter context: The context from ``retainedContext()``, which the C function passes back.
    /// - Returns: The result of the callback's work.
    public static func call(_ context: UnsafeMutableRawPointer?) -> Value { call(context, ()) }

    /// Runs the callback of a context, and releases it: the context is invalid afterwards.
    ///
    /// - Parameter context: The context from ``retainedContext()``, which the C function passes back.
    /// - Returns: The result of the callback's work.
    public static func callOnce(_ context: UnsafeMutableRawPointer?) -> Value { callOnce(context, ()) }
}
