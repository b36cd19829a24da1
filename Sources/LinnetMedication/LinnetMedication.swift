// An application that imports this module names records, amounts and tables without further imports.
@_exported public import LinnetCRDT
@_exported public import LinnetWire
