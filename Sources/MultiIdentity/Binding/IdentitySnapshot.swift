/// A capture of the thread level at one place in the program, to be restored at another.
///
/// A snapshot is a value of one word that never changes. It holds a named identity, nobody, or that nothing was bound:
/// unset travels too, and restoring it unsets.
///
/// ```swift
/// let snapshot = IdentitySnapshot.capture()
/// callbackAPI.onEvent = snapshot.wrap { event in handle(event) }  // runs as the captured identity
/// ```
public struct IdentitySnapshot: Sendable {
    /// One word, by spare bits of the references: the mirror holds it whole.
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

    /// The identity of the thread level where the snapshot was taken, or `nil` where it was unset.
    @inlinable
    public var identity: Identity? {
        switch held {
        case .nothing: nil
        case .identity(let identity): identity
        case .frame(let frame): frame.identity
        }
    }

    /// The process and UI levels in force: the shared ones, unless somebody has levels of their own.
    var levels: IdentityLevels {
        if case .frame(let frame) = held, let levels = frame.origin.contents.levels { levels } else { .shared }
    }

    /// The place where the thread level was bound, if that was recorded.
    var site: BindingSite? { frame?.origin.contents.scope?.site }
}
