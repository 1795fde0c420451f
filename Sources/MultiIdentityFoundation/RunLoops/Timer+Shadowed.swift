public import Foundation
@_spi(CarryIdentity) public import MultiIdentity

@_spi(CarryIdentity) extension Timer {
    /// Captured when created: a timer that first fires at `date`, and runs `block` as the identity bound here.
    public convenience init(
        _ mark: ShadowMark,
        fire date: Date,
        interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void
    ) {
        let captured = BoundaryCapture(at: .timer)
        self.init(fire: date, interval: interval, repeats: repeats) { timer in captured.restore { block(timer) } }
    }
}
