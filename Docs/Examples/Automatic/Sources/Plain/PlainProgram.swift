import Foundation
import ThirdParties

/// Third-party code as it is: it loses the identity.
@main enum PlainProgram {
    static func main() async throws { exit(try await ThirdPartyReport.run()) }
}
