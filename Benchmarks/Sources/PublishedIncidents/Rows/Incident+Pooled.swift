extension Incident {
    static let pooled: [Incident] = []
}
