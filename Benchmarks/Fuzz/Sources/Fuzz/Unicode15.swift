import _FoundationICU  // its functions begin with swift_, to avoid conflicts with the system's ICU

/// ICU's answers for what the package says of names: properties of scalars, and the form in which names are compared.
enum Unicode15 {
    /// True if all of `text` existed in Unicode 15.0, which the package's table uses; ICU knows later characters too.
    static func knows(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            var version: [UInt8] = [0, 0, 0, 0]
            swift_u_charAge(Int32(scalar.value), &version)
            return version[0] > 0 && version[0] <= 15 && !(version[0] == 15 && version[1] > 0)
        }
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        swift_u_charType(Int32(scalar.value)) == Int8(truncatingIfNeeded: U_CONTROL_CHAR.rawValue)
    }

    static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool { swift_u_isUWhiteSpace(Int32(scalar.value)) != 0 }

    /// The UTF-16 code units of the caseless form (D145): NFD, full folding without Turkic mappings, NFD.
    static func caselessForm(of name: String) -> [UInt16] {
        var error = U_ZERO_ERROR
        guard let decomposer = swift_unorm2_getNFDInstance(&error) else { fatalError("ICU has no NFD") }
        func normalized(_ units: [UInt16]) -> [UInt16] {
            .init(unsafeUninitializedCapacity: units.count * 18 + 1) { buffer, count in
                let room = Int32(buffer.count)
                count = Int(
                    swift_unorm2_normalize(decomposer, units, Int32(units.count), buffer.baseAddress, room, &error)
                )
            }
        }
        let decomposed = normalized(Array(name.utf16))
        let folded = [UInt16](unsafeUninitializedCapacity: decomposed.count * 3 + 1) { buffer, count in
            let room = Int32(buffer.count)
            let length = Int32(decomposed.count)
            count = Int(
                swift_u_strFoldCase(
                    buffer.baseAddress,
                    room,
                    decomposed,
                    length,
                    UInt32(U_FOLD_CASE_DEFAULT),
                    &error
                )
            )
        }
        let form = normalized(folded)
        require(error.rawValue <= U_ZERO_ERROR.rawValue, "ICU failed with \(error)")
        return form
    }
}
