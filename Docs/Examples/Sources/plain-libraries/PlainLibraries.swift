import DispatchingLibraries
import Foundation

/// Libraries as they are, without automatic mode: exits with 0 if all of them lose the identity.
@main enum PlainLibraries {
    static func main() async throws { exit(try await LibraryReport.run(expecting: .lost).isEmpty ? 0 : 1) }
}
