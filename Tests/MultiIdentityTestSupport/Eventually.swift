package import Testing

/// Waits until something holds that others bring about, and gives up after two minutes.
///
/// It sleeps between two looks: those who bring it about need the processors.
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
