/// Something that can happen next.
package enum CutStep: Hashable, Sendable {
    case write(Int)
    case tell(Int, Int)
    case send(Int, Int)
    case propose(Int)
    case promise(Int, Int)
    case settle(Int, Int)
    case fold(Int, Int)
    case admit(Int, Int)
    case remove(Int, Int)
    case lapse(Int, Int)
    case comeBack(Int, Int)
    case copy(Int)
    case restore(Int)
    case rollBack(Int)
    case forgetPromises(Int)
}
