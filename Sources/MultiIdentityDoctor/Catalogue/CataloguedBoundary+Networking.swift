import Foundation
import MultiIdentity
import MultiIdentityNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension CataloguedBoundary {
    /// Completion handlers of a URL session, for a request that Foundation answers by itself.
    static let networking: [CataloguedBoundary] = [
        CataloguedBoundary(
            "session.dataTask, completion handler",
            .networking,
            captured: .created,
            on: .elsewhere,
            as: "session.propagatingIdentity.dataTask",
            .dear
        ) { crossing in
            guard let url = URL(string: "data:,") else { return }
            let (session, request) = (URLSession(configuration: .ephemeral), URLRequest(url: url))
            let held = Held(session)
            crossing.afterwards { held.value.finishTasksAndInvalidate() }
            let work = crossing.work
            let handler: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { _, _, _ in work() }
            let task = crossing.at(.created) {
                crossing.carries
                    ? session.propagatingIdentity.dataTask(with: request, completionHandler: handler)
                    : session.dataTask(with: request, completionHandler: handler)
            }
            crossing.then(.resumed) { task.resume() }
        }.crossedAlone(because: "a session for each crossing").taking(
            #"URLSession\.(data|download|upload)Task\(.*"#,
            #"URLSession\.(flush|getAllTasks|getTasks\w*|reset)\(.*"#
        )
    ]
}
