import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetSystem

extension Node {
    /// Gives the group the schema that is declared on this device, unless it has it; returns true
    /// when something was published.
    ///
    /// A node does so by itself when it founds a group, when it joins one, when it is opened with a
    /// schema, and when it is started.
    @discardableResult
    public func publishSchema() throws(LinnetError) -> Bool {
        try writable()
        guard replica?.isMember == true else { throw .notAMember }
        guard let text = schemas.home.unpublished(among: try publishedSchemas()) else {
            return false
        }
        let now = SystemClock.now()
        do throws(ReplicaError) {
            perform(try replica?.publish(schema: Array(text.text.utf8), at: now) ?? [])
        } catch {
            throw failed(error)
        }
        return true
    }

    /// Returns the schemas that the group's devices have published, as far as this version
    /// understands them.
    func publishedSchemas() throws(LinnetError) -> [SchemaFile] {
        let texts = try reading { (replica) throws(ReplicaError) in
            try replica.reader.publishedSchemas()
        }
        let (files, isWhole) = SchemaFile.understood(texts)
        hold(.upgradeNeeded, isSo: !isWhole)
        return files
    }

    /// Uses the schemas that the group has published by now, if this device follows them, and tells
    /// where they contradict its own.
    func followSchema() {
        guard replica?.isMember == true else { return }
        do throws(LinnetError) {
            let published = try publishedSchemas()
            let found = schemas.home.contradictions(with: published)
            hold(.schemaContradiction(found.joined(separator: "; ")), isSo: !found.isEmpty)
            if let next = schemas.home.next(with: published) { try adopt(next) }
        } catch {
            shutDown(reason: error.description)
        }
    }

    /// Uses a schema from now on.
    func adopt(_ file: SchemaFile) throws(LinnetError) {
        let now = SystemClock.now()
        schemas.home.file = file
        observers.noteChange()
        show(schemas.home)
        do throws(ReplicaError) {
            let text = Array(file.text.utf8)
            perform(try replica?.adopt(file.schema, keeping: text, at: now) ?? [])
        } catch {
            throw failed(error)
        }
        observers.send(.schemaLearned(version: file.schema.version))
        followRole()
    }

    /// Shows the schema in use to readers on other threads, and to newcomers.
    func show(_ home: HomeSchema) {
        board.show(home)
        replica?.pairingSchema =
            PairSchema(text: home.isAwaited ? [] : Array(home.file.text.utf8)) ?? .empty
    }

    /// Takes in the schema that a member shows before it admits this device.
    func schemaShown(_ text: [UInt8], on link: LinkID) {
        guard !text.isEmpty else { return feed(.schemaJudged(link, accept: true)) }
        let (files, isWhole) = SchemaFile.understood([text])
        if !isWhole { hold(.upgradeNeeded, isSo: true) }
        let found = schemas.judge(files)
        if !found.isEmpty { joining.refused(found) }
        feed(.schemaJudged(link, accept: found.isEmpty))
    }

    /// Notes that this device belongs to a group now, whose schema it may have been shown.
    func settleSchema() {
        guard let shown = schemas.joined() else { return followSchema() }
        do throws(LinnetError) {
            if let next = schemas.home.next(with: [shown]) { try adopt(next) }
            if replica?.mayWrite == true, schemas.home.unpublished(among: [shown]) != nil {
                try publishSchema()
            }
        } catch {
            shutDown(reason: error.description)
        }
    }

    /// Notes that this device is in step with another one: it publishes its schema now, if it
    /// was not shown the group's while pairing.
    func publishDueSchema() {
        guard replica?.mayWrite == true, schemas.takePublishing() else { return }
        do throws(LinnetError) {
            try publishSchema()
        } catch {
            shutDown(reason: error.description)
        }
    }

    /// Returns a refusal in the form that a caller is told while this device waits for the group's
    /// schema.
    func explained(_ error: LinnetError) -> LinnetError {
        guard awaitsSchema, case .schema(.unknownCollection) = error else { return error }
        return replica?.isMember == true ? .schemaUnknown : .notAMember
    }
}

extension SchemaFile {
    /// Reads the schemas in texts; `isWhole` is true when this version understands all of them.
    static func understood(_ texts: [[UInt8]]) -> (files: [SchemaFile], isWhole: Bool) {
        var files: [SchemaFile] = []
        for text in texts {
            do throws(Failure) {
                files.append(try SchemaFile(reading: text))
            } catch {
                // A newer version wrote it; the other schemas are still good.
                continue
            }
        }
        return (files, files.count == texts.count)
    }
}
