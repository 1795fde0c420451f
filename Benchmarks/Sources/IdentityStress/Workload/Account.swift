import MultiIdentity

/// One user of the generated workload, whose name has three spellings.
///
/// Each request creates its identity and releases it, as in a server; this puts load on the registry of names as well.
struct Account {
    /// The number of the user, from 0.
    let number: Int

    static let spellingCount = 3

    /// Returns the identity, by the name in spelling 0, 1 or 2: all three are one identity.
    func identity(spelling: Int) -> Identity {
        do { return try Identity(name(spelling: spelling)) } catch { preconditionFailure("\(error)") }
    }

    /// Returns an address, an account ID or a name outside ASCII.
    private func name(spelling: Int) -> String {
        let digits = String(number)
        return switch number % 4 {
        case 0, 1:
            Self.pick(
                spelling,
                "user-\(digits)@contoso.example",
                "USER-\(digits)@CONTOSO.EXAMPLE",
                "User-\(digits)@Contoso.Example"
            )
        case 2: accountID(isUppercase: spelling == 1)
        default:
            // Composed lower case, upper case with ß as two letters, and decomposed. Comparing them needs canonical equivalence and
            // full case folding.
            Self.pick(
                spelling,
                "zo\u{EB}.stra\u{DF}e-\(digits)@e.example",
                "ZO\u{CB}.STRASSE-\(digits)@E.EXAMPLE",
                "zoe\u{308}.stra\u{DF}e-\(digits)@E.example"
            )
        }
    }

    private static func pick(_ spelling: Int, _ first: String, _ second: String, _ third: String) -> String {
        switch spelling {
        case 0: first
        case 1: second
        default: third
        }
    }

    private func accountID(isUppercase: Bool) -> String {
        let tail = String(UInt64(number) &+ 0x1A2B_0000_0000, radix: 16, uppercase: isUppercase)
        return (isUppercase ? "3EC2C00F-B125-4519-ACF0-" : "3ec2c00f-b125-4519-acf0-") + tail
    }
}
