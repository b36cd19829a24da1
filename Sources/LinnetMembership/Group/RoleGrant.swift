/// The rights that an admin gives a device: a role, and the scopes that it may read.
package struct RoleGrant: Equatable, Sendable {
    /// The role.
    package let role: Role
    /// The scopes.
    package let scopes: ScopeGrant

    /// Joins both.
    package init(_ role: Role, within scopes: ScopeGrant = .all) {
        (self.role, self.scopes) = (role, scopes)
    }
}
