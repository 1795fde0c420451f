import Foundation
import MultiIdentity
import MultiIdentityNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExaminedBoundary {
    /// Completion handlers of a URL session, for a request to this machine itself that is refused.
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
                guard let port = ClosedPort(on: crossing), let url = URL(string: "http://127.0.0.1:\(port.number)/")
                else {
                    return
                }
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

/// A port of this machine that is taken and that nobody listens on, so that whoever connects is refused at once.
private struct ClosedPort: Sendable {
    let number: UInt16

    init?(on crossing: Crossing) {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        crossing.afterwards { close(descriptor) }
        guard isBound else {
            crossing.refuse("no port of this machine could be taken")
            return nil
        }
        number = UInt16(bigEndian: address.sin_port)
    }
}
