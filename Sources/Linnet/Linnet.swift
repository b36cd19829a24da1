// An application imports one module: values, records and schemas come with the node.
@_exported public import LinnetCRDT
@_exported public import LinnetCard
@_exported public import LinnetReplication
@_exported public import LinnetSystem
