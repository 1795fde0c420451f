public import MultiIdentity

extension IdentityCompanions {
    /// Indicates whether captures are recorded from now on, for ``outliving``; `false` by default, since recording takes time and memory.
    public static var recordsCaptures: Bool {
        get { CompanionRecord.isOn }
        set { CompanionRecord.isOn = newValue }
    }

    /// For each companion, the number of recorded captures that retain it after their scope has ended, by its value's type or its
    /// name.
    ///
    /// It includes pending work. If a number only grows, there is a leak: something that the companion owns retains it.
    public static var outliving: [String: Int] { CompanionRecord.outliving }
}
