import { useEffect, useEffectEvent, useRef } from 'react'
import { listen } from '../primitives/scope.ts'
import { isHandledByFocus } from './key-focus.ts'

interface ShortcutKeys {
  /** Whether single keys are shortcuts. `?` always is. */
  on: boolean
  /** Opens the list of shortcuts. */
  onHelp: () => void
  /** Runs the shortcut of a key: its value in lower case, preceded by `shift+` for an arrow or Space. Returns whether there is one. */
  onKey: (key: string, isRepeated: boolean) => boolean
  /** The key that was pressed before the component was rendered. */
  firstKey?: KeyboardEvent
}

/** Calls `onKey` for the keys of the page that no focused element handles and no modal dialog is open for. */
export function useShortcutKeys({ on, onHelp, onKey, firstKey }: ShortcutKeys): void {
  const unhandledKey = useRef(firstKey)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    const key = event.key.toLowerCase()
    const focused = event.target instanceof Element ? event.target : null
    if (isHandledByFocus(key, focused) || document.querySelector('dialog:modal')) return
    if (key === '?') {
      event.preventDefault()
      onHelp()
      return
    }
    const isCombination = event.shiftKey && (key.startsWith('arrow') || key === ' ')
    if (on && onKey(isCombination ? `shift+${key}` : key, event.repeat)) event.preventDefault()
  })
  useEffect(() => {
    if (unhandledKey.current) handleKey(unhandledKey.current)
    unhandledKey.current = undefined
    return listen(document, 'keydown', (event) => handleKey(event))
  }, [])
}
