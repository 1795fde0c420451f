import MultiIdentity
import Observation

extension CataloguedBoundary {
    /// Code that runs when an observed property changes.
    static let observed: [CataloguedBoundary] =
        [
            task("withObservationTracking, onChange", as: "withIdentityObservationTracking") { crossing in
                let (observed, work) = (Observed(), crossing.work)
                crossing.at(.registered) {
                    crossing.carries
                        ? withIdentityObservationTracking(observed.look, onChange: work)
                        : withObservationTracking(observed.look, onChange: work)
                }
                crossing.then(.changed) { observed.change() }
            }.taking(#"withObservationTracking\(_:onChange:\)"#)
        ] + observedWithOptions

    #if compiler(>=6.4)
    private static var observedWithOptions: [CataloguedBoundary] {
        guard #available(macOS 27, iOS 27, tvOS 27, watchOS 27, visionOS 27, *) else { return [] }
        return [
            task("withObservationTracking, with options", as: "withIdentityObservationTracking") { crossing in
                let (observed, work) = (Observed(), crossing.work)
                crossing.at(.registered) {
                    crossing.carries
                        ? withIdentityObservationTracking(options: .willSet, observed.look) { _ in work() }
                        : withObservationTracking(options: .willSet, observed.look) { _ in work() }
                }
                crossing.then(.changed) { observed.change() }
            }.taking(#"withObservationTracking\(options:_:onChange:\)"#),
            task("withContinuousObservation", as: "snapshot.restore { }", on: .elsewhere) { crossing in
                let (observed, work) = (Observed(), crossing.work)
                let token = crossing.at(.registered) {
                    let snapshot = crossing.carries ? IdentitySnapshot.capture() : nil
                    return ContinuousObservation(
                        token: withContinuousObservation(options: .didSet) { event in
                            observed.look()
                            if event.kind == .initial { return }
                            if let snapshot { snapshot.restore(work) } else { work() }
                        }
                    )
                }
                crossing.then(.changed) { observed.change() }
                crossing.afterwards { _ = token }
            }.taking(#"withContinuousObservation\(options:apply:\)"#),
        ]
    }

    @available(macOS 27, iOS 27, tvOS 27, watchOS 27, visionOS 27, *)
    private final class ContinuousObservation: Sendable {
        private let token: ObservationTracking.Token

        init(token: consuming ObservationTracking.Token) { self.token = token }
    }
    #else
    private static let observedWithOptions: [CataloguedBoundary] = []
    #endif
}

/// An object that is observed and changed, one after the other.
private final class Observed: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private var value: Int { 0 }

    func look() { registrar.access(self, keyPath: \.value) }

    func change() { registrar.withMutation(of: self, keyPath: \.value) {} }
}
