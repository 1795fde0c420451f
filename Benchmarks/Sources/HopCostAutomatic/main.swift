import Foundation
import HopCosting
import MultiIdentityAutomaticMode

// The same program, linked with automatic mode; counts without automatic mode belong to the other programs.
do {
    try AutomaticMode.required()
} catch {
    FileHandle.standardError.write(Data("hop-cost-automatic: \(error)\n".utf8))
    exit(78)
}
HopCosting.main()
