import Foundation
import MultiIdentity
import MultiIdentityNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExaminedBoundary {
    /// Completion handlers of a URL session, for a request that Foundation answers by itself.
    static let networking: [ExaminedBoundary] = [
        dataTask { session, request, work in
            session.dataTask(with: request) { _, _, _ in work() }
        } carried: { session, request, work in
            session.propagatingIdentity.dataTask(with: request, completionHandler: { _, _, _ in work() })
        }
    ]

    private static func dataTask(
        plain: @escaping @Sendable (URLSession, URLRequest, @escaping @Sendable () -> Void) -> URLSessionDataTask,
        carried: @escaping @Sendable (URLSession, URLRequest, @escaping @Sendable () -> Void) -> URLSessionDataTask
    ) -> ExaminedBoundary {
        func way(
            _ make: @escaping @Sendable (URLSession, URLRequest, @escaping @Sendable () -> Void) -> URLSessionDataTask
        ) -> Way {
            { crossing in
                guard let url = URL(string: "data:,") else { return }
                let session = URLSession(configuration: .ephemeral)
                let held = Held(session)
                crossing.afterwards { held.value.finishTasksAndInvalidate() }
                let task = crossing.at(.created) { make(session, URLRequest(url: url), crossing.work) }
                crossing.at(.resumed) { task.resume() }
            }
        }
        return ExaminedBoundary(
            "session.dataTask, completion handler",
            .networking,
            captured: .created,
            as: "session.propagatingIdentity.dataTask",
            plain: way(plain),
            carried: way(carried)
        ).dear
    }
}
