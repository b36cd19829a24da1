package import LinnetControl

// A node answers what is asked of roles.

extension RolePlanRequest: NodeRequest {
    package func carryOut(_ answers: Answers<ControlRolePlan>) async throws(LinnetError) {
        guard let role = DeviceRole(rawValue: role) else { return }
        answers(ControlRolePlan(try await answers.node.rolePlan(device, role)))
    }
}

extension RoleRequest: NodeRequest {
    package func carryOut(_ answers: Answers<NoAnswer>) async throws(LinnetError) {
        guard let role = DeviceRole(rawValue: role) else { return }
        try await answers.node.setRole(device, role)
    }
}

extension ControlRolePlan {
    init(_ plan: DeviceRolePlan) {
        self.init(
            device: ControlDevice(plan.device), before: plan.before.rawValue,
            after: plan.after.rawValue, batchesKept: UInt64(plan.batchesKept),
            unheard: plan.unheard.map(ControlDevice.init))
    }
}
