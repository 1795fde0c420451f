extension Incident {
    static let cached: [Incident] = []
}
