/// A limit on how far work may get from the scope that bound its identity: `HopBudget` of MultiIdentityDiagnostics.
package struct HopLimit: Sendable {
    package let hops: Int?
    package let age: Duration?
    /// True if work beyond it runs as nobody.
    package let endsIdentity: Bool

    package init(hops: Int?, age: Duration?, endsIdentity: Bool) {
        (self.hops, self.age, self.endsIdentity) = (hops, age, endsIdentity)
    }

    /// Returns the exceeded limit, in words; `nil` if none is exceeded.
    func exceeded(by journey: Journey) -> String? {
        if let hops, journey.count > hops { return "has taken \(journey.count) hops, over its budget of \(hops)" }
        let age = journey.began.age
        if let limit = self.age, age > limit {
            return "is \(age.formattedSeconds) old, over its budget of \(limit.formattedSeconds)"
        }
        return nil
    }
}
