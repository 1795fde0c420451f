/// A closure for a C function that takes a callback and a context pointer, which runs as the identity that made it.
///
/// The context is a reference to the closure. What calls back says how long it lives:
///
/// ```swift
/// // Called back once: the call takes the reference back.
/// let once = IdentityCallback { (_: Void) in reply(to: request) }
/// call_back_later(once.retainedContext()) { IdentityCallback<Void, Void>.callOnce($0) }
///
/// // Called back while the C function runs, or as often as it likes, until it is stopped:
/// let listener = IdentityCallback { (event: Int32) in handle(event) }
/// let context = listener.retainedContext()
/// add_listener({ event, context in IdentityCallback.call(context, event) as Void }, context)
/// // … and where the listener was removed for good:
/// IdentityCallback<Int32, Void>.release(context)
/// ```
///
/// Every ``retainedContext()`` needs exactly one ``callOnce(_:_:)`` or ``release(_:)``; without, what the closure captured
/// stays forever.
public final class IdentityCallback<Argument, Value>: Sendable {
    private let work: @Sendable (Argument) -> Value
    private let captured: BoundaryCapture

    /// Captured when created: a callback that runs `work` as the identity bound here, on whatever thread and however
    /// often it is called.
    ///
    /// - Parameters:
    ///   - work: The work. Several arguments of the C function come as one tuple, and none as `Void`.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public init(
        _ work: @escaping @Sendable (Argument) -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.work = work
        captured = BoundaryCapture(at: .cCallback, fileID, line)
    }

    /// A context for the C function, which keeps this callback until ``callOnce(_:_:)`` or ``release(_:)`` gets it.
    public func retainedContext() -> UnsafeMutableRawPointer { Borrowed(retaining: self).address }

    /// Runs the callback that a context stands for, which stays as it is.
    ///
    /// - Parameters:
    ///   - context: What ``retainedContext()`` gave, and the C function gives back.
    ///   - argument: What the C function says.
    /// - Returns: What the callback's work returns.
    public static func call(_ context: UnsafeMutableRawPointer?, _ argument: Argument) -> Value {
        let callback = reference(to: context).object
        return callback.run(argument)
    }

    /// Runs the callback that a context stands for, and releases it: the context is no longer one.
    ///
    /// - Parameters:
    ///   - context: What ``retainedContext()`` gave, and the C function gives back.
    ///   - argument: What the C function says.
    /// - Returns: What the callback's work returns.
    public static func callOnce(_ context: UnsafeMutableRawPointer?, _ argument: Argument) -> Value {
        let callback = reference(to: context).taken()
        return callback.run(argument)
    }

    /// Releases the callback that a context stands for: the context is no longer one.
    ///
    /// - Parameter context: What ``retainedContext()`` gave.
    public static func release(_ context: UnsafeMutableRawPointer?) { reference(to: context).release() }

    private func run(_ argument: Argument) -> Value { captured.restore { work(argument) } }

    private static func reference(to context: UnsafeMutableRawPointer?) -> Borrowed<IdentityCallback> {
        guard let context else {
            fatalError("A C function called back without the context that it was given: nothing can run.")
        }
        return Borrowed(at: context)
    }
}

extension IdentityCallback where Argument == Void {
    /// Runs the callback that a context stands for, which stays as it is.
    ///
    /// - Parameter context: What ``retainedContext()`` gave, and the C function gives back.
    /// - Returns: What the callback's work returns.
    public static func call(_ context: UnsafeMutableRawPointer?) -> Value { call(context, ()) }

    /// Runs the callback that a context stands for, and releases it: the context is no longer one.
    ///
    /// - Parameter context: What ``retainedContext()`` gave, and the C function gives back.
    /// - Returns: What the callback's work returns.
    public static func callOnce(_ context: UnsafeMutableRawPointer?) -> Value { callOnce(context, ()) }
}
