import MultiIdentity
import MultiIdentityManagement
import SCIMUsers

/// The users that a directory sends by SCIM, who alone may be registered; who leaves there is let go here.
struct DirectoryUsers: Sendable {
    let service: SCIMService

    /// - Parameters:
    ///   - directory: The users.
    ///   - token: The token of the directory that sends them.
    ///   - registry: Lets go who left.
    init(_ directory: UserDirectory, token: String, registry: AccountRegistry) {
        service = SCIMService(directory: directory, path: "/scim/v2", token: token) { change in
            // Who is there is registered with their first request; who comes back is readmitted by an operator.
            guard case .left(let identity) = change else { return }
            try await registry.letGo(identity, because: "the directory says that it is no more")
        }
    }

    /// Tries again what could not be done, until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(30))
            _ = try? await service.deliver()
        }
    }
}

/// Each active user of the directory has a work account.
struct UsersOfDirectory: AccountClassifier {
    let directory: UserDirectory

    /// Returns whether they are; where the directory cannot be asked, nobody new is.
    func isWorkAccount(_ identity: Identity) -> Bool { (try? directory.isActive(identity)) ?? false }
}
