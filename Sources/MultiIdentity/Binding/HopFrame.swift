/// A frame of one hop: it has the way by which work came, and refers to its origin for all else.
///
/// Work that runs once waits in here (``WorkBox``), so that to see its way takes no memory besides.
final class HopFrame: BindingFrame, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; `room` is the box's, which has one owner.

    /// The words of ``room``, as many as a box has.
    typealias Room = (UInt, UInt, UInt, UInt, UInt)

    // Unchecked: it is only ever reached by its address. All of it is trivial, so that nothing here ends what a box left.
    @exclusivity(unchecked) private var storage: Room = (0, 0, 0, 0, 0)

    /// Makes a frame that holds what another one does, and one hop more.
    ///
    /// In two ways, each with a hop of its own, and the way made where it stays: else all of it would be copied.
    @inline(__always)
    static func continuing(_ frame: BindingFrame, by hop: () -> KeptHop) -> HopFrame {
        frame.journey == nil ? HopFrame(from: frame, hop()) : HopFrame(continuing: frame, hop())
    }

    @inline(__always)
    private init(from frame: BindingFrame, _ hop: consuming KeptHop) {
        super.init(
            keeping: .passRetained(frame.origin),
            Journey(since: frame.origin.contents.scope?.began, by: hop),
            depth: 0,
            frame.companionBytes,
            frame.ongoing
        )
    }

    private init(continuing frame: BindingFrame, _ hop: consuming KeptHop) {
        super.init(
            keeping: .passRetained(frame.origin),
            Journey(continuing: frame.journey, since: nil, by: hop),
            depth: 0,
            frame.companionBytes,
            frame.ongoing
        )
    }

    /// Memory for a box, as long as this lives: a stored property of a final class stays where its object is.
    @inline(__always)
    var room: UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &storage) { UnsafeMutableRawPointer($0) } }
}
