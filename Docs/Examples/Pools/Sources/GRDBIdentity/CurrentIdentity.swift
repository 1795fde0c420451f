public import GRDB
import MultiIdentity

extension Configuration {
    /// Has SQL ask for the work's identity: `current_identity()` is the caseless name of whom the calling work counts as, and
    /// NULL where that is nobody.
    ///
    /// ```sql
    /// CREATE VIEW my_note AS SELECT * FROM note WHERE owner = current_identity();
    /// ```
    ///
    /// SQLite runs in this process, on the thread of the access, so that nothing has to be put on a connection, and nothing be taken
    /// off: the identity is the scope's, and ends with it. An index on `owner` is used. Owners are stored as `Identity.caselessName`.
    public mutating func addCurrentIdentity() {
        prepareDatabase { db in
            let function = DatabaseFunction("current_identity", argumentCount: 0) { _ in
                guard let identity = EffectiveIdentity.current(for: .files).identity, !identity.isNobody else {
                    return nil
                }
                return identity.caselessName
            }
            db.add(function: function)
        }
    }
}

extension ValueObservation {
    /// Captured when called: fetches as whom the work counts as here, the first time and each time that somebody writes.
    ///
    /// GRDB fetches anew inside the write that it follows, as the writer: an observation that asks for `current_identity()` without
    /// this shows one user another's rows.
    ///
    /// - Parameter fetch: What is observed.
    /// - Returns: The observation.
    public static func trackingAsCurrent<Value: Sendable>(
        _ fetch: @escaping @Sendable (Database) throws -> Value
    ) -> Self where Reducer == ValueReducers.Fetch<Value> {
        let snapshot = IdentitySnapshot.capture()
        return .tracking { db in try snapshot.restore { try fetch(db) } }
    }
}
