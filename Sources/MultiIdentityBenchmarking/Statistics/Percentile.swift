/// A percentile of values in any order, between two neighbours in proportion (the definition that R calls type 7).
///
/// - Parameters:
///   - share: The share of the values that are below, from 0 to 1.
///   - values: At least one.
/// - Returns: The value at that share; not a number where there is none.
func percentile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.indices.last else { return .nan }
    let position = share * Double(last)
    let below = Int(position)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
}
