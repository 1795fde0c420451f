/// The cryptographic library failed at what cannot fail for sound arguments: it lacks memory, or the algorithm.
struct CryptographyError: Error, Equatable {
    /// The step that failed.
    let step: String
}

extension CryptographyError: CustomStringConvertible {
    var description: String {
        "the cryptographic library failed to \(step): it lacks memory, or its configuration lacks the algorithm"
    }
}
