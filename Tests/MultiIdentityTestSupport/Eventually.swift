package import Testing

/// Waits until a condition holds that other code brings about, and gives up after two minutes.
///
/// It sleeps between two checks: the other code needs the processors.
package func eventually(_ location: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool) async rethrows {
    let end = ContinuousClock.now + .seconds(120)
    while try !holds() {
        if ContinuousClock.now > end {
            Issue.record("It does not come to be.", sourceLocation: location)
            return
        }
        try? await Task.sleep(for: .milliseconds(1))
    }
}
