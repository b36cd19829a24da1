/// Production files whose main type no test names, each with what tests it or why nothing does.
/// One line each: path, colon, reason; a path that ends in a slash is a folder.
enum Untested {
    static let path = "Tests/StyleTests/Untested.swift"

    static let reasons: [String: String] = {
        let pairs = list.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }()

    private static let list = """
        Sources/Linnet/Companion/: CompanionExampleTests, between two nodes
        Sources/Linnet/Control/Ago.swift: ClockJudgementTests, StandingWarningTests
        Sources/Linnet/Control/AnsweringAttachments.swift: AttachmentCommandTests
        Sources/Linnet/Model/AttachmentContent.swift: NodeAttachmentTests
        Sources/LinnetCLI/Records/FileField.swift: AttachmentCommandTests
        Sources/LinnetStorage/ChunkStore.swift: ChunkTableTests
        Sources/Linnet/Control/AnsweringCompanion.swift: CompanionCommandTests, by socket
        Sources/Linnet/Control/AnsweringCompaction.swift: CompactCommandTests
        Sources/Linnet/Control/AnsweringDevice.swift: DeviceCommandTests, through the socket
        Sources/Linnet/Control/AnsweringGroup.swift: GroupCommandTests, through the socket
        Sources/Linnet/Control/AnsweringIntegrity.swift: IntegrityCommandTests, through the socket
        Sources/Linnet/Control/AnsweringLateWrites.swift: LateCommandTests, through the socket
        Sources/Linnet/Control/AnsweringMailboxes.swift: MailboxCommandTests, through the socket
        Sources/Linnet/Control/AnsweringQuestions.swift: QuestionCommandTests, through the socket
        Sources/Linnet/Control/AnsweringRecords.swift: NodeObservingTests, QueryCommandTests
        Sources/Linnet/Control/AnsweringRecovery.swift: RecoveryCommandTests, through the socket
        Sources/Linnet/Control/AnsweringRemovals.swift: RemovalCommandTests, through the socket
        Sources/Linnet/Control/AnsweringRoles.swift: RoleCommandTests, through the socket
        Sources/Linnet/Control/Answers+Parts.swift: LongValueTests, through the socket
        Sources/LinnetCLI/Card/: CardCommandTests, by the program
        Sources/LinnetCLI/Output/PrintedPage.swift: CardCommandTests, RecoveryCommandTests
        Sources/Linnet/Control/ContentText.swift: DoctorCommandTests, on damaged homes
        Sources/Linnet/Control/ControlSession.swift: GroupCommandTests, through the socket
        Sources/Linnet/Desks/Certification.swift: ExchangeDeskTests
        Sources/Linnet/Desks/HomeDesk.swift: NodeLockingTests, NodeOutageTests on whole nodes
        Sources/Linnet/Desks/LaneDesk.swift: CompanionExampleTests, between two nodes
        Sources/Linnet/Desks/Synchronisation.swift: ExchangeDeskTests
        Sources/Linnet/Dialling/DialRace.swift: DialPlanTests
        Sources/Linnet/Home/BackupSource.swift: NodeBackupTests, RecoveryCommandTests
        Sources/Linnet/Home/GroupCopy.swift: RecoveryCommandTests
        Sources/Linnet/Home/DiskProblem.swift: DiskTests, on small disks of their own
        Sources/Linnet/Home/KeylessCheck.swift: DoctorCommandTests, on homes that do not open
        Sources/Linnet/Home/Restoration.swift: NodeBackupTests, DeviceCommandTests
        Sources/Linnet/Medication/HomeMedication.swift: WidgetExampleTests, in a transaction
        Sources/Linnet/Model/RecordChanges.swift: NodeRecordsTests
        Sources/Linnet/Model/RecordPage.swift: QueryCommandTests, QueryIndexTests page by page
        Sources/Linnet/Model/SchemaText.swift: LinnetErrorTests
        Sources/Linnet/Node/: NodeLifecycleTests, NodePairingTests, NodeSyncTests on whole nodes
        Sources/Linnet/SchemaFile/FieldCopying.swift: NodeFillTests
        Sources/Linnet/SchemaFile/OpenedHome+Schema.swift: SchemaCommandTests
        Sources/Linnet/SchemaFile/SchemaFileReader.swift: SchemaFileTests
        Sources/Linnet/SchemaFile/SchemaNode.swift: SchemaFileTests
        Sources/Linnet/Typed/RecordDecoder.swift: TypedExampleTests
        Sources/Linnet/Typed/TypedField.swift: TypedExampleTests, as fields of collections
        Sources/Linnet/Watching/HomeFeed.swift: HomeObserverTests, WatchCommandTests
        Sources/LinnetBench/: BenchRunTests runs every workload, small
        Sources/LinnetAPI/Records/FigureText.swift: FigureCommandTests, VerbTests
        Sources/LinnetCRDT/Kinds/Text/TextOutline.swift: ShownTextTests, TextUndoTests
        Sources/LinnetCRDT/Kinds/Text/TextUndoStep.swift: TextUndoTests
        Sources/LinnetCRDT/Kinds/Text/TextWriting.swift: RecordWritingTests, TextCodingTests
        Sources/LinnetCLI/Completion/Completer.swift: CompletionTests, by the program
        Sources/LinnetCLI/Completion/CompletionFacts.swift: CompletionTests, by a running node
        Sources/LinnetCLI/Reminding/ReminderKeeper.swift: scripts/checks reminders, on a real bus
        Sources/LinnetCLI/Reminding/ReminderNotice.swift: ReminderBoardTests
        Sources/LinnetCLI/Reminding/ReminderOccasions.swift: scripts/checks reminders
        Sources/LinnetCLI/Reminding/ReminderOptions.swift: DesktopNoticeTests, by the program
        Sources/LinnetCLI/Reminding/ReminderText.swift: scripts/checks reminders
        Sources/LinnetDesktop/BusMessage.swift: scripts/checks reminders, on a real bus
        Sources/LinnetDesktop/SessionBus.swift: scripts/checks reminders, on a real bus
        Sources/LinnetCLI/Arguments/CommandLineTool.swift: UsageTests, on the program itself
        Sources/LinnetCLI/Arguments/Intent.swift: KindCommandTests
        Sources/LinnetCLI/Arguments/Invocation+Gateway.swift: RecordCommandTests
        Sources/LinnetCLI/Arguments/Signals.swift: GroupCommandTests ends nodes by signals
        Sources/LinnetCLI/Bench/: measures real parts; BenchTests look at what it makes of them
        Sources/LinnetCLI/Commands/: UsageTests, RecordCommandTests, GroupCommandTests, DemoTests
        Sources/LinnetCLI/Demo/: DemoTests plays it
        Sources/LinnetCLI/Faces/: FaceCommandTests, on real homes and processes
        Sources/LinnetCLI/Medication/: MedCommandTests, on real homes
        Sources/LinnetAPI/Group/LateText.swift: LateCommandTests, on processes
        Sources/LinnetAPI/Group/QuestionText.swift: QuestionCommandTests, on processes
        Sources/LinnetCLI/Output/Progress.swift: SyncProgressTests
        Sources/LinnetAPI/Group/WarningText.swift: DoctorCommandTests, on copied homes
        Sources/LinnetCLI/Output/WorkEstimate.swift: TimeLeftTests
        Sources/LinnetAPI/Records/HistoryText.swift: KindCommandTests
        Sources/LinnetAPI/Records/RecordPath.swift: UsageTests, KindCommandTests
        Sources/LinnetCLI/Records/SchemaCopies.swift: SchemaCommandTests
        Sources/LinnetAPI/Records/SchemaPrint.swift: SchemaCommandTests
        Sources/LinnetCLI/Records/WriteReport.swift: WriteOutcomeTests
        Sources/LinnetCRDT/Kinds/ElementSet/ElementSetRules.swift: RecordEditorTests, AdmissionTests
        Sources/LinnetCRDT/Kinds/Extreme/ExtremeRules.swift: ExtremeTests
        Sources/LinnetCRDT/Kinds/FieldFate.swift: NodeHistoryTests, HiddenWritesTests
        Sources/LinnetCRDT/Kinds/FieldForm.swift: AssignmentTests, NodeQueryTests
        Sources/LinnetCRDT/Kinds/Group/GroupRules.swift: RecordEditorTests, RecordSemanticsTests
        Sources/LinnetCRDT/Kinds/KindState.swift: FieldContentTests, RecordStateDecodingTests
        Sources/LinnetCRDT/Kinds/Latest/LatestRules.swift: RecordEditorTests, RecordSemanticsTests
        Sources/LinnetCRDT/Kinds/Latest/RegisterRules.swift: RecordEditorTests, AdmissionTests
        Sources/LinnetCRDT/Kinds/Log/LogRules.swift: RecordEditorTests, RecordSemanticsTests
        Sources/LinnetCRDT/Kinds/MultiValue/MultiValueRules.swift: RecordEditorTests
        Sources/LinnetCRDT/Kinds/OperationRules.swift: KindRulesTests
        Sources/LinnetCRDT/Kinds/Order/OrderRules.swift: RecordEditorTests, RecordSemanticsTests
        Sources/LinnetCRDT/Kinds/Shared/ObservedOps.swift: MultiValueTests, TallyTests
        Sources/LinnetCRDT/Kinds/Shared/Positioned.swift: MultiValueTests, TallyTests
        Sources/LinnetCRDT/Kinds/Tally/TallyAccount.swift: TallyTests
        Sources/LinnetCRDT/Kinds/Tally/TallyRules.swift: RecordEditorTests, AdmissionTests
        Sources/LinnetCRDT/Kinds/Text/TextRules.swift: RecordEditorTests, TextConcurrencyTests
        Sources/LinnetCRDT/Kinds/Text/TextRunColumn.swift: TextCodingTests
        Sources/LinnetCRDT/Kinds/Text/TextSpan.swift: TextOperationTests, on a text's spans
        Sources/LinnetCRDT/Kinds/Text/TextTreeWalk.swift: TextCodingTests, TextDocumentTests
        Sources/LinnetCRDT/Records/FieldSalvage.swift: RestatingTests, on lost batches of every kind
        Sources/LinnetCompanion/Journal/CompanionTurn.swift: LanePropertyTests, as a whole
        Sources/LinnetCompanion/Lanes/: LanePropertyTests and the conformance tests
        Sources/LinnetCompanion/Session/Conversation+Budget.swift: LanePropertyTests, as a whole
        Sources/LinnetCompanion/Session/Conversation+Handing.swift: LanePropertyTests, as a whole
        Sources/LinnetCompanion/Session/Conversation+Receipts.swift: LanePropertyTests, as a whole
        Sources/LinnetCompanion/Session/Conversation+Receiving.swift: LanePropertyTests, as a whole
        Sources/LinnetCompanion/Session/Conversation+Sending.swift: LanePropertyTests, as a whole
        Sources/LinnetCompanion/Session/Conversation.swift: LanePropertyTests, as a whole
        Sources/LinnetCompanion/Session/TaskList.swift: BackgroundConformanceTests
        Sources/LinnetControl/Coding/ControlCodable+Plain.swift: ControlMessageTests
        Sources/LinnetControl/Coding/ControlForm.swift: ControlMessageTests, on every request
        Sources/LinnetControl/Socket/ControlSocket.swift: ControlServerTests
        Sources/LinnetDiscovery/Daemon/: DNSSDServiceTests, against a real daemon
        Sources/LinnetFaces/Drawing/SVGWriter.swift: PictureFaceTests, RecordedFaceTests
        Sources/LinnetFaces/Widgets/WidgetInstance.swift: WidgetHostTests
        Sources/LinnetMedication/Events/DoseEntry.swift: DoseTests, through the ledger
        Sources/LinnetMedication/Repository/MedicationRepository.swift: MemoryRepositoryTests
        Sources/LinnetMedication/Schedules/DoseSeries.swift: ScheduleTests
        Sources/LinnetMedication/Travel/HandOver.swift: JourneyTests, ProposalTests
        Sources/LinnetMedication/Travel/TravelOptionMaker.swift: ProposalTests
        Sources/LinnetMedication/Zones/ZoneSearch.swift: ZoneRulesTests
        Sources/LinnetMembership/Keys/CanonicalForm.swift: CertificateTests, PairWelcomeTests
        Sources/LinnetMembership/Keys/ExactLength.swift: its conditions hold by construction
        Sources/LinnetMembership/Rule/Acceptance.swift: RuleHistoryTests, against a reference
        Sources/LinnetMembership/Rule/Ballot.swift: RuleHistoryTests, against a reference
        Sources/LinnetMembership/Rule/EpochJudgement.swift: RuleTests, EpochUseTests
        Sources/LinnetMembership/Rule/Goodness.swift: RuleHistoryTests, against a reference
        Sources/LinnetMembership/Rule/Statements.swift: RuleHistoryTests, against a reference
        Sources/LinnetReplication/Group/SignedRemoval.swift: RemovalTests, RecoveryTests
        Sources/LinnetReplication/Batches/Awaited.swift: ChainBookTests
        Sources/LinnetReplication/Batches/BegunCommit.swift: StagedCommitTests, ChainBookTests
        Sources/LinnetReplication/GroupSchema/: GroupSchemaTests on whole replicas
        Sources/LinnetReplication/Indexing/: QueryIndexTests on whole replicas
        Sources/LinnetReplication/Interface/: the tests of whole replicas speak it
        Sources/LinnetReplication/Querying/: NodeQueryTests, QueryIndexTests on whole replicas
        Sources/LinnetReplication/Records/LogFold.swift: DamagedRowTests, DisputeTests
        Sources/LinnetReplication/Records/LogReplay.swift: RowFoldTests, after a crash
        Sources/LinnetReplication/ReplicaStatus.swift: NodeSyncTests, and the command line's tests
        Sources/LinnetReplication/Records/RowCounting.swift: DamagedRowTests, by whole checks
        Sources/LinnetStorage/Tables/RowContent.swift: RecordReaderTests, by walks over records
        Sources/LinnetReplication/Restating/: RestatingTests, on whole replicas with damaged logs
        Sources/LinnetStorage/SQLite/ChangesInMemory.swift: ReadingFilesTests
        Sources/LinnetStorage/SQLite/DatabaseFile.swift: SQLiteStoreTests, SchemaTests
        Sources/LinnetSystem/Files/ExtendedStatus.swift: WitnessTests, by a file that was put back
        Sources/LinnetSystem/Files/MachineID.swift: WitnessTests
        Sources/LinnetSystem/Files/NamedPipe.swift: CompanionPortTests, CompanionLinkTests
        Sources/LinnetSystem/Files/ProcessHardening.swift: GroupCommandTests reads its limits
        Sources/LinnetSystem/Mailbox/StoreResponse+Failure.swift: StoreMailboxTests, by its errors
        Sources/LinnetSystem/Loop/TimerTable.swift: EventLoopTests
        Sources/LinnetSystem/Loop/WakePipe.swift: EventLoopTests, where other threads wake the loop
        Sources/LinnetSystem/Loop/WatchTable.swift: EventLoopTests
        Sources/LinnetSystem/Transport/Carrier.swift: FrameCarrierTests, TCPLinkTests
        Sources/LinnetSystem/Transport/Socket.swift: TCPLinkTests, TCPListenerTests, EventLoopTests
        Sources/Linnet/Control/AnsweringDashboard.swift: DashboardCommandTests, through the socket
        Sources/Linnet/Control/DashboardLink.swift: EntranceTests, DashboardCommandTests
        Sources/LinnetAPI/Files/Environment.swift: UsageTests, by the home that is chosen
        Sources/LinnetAPI/Files/FilePath.swift: DeviceCommandTests, by paths of backups
        Sources/LinnetAPI/Group/CertificateText.swift: GroupCommandTests, on processes
        Sources/LinnetAPI/Group/StatusText.swift: GroupCommandTests, ApiCommandTests
        Sources/LinnetAPI/Medicines/: MedCommandTests, MedTruthTests, VerbTests
        Sources/LinnetAPI/Records/FieldChoice.swift: KindCommandTests
        Sources/LinnetAPI/Records/TimeText.swift: RecordCommandTests
        Sources/LinnetAPI/Records/TrashText.swift: RecordCommandTests, VerbTests
        Sources/LinnetAPI/Verbs/: VerbTests, RoughTests, ApiCommandTests
        Sources/LinnetDashboard/Entrance/: RefusalTests, EntranceTests, by bytes on sockets
        Sources/LinnetDashboard/HTTP/: RoughTests, EventTests, by bytes on sockets
        Sources/LinnetDashboard/Site/: RefusalTests, VerbTests, by bytes on sockets
        Sources/LinnetRelay/HTTP/: RelayServerTests, RelayHostilityTests, by libcurl and by bytes
        Sources/LinnetRelay/Serving/RelayDesk.swift: RelayServerTests, on whole relays
        Sources/LinnetCLI/Relay/RelayServing.swift: RelayCommandTests, as a process
        Sources/LinnetCLI/Relay/RelayRenewal.swift: checks relay, on a relay as a process
        Sources/LinnetSystem/Transport/SocketOwner.swift: EntranceTests, by another user
        """
}
