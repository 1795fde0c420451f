extension Double {
    /// The number with this many decimals, and a comma between thousands.
    ///
    /// Without Foundation, which would be one more dependency.
    func fixed(_ decimals: Int) -> String {
        let unit = (0..<decimals).reduce(1.0) { unit, _ in unit * 10 }
        let scaled = (magnitude * unit).rounded()
        guard scaled < 9e15 else { return description }
        let whole = Int(scaled / unit)
        let rest = Int(scaled - Double(whole) * unit)
        let sign = self < 0 && scaled > 0 ? "-" : ""
        if decimals == 0 { return sign + whole.grouped }
        let digits = String(rest)
        return "\(sign)\(whole.grouped).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
    }

    /// The shortest text: 2 and not 2.0.
    var shortest: String {
        if let whole = Int(exactly: self) { return String(whole) }
        return description
    }
}

extension Double {
    /// A share as a percentage, to a thousandth.
    var percent: String { ((self * 100_000).rounded() / 1_000).shortest }
}

extension Int {
    fileprivate var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
