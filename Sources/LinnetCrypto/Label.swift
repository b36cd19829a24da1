/// The domain-separation labels: every hash, signature and key derivation has exactly one, and none
/// is a prefix of another, so bytes made for one purpose never serve a second.
package enum Label: String, CaseIterable, Sendable {
    /// Prologue of the Noise handshake.
    case noise = "linnet/noise/1"
    /// Pre-shared key of a group epoch.
    case psk = "linnet/psk/1"
    /// Pre-shared key of a group epoch from its data key.
    case dataPSK = "linnet/data-psk/1"
    /// Pre-shared key of two devices from their static keys.
    case staticPSK = "linnet/static-psk/1"
    /// Tag in a preface that names the pre-shared key.
    case sessionKey = "linnet/session-key/1"
    /// Key of the discovery tags.
    case disc = "linnet/disc/1"
    /// Channel identifier of pairing by code.
    case pair = "linnet/pair/1"
    /// Pre-shared key after pairing by code.
    case pairPSK = "linnet/pair/psk/1"
    /// Pre-shared key of pairing by ticket.
    case pairTicket = "linnet/pair/qr/1"
    /// Signature that binds a device to a pairing channel.
    case pairBind = "linnet/pair/bind/1"
    /// Signature of a device certificate.
    case cert = "linnet/cert/1"
    /// Signature of a membership record.
    case member = "linnet/member/1"
    /// Identifier of a membership record.
    case memberID = "linnet/member-id/1"
    /// Commitment to an epoch key.
    case commit = "linnet/commit/1"
    /// Key that wraps an earlier epoch's data key.
    case wrap = "linnet/wrap/1"
    /// Signature of a batch.
    case batch = "linnet/batch/1"
    /// Identifier of a batch.
    case batchID = "linnet/batch-id/1"
    /// Key of a batch.
    case batchKey = "linnet/batch-key/1"
    /// Key of a scope's root in an epoch.
    case scopeKey = "linnet/scope-key/1"
    /// Key of a batch of format 2.
    case scopedBatchKey = "linnet/batch-key/2"
    /// Key of the sealed cells of a table.
    case cell = "linnet/cell/1"
    /// Identifier of a record that is named by what it is.
    case naturalKey = "linnet/natural-key/1"
    /// Blind index of a sealed value.
    case index = "linnet/index/1"
    /// Fingerprint words of a public key.
    case fingerprint = "linnet/fingerprint/1"
    /// Name of a text that is copied.
    case textCopy = "linnet/text-copy/1"
    /// Identifier of an author.
    case author = "linnet/author/1"
    /// Identifier of a scope.
    case scope = "linnet/scope/1"
    /// Names of schemas.
    case schema = "linnet/schema/1"
    /// Digest of the visible state.
    case digest = "linnet/digest/1"
    /// Digest of the visible state as a tree of pages.
    case tree = "linnet/digest/2"
    /// Hash of a page of records, or of a node above pages.
    case page = "linnet/page/1"
    /// Hash of an identifier, which says where pages end.
    case pageEnd = "linnet/page-end/1"
    /// Signature of a statement of what a device holds.
    case convergence = "linnet/convergence/1"
    /// Name of a branch of a forked chain.
    case fork = "linnet/fork/1"
    /// Check value of a file or an address.
    case check = "linnet/check/1"
    /// Digest of a version vector.
    case vector = "linnet/vector/1"
    /// Signature of what a widget may show.
    case snapshot = "linnet/snapshot/1"
    /// Key of the sealed rows of a table.
    case row = "linnet/row/1"
    /// Content of a file of the companion lanes.
    case companionFile = "linnet/companion-file/1"
    /// The salt and the third key of a group's recovery key.
    case recovery = "linnet/recovery/1"
    /// Signature of an emergency card.
    case card = "linnet/card/1"
    /// Names and check values of the parts of an emergency card.
    case cardPart = "linnet/card-part/1"
    /// Table by which the content of a file is cut.
    case gear = "linnet/gear/1"
    /// Key of the chunks of a file.
    case chunkKey = "linnet/chunk-key/1"
    /// Nonce of a chunk of a file.
    case chunkNonce = "linnet/chunk-nonce/1"
    /// Key of all that an epoch's devices leave in mailboxes.
    case mail = "linnet/mail/1"
    /// Key of the names of objects in a mailbox.
    case mailName = "linnet/mail-name/1"
    /// Key of the heads and bridges in a mailbox.
    case mailObject = "linnet/mail-object/1"
    /// Key of a pack in a mailbox.
    case mailPack = "linnet/mail-pack/1"
    /// Nonce of an object in a mailbox.
    case mailNonce = "linnet/mail-nonce/1"
    /// Ephemeral key of a door in a mailbox.
    case mailDoor = "linnet/mail-door/1"
    /// Signature of a head in a mailbox.
    case mailHead = "linnet/mail-head/1"
    /// Hash of the password of an account with a store of one's own.
    case relayPassword = "linnet/relay-password/1"

    /// Place of a record among those of batches that are gone.
    case base = "linnet/base/1"
    /// Name of what batches came to that are gone.
    case baseName = "linnet/base-name/1"
    /// Nonce of such a record.
    case baseNonce = "linnet/base-nonce/1"

    /// The label's ASCII bytes.
    package var bytes: [UInt8] { Array(rawValue.utf8) }
}
