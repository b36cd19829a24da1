/// The outcome of a look at a program and its surroundings.
package struct ControlIntegrity: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 153
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.policy, \.own, \.group, \.findings)
    }

    /// The policy that counts: block, warn, log or none.
    package var policy: String
    /// The policy that was chosen on this device; nil where the group's counts.
    package var own: String?
    /// The group's; nil when it has none.
    package var group: String?
    /// One finding for each thing that was looked at.
    package var findings: [Finding]

    /// One finding.
    package struct Finding: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(Self.init, \.check, \.state, \.text, \.remedy)
        }

        /// The thing that was looked at.
        package var check: String
        /// ok, found or not known.
        package var state: String
        /// The sentence.
        package var text: String
        /// The advice; nil when nothing has to be done.
        package var remedy: String?

        /// Joins the parts.
        package init(check: String, state: String, text: String, remedy: String?) {
            (self.check, self.state, self.text, self.remedy) = (check, state, text, remedy)
        }
    }

    /// Joins the facts.
    package init(policy: String, own: String?, group: String?, findings: [Finding]) {
        (self.policy, self.own, self.group) = (policy, own, group)
        self.findings = findings
    }
}
