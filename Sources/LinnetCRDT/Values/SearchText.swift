import LinnetWire

/// Texts as a search compares them: without case, marks and punctuation.
package enum SearchText {
    /// The words of a text in small letters, letters without their marks.
    ///
    /// Marks that stand alone are dropped; of letters with marks built in, those of Latin, Greek
    /// and Cyrillic scripts are known. Other scripts are compared as they are.
    package static func words(_ text: String) -> [String] {
        folded(text).split(separator: space).map { String(decoding: $0, as: UTF8.self) }
    }

    static let space = UInt8(ascii: " ")

    /// Returns the words as UTF-8, each after one space.
    static func folded(_ text: String) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count + 1)
        var isInWord = false
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                isInWord = append(plain: scalar, to: &folded, isInWord: isInWord)
                continue
            }
            for small in scalar.properties.lowercaseMapping.unicodeScalars {
                isInWord = append(small, to: &folded, isInWord: isInWord)
            }
        }
        return folded
    }

    /// Adds an ASCII character; returns true when it is of a word.
    private static func append(
        plain scalar: Unicode.Scalar, to folded: inout [UInt8], isInWord: Bool
    ) -> Bool {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if !isInWord { folded.append(space) }
            folded.append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            if !isInWord { folded.append(space) }
            folded.append(byte | 0x20)
        default: return false
        }
        return true
    }

    /// Adds the base of a letter or digit, and drops a mark; returns true while a word goes on.
    private static func append(
        _ scalar: Unicode.Scalar, to folded: inout [UInt8], isInWord: Bool
    ) -> Bool {
        if let base = bases[scalar.value] {
            if !isInWord { folded.append(space) }
            folded.append(contentsOf: base.utf8)
            return true
        }
        let properties = scalar.properties
        guard properties.isAlphabetic || properties.numericType != nil else {
            return isInWord && properties.generalCategory == .nonspacingMark
        }
        if !isInWord { folded.append(space) }
        folded.append(contentsOf: String(scalar).utf8)
        return true
    }

    /// The letters without their marks, by letters with them.
    private static let bases: OrderedTable<UInt32, String> = {
        var bases: OrderedTable<UInt32, String> = OrderedTable()
        for line in list.split(separator: "\n") {
            let parts = line.split(separator: " ")
            for letter in parts.dropFirst().flatMap(\.unicodeScalars) {
                bases[letter.value] = String(parts[0])
            }
        }
        return bases
    }()

    private static let list = """
        a àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ
        ae æ
        b ḃḅḇ
        c çćĉċčḉ
        d ðďđḋḍḏḑḓ
        e èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ
        f ḟ
        g ĝğġģǧǵḡ
        h ĥħȟḣḥḧḩḫẖ
        i ìíîïĩīĭįıǐȉȋḭḯỉị
        j ĵǰ
        k ķǩḱḳḵ
        l ĺļľłḷḹḻḽ
        m ḿṁṃ
        n ñńņňǹṅṇṉṋ
        o òóôõöøōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ
        oe œ
        p ṕṗ
        r ŕŗřȑȓṙṛṝṟ
        s śŝşšșṡṣṥṧṩ
        ss ß
        t ţťŧțṫṭṯṱẗ
        th þ
        u ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
        v ṽṿ
        w ŵẁẃẅẇẉẘ
        x ẋẍ
        y ýÿŷȳẏẙỳỵỷỹ
        z źżžẑẓẕ
        æ ǣǽ
        ø ǿ
        α άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ
        ε έἐἑἒἓἔἕὲέ
        η ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ
        ι ΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ
        ο όὀὁὂὃὄὅὸό
        ρ ῤῥ
        σ ς
        υ ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ
        ω ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ
        г ѓ
        е ѐё
        и йѝ
        к ќ
        у ў
        і ї
        """
}
