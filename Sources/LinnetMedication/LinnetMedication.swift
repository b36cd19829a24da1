// An application that imports this module names records, amounts and tables with it alone.
@_exported public import LinnetCRDT
@_exported public import LinnetWire
