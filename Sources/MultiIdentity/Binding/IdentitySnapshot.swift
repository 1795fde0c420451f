/// A capture of the thread level at one place in the program, to be restored at another.
///
/// A snapshot is an immutable value of one word. It contains a named identity, nobody, or unset: restoring a snapshot
/// of unset unsets the thread level.
///
/// ```swift
/// let snapshot = IdentitySnapshot.capture()
/// callbackAPI.onEvent = snapshot.wrap { event in handle(event) }  // runs as the captured identity
/// ```
public struct IdentitySnapshot: Sendable {
    /// One word, thanks to spare bits of the references: the mirror stores it whole.
    @usableFromInline
    enum Held: Sendable {
        case nothing
        case identity(Identity)
        case frame(BindingFrame)
    }

    @usableFromInline
    let held: Held

    @inlinable
    init(_ held: Held) {
        self.held = held
    }

    static let nothing = IdentitySnapshot(.nothing)

    /// The identity of the thread level at the capture, or `nil` if it was unset.
    @inlinable
    public var identity: Identity? {
        switch held {
        case .nothing: nil
        case .identity(let identity): identity
        case .frame(let frame): frame.identity
        }
    }

    /// The same identity, for code that asks what is bound here: this is counted as a read.
    @inlinable
    var identityRead: Identity? {
        switch held {
        case .nothing: nil
        case .identity(let identity): identity
        case .frame(let frame): frame.identityRead
        }
    }

    /// The process and UI levels in force: the shared ones, unless custom levels are bound.
    package var levels: IdentityLevels {
        if case .frame(let frame) = held, let levels = frame.origin.contents.levels { levels } else { .shared }
    }

    /// The place where the thread level was bound, if that was recorded.
    package var site: CallSite? { frame?.origin.contents.scope?.site }
}
