/// Tells the actions of a plan as items of a story.
struct StoryActions {
    let names: StoryNames
    /// True where a process that ends is started again after a while, and not at once.
    let staysDown: Bool

    func item(_ action: Action, at time: Int64) -> StoryItem {
        var item = told(action, time)
        switch action.kind {
        case .write, .deed, .pair, .meet: item.isWish = true
        default: break
        }
        return item
    }

    private func told(_ action: Action, _ time: Int64) -> StoryItem {
        switch action.kind {
        case .write(let device, let request):
            item(.write, time, device, "writes " + names.write(request))
        case .flush(let device):
            item(.person, time, device, "makes everything durable that is not yet")
        case .meet(let left, let right, let lasting, let weather):
            StoryItem(
                .meet, time, left, to: right,
                "Device \(left) and device \(right) come near each other for "
                    + StoryWords.span(lasting) + (weather.isCalm ? "" : ": \(weather.told)"))
        case .pair(let newcomer, let member, let way):
            StoryItem(
                .person, time, newcomer, to: member,
                "Device \(newcomer) asks device \(member) to be let in, \(way.told)",
                why: way == .wrongCode ? FaultKind.wrongCode.sentence : nil)
        case .change(let device, let version):
            item(.person, time, device, "is given version \(version + 1) of the application")
        case .deed(let device, let deed):
            item(
                .write, time, device,
                "is used: \(deed.kind.told) medicine \(deed.medication) (wish \(deed.number))")
        case .lane(let step): lane(step, time)
        case .editor(let device, let step): item(.write, time, device, step.sentence)
        case .widget(let device, .spoil(let kind)): fault(kind, time, device)
        case .widget(let device, let step): item(.person, time, device, ": \(step.sentence)")
        case .member(let step): member(step, time)
        case .takeOver(let device):
            item(
                .fault, time, device, "comes into other hands",
                why: "Somebody has it from now on who signs whatever its keys allow.")
        case .sabotage(let kind, let victim):
            StoryItem(
                .fault, time, -1, to: victim,
                "Somebody outside \(kind.sentence), and says so to device \(victim)",
                why: "A member that means harm says what its keys can sign.")
        default: accident(action, time)
        }
    }

    /// The actions that are faults.
    private func accident(_ action: Action, _ time: Int64) -> StoryItem {
        switch action.kind {
        case .crash(let device, let point, let downFor): crash(device, point, downFor, time)
        case .storm(let device, let times):
            item(
                .fault, time, device, "is to die \(times) times in a row",
                why: FaultKind.restartStorm.sentence)
        case .suspend(let device, let lasting):
            item(
                .fault, time, device, "sleeps for \(StoryWords.span(lasting))",
                why: FaultKind.suspension.sentence)
        case .clock(let device, let change):
            item(.clock, time, device, "'s clock \(change.told)", why: change.why)
        case .disk(let device, let trouble):
            item(.fault, time, device, "'s disk \(trouble.told)", why: trouble.kind?.sentence)
        case .block(let routes, let lasting, let kind):
            StoryItem(
                .fault, time, routes.first?.from, to: routes.first?.to,
                "The network fails for \(StoryWords.span(lasting)): nothing goes "
                    + routes.prefix(8).map { "from \($0.from) to \($0.to)" }
                    .joined(separator: ", ")
                    + (routes.count > 8 ? " and \(routes.count - 8) more ways" : ""),
                why: kind.sentence)
        case .backUp(let device): item(.person, time, device, "is backed up")
        case .restore(let device, let way):
            item(
                .fault, time, device, "goes back to its backup, \(way.told)", why: way.kind.sentence
            )
        case .clone(let device, let withWitness):
            item(
                .fault, time, device,
                "is copied, and the copy starts" + (withWitness ? ", witness file and all" : ""),
                why: (withWitness ? FaultKind.cloneWithWitness : .cloneWithoutWitness).sentence)
        case .garbage(let device): fault(.garbage, time, device)
        case .replay(let device): fault(.replay, time, device)
        default: StoryItem(.note, time, nil, action.sentence)
        }
    }

    /// A sentence that begins with a device.
    private func item(
        _ kind: StoryItem.Kind, _ time: Int64, _ device: Int, _ text: String, why: String? = nil
    ) -> StoryItem {
        let gap = text.hasPrefix("'") || text.hasPrefix(":") ? "" : " "
        return StoryItem(kind, time, device, "Device \(device)\(gap)\(text)", why: why)
    }

    private func fault(_ kind: FaultKind, _ time: Int64, _ device: Int) -> StoryItem {
        StoryItem(.fault, time, device, "To device \(device): \(kind.title)", why: kind.sentence)
    }

    private func crash(
        _ device: Int, _ point: CrashPoint, _ downFor: Int64, _ time: Int64
    ) -> StoryItem {
        let (text, kind): (String, FaultKind) =
            switch point {
            case .now(let power): power ? ("loses power", .powerCut) : ("is killed", .processKill)
            case .diskCall(let calls): ("is to fail at call \(calls) to its disk", .crashAtDiskCall)
            case .effect(let count, _):
                ("is to die after \(StoryWords.counted(count, "effect"))", .crashAtEffect)
            }
        return item(
            .fault, time, device,
            text + (staysDown ? ", down for \(StoryWords.span(downFor))" : ""),
            why: kind.sentence)
    }

    private func lane(_ step: LaneStep, _ time: Int64) -> StoryItem {
        switch step {
        case .userInfo(let device, _, _, _), .context(let device, _, _), .message(let device, _),
            .file(let device, _, _):
            StoryItem(.write, time, device, "Device \(step.sentence)")
        case .face: StoryItem(.write, time, 0, "Device \(step.sentence)")
        case .cancel(let device): StoryItem(.person, time, device, "Device \(step.sentence)")
        case .range: StoryItem(.meet, time, 0, to: 1, StoryWords.sentence(step.sentence))
        case .app(let device, let state):
            StoryItem(
                .person, time, device,
                "The app of device \(device) is now: \(StoryWords.plain("\(state)"))")
        case .restart(let device, let afterCommit):
            StoryItem(
                .fault, time, device,
                "The process of device \(device) ends"
                    + (afterCommit ? " right after its next commit" : ""),
                why: (afterCommit ? FaultKind.crashAtEffect : .processKill).sentence)
        case .reboot(let device, let locked):
            StoryItem(
                .fault, time, device,
                "Device \(device) restarts, locked for \(StoryWords.span(locked))",
                why: FaultKind.reboot.sentence)
        case .complication: StoryItem(.person, time, 1, StoryWords.sentence(step.sentence))
        case .faults(let profile):
            StoryItem(
                .fault, time, nil,
                profile == []
                    ? "No defect of the platform any more"
                    : StoryWords.sentence(step.sentence),
                why: LaneDefect.all.filter { profile.contains($0.profile) }.map(\.kind.sentence)
                    .joined(separator: " "))
        }
    }

    private func member(_ step: MemberStep, _ time: Int64) -> StoryItem {
        let text = StoryWords.sentence(step.sentence)
        switch step {
        case .lie(let lie, let liar, let victim):
            return StoryItem(
                .fault, time, liar, to: victim,
                "Whoever has device \(liar) \(lie.sentence), and says so to device \(victim)",
                why: "Somebody signs with the keys of a device that others trust.")
        case .admit(let newcomer, let member, let role):
            return StoryItem(
                .membership, time, member, to: newcomer,
                "Device \(member) admits device \(newcomer) as \(role)")
        case .remove(let device, let author, let takesAlong):
            return StoryItem(
                .membership, time, author, to: device,
                "Device \(author) removes device \(device)"
                    + (takesAlong ? " and those that it let in" : ""))
        case .bind(let device, let author, let role, let scopes):
            return StoryItem(
                .membership, time, author, to: device,
                "Device \(author) makes device \(device) a \(role) of "
                    + (scopes?.joined(separator: ", ") ?? "everything"))
        case .leave(let device): return item(.membership, time, device, "leaves the group")
        case .answer(let device, let isOwn):
            return StoryItem(
                .person, time, device,
                "The person at device \(device) says that she "
                    + (isOwn ? "knows" : "does not know") + " all whom it asks about")
        case .contest(let device):
            return StoryItem(
                .person, time, device,
                "The person at device \(device) is against all removals and lower roles")
        case .idle: return StoryItem(.phase, time, nil, text)
        case .makeWords: return item(.membership, time, 0, "makes recovery words")
        case .recover(let device, let source, let lost):
            return StoryItem(
                .membership, time, device, to: source,
                "Device \(device) takes over what device \(source) has, with the recovery words, "
                    + "and removes " + lost.map(String.init).joined(separator: ", "))
        }
    }
}
