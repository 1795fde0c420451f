import Foundation
import HopCosting
import MultiIdentityInterposition

// The same program, linked with automatic mode; what it would count without it is somebody else's price.
do {
    try IdentityInterposition.required()
} catch {
    FileHandle.standardError.write(Data("hop-cost-automatic: \(error)\n".utf8))
    exit(78)
}
HopCosting.main()
