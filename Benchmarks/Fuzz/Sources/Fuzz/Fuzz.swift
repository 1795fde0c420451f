import Foundation

// `main` is libFuzzer's, and calls the two functions here: `Fuzz TARGET [libFuzzer's own arguments]`.

/// `argv`, which libFuzzer passes to be changed.
public typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Removes the target's name from the arguments before libFuzzer reads them.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>) -> CInt {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")
    guard count.pointee >= 2, let name = arguments.pointee[1], let target = FuzzTarget(rawValue: String(cString: name))
    else {
        print("usage: Fuzz \(names) [libFuzzer's arguments]")
        exit(2)
    }
    FuzzTarget.chosen = target
    arguments.pointee[1] = arguments.pointee[0]
    arguments.pointee += 1
    count.pointee -= 1
    return 0
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func run(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.check(Array(UnsafeBufferPointer(start: start, count: count))) ? 0 : -1
}

/// A target of the fuzzer.
enum FuzzTarget: String, CaseIterable {
    case names, pairs, codable, carriers, protection, owners, policies, management, audit, planted

    // `nonisolated(unsafe)`: set once before the first input, and libFuzzer has one thread.
    nonisolated(unsafe) static var chosen = FuzzTarget.planted

    /// Checks one input; returns `false` if it is not worth keeping.
    func check(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .names: Names.check(bytes)
        case .pairs: Pairs.check(bytes)
        case .codable: CodableIdentities.check(bytes)
        case .carriers: Carriers.check(bytes)
        case .protection: ProtectedData.check(bytes)
        case .owners: Owners.check(bytes)
        case .policies: Policies.check(bytes)
        case .management: Management.check(bytes)
        case .audit: AuditLines.check(bytes)
        case .planted: Planted.check(bytes)
        }
    }
}

/// Ends the program unless the property is true; libFuzzer reports that as a finding and stores the input.
func require(_ property: Bool, _ message: @autoclosure () -> String) {
    if !property { fatalError(message()) }
}
