import CMultiIdentity

/// An event that a boundary counts, by its column; `HopCounters` of MultiIdentityDiagnostics reads the counts.
///
/// Each thread has its own counters, without atomic read-modify-write instructions; reading adds them up.
package enum HopEvent: UInt8 {
    case captured, elided, same, swapped

    static func count(_ event: HopEvent, _ boundary: IdentityBoundary) { mi_count(boundary.index, event.rawValue) }

    package static func total(_ event: HopEvent, _ boundary: IdentityBoundary) -> UInt64 {
        mi_counts_total(boundary.index, event.rawValue)
    }
}
