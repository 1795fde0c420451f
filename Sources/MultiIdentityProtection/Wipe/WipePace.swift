/// The share of the machine that a wipe takes while it goes through files.
public enum WipePace: String, Hashable, Codable, Sendable, CaseIterable {
    /// It works an eighth of the time, or less, and gives way to whatever else wants to run: for a program that serves
    /// others meanwhile.
    case yielding
    /// It goes as fast as it can.
    case unhindered
}
