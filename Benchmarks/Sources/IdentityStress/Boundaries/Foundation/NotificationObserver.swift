import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// `notificationCenter.propagatingIdentity.addObserver`: a stranger posts, in its scope, what the hop observes.
///
/// The stranger is asked after the post.
struct NotificationObserver: CarriedBoundary {
    let name = "NotificationCenter observer"

    private static let center = NotificationCenter()
    private static let posted = Notification.Name("identity-stress")

    /// The object of a notification: one for each hop, so that each is observed by its own.
    private final class Subject: Sendable {}

    /// `@unchecked Sendable`: a token is given back to its centre and nothing else, which takes it from any thread.
    private struct Registration: @unchecked Sendable {
        let token: any NSObjectProtocol
    }

    func handOver(_ hop: Hop, _ way: Way) {
        let subject = Subject()
        let registration = Self.observe(subject, way) { hop.run() }
        hop.request.enter()
        hop.lane.given.async {
            withIdentity(hop.stranger) {
                Self.center.post(name: Self.posted, object: subject)
                hop.checkStrangersWorker()
            }
            Self.center.removeObserver(registration.token)
            hop.request.leave()
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        let subject = Subject()
        let registration = Self.observe(subject, way, work)
        block.each { Self.center.post(name: Self.posted, object: subject) }
        Self.center.removeObserver(registration.token)
    }

    private static func observe(
        _ subject: Subject,
        _ way: Way,
        _ work: @escaping @Sendable () -> Void
    ) -> Registration {
        switch way {
        case .carried:
            Registration(
                token: center.propagatingIdentity.addObserver(forName: posted, object: subject, queue: nil) { _ in
                    work()
                }
            )
        case .raw:
            Registration(token: center.addObserver(forName: posted, object: subject, queue: nil) { _ in work() })
        }
    }
}
