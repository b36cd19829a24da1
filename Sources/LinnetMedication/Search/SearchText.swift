/// Texts as a search compares them: without case, marks and punctuation.
enum SearchText {
    /// The words of a text in small letters, letters without their marks.
    ///
    /// Marks that stand alone are dropped; of letters with marks built in, those of Latin, Greek
    /// and Cyrillic scripts are known. Other scripts are compared as they are.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            if let base = base(of: scalar) {
                word.append(contentsOf: base)
            } else if scalar.properties.generalCategory != .nonspacingMark, !word.isEmpty {
                words.append(String(word))
                word.removeAll()
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    /// Returns the base of a letter or digit; nil for everything else.
    private static func base(of scalar: Unicode.Scalar) -> String.UnicodeScalarView? {
        if scalar.value >= 0x80, let found = letters.first(where: { $0.marked == scalar }) {
            return found.plain.unicodeScalars
        }
        guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
            return nil
        }
        return String.UnicodeScalarView([scalar])
    }

    private static let letters: [(marked: Unicode.Scalar, plain: String)] = list.split(
        separator: "\n"
    ).flatMap { line in
        let parts = line.split(separator: " ")
        return parts.dropFirst().flatMap(\.unicodeScalars).map { ($0, String(parts[0])) }
    }

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
