package import LinnetControl

// A node answers what is asked of roles.

extension RolePlanRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlRolePlan>) async throws(LinnetError) {
        guard let role = DeviceRole(rawValue: role) else { return }
        let scopes = try DeviceScopes.read(scopes)
        answers(ControlRolePlan(try await answers.node.rolePlan(device, role, scopes: scopes)))
    }
}

extension RoleRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        guard let role = DeviceRole(rawValue: role) else { return }
        try await answers.node.setRole(device, role, scopes: try DeviceScopes.read(scopes))
    }
}

extension DeviceScopes {
    /// Reads what a request names; nil where it names nothing.
    package static func read(_ text: String?) throws(LinnetError) -> DeviceScopes? {
        guard let text else { return nil }
        guard let scopes = DeviceScopes(text: text) else { throw .scope(.unknown("")) }
        return scopes
    }
}

extension ControlRolePlan {
    init(_ plan: DeviceRolePlan) {
        self.init(
            device: ControlDevice(plan.device), before: plan.before.rawValue,
            after: plan.after.rawValue,
            scopes: ControlScopeChange(
                before: plan.scopesBefore.map { DeviceScopes.only($0).text } ?? "all",
                after: plan.scopesAfter.map { DeviceScopes.only($0).text } ?? "all"),
            batchesKept: UInt64(plan.batchesKept),
            unheard: plan.unheard.map(ControlDevice.init))
    }
}
