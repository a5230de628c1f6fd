import { useEffect, useEffectEvent } from 'react'
import { listen } from '../../primitives/scope.ts'

/** Fields in which a person types. They undo typed text themselves. */
const textFieldSelector =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, [contenteditable=""], [contenteditable=true]'

/** Calls `undo` at Ctrl+Z, and `redo` at Ctrl+Shift+Z or Ctrl+Y; on Apple's devices with the Command key. */
export function useUndoKeys(undo: () => void, redo: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase()
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented || (key !== 'z' && key !== 'y')) return
    if (event.target instanceof Element && event.target.closest(textFieldSelector)) return
    if (document.querySelector('dialog:modal')) return
    event.preventDefault()
    if (key === 'y' || event.shiftKey) redo()
    else undo()
  })
  useEffect(() => listen(window, 'keydown', (event) => onKey(event)), [])
}
