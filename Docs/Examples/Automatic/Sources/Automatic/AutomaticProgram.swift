import Foundation
import MultiIdentityInterposition
import ThirdParties

/// The same program; the product that it is linked with makes the difference.
@main enum AutomaticProgram {
    static func main() async throws { exit(try await ThirdPartyReport.run()) }
}
