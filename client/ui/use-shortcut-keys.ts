import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { isForInputMethod, pressedKey } from '../primitives/keys.ts'
import { nextTask } from '../primitives/next-task.ts'
import { listen } from '../primitives/scope.ts'

/** The keys that were pressed before the component was rendered; undefined once their shortcuts have run. */
export type EarlyKeys = RefObject<KeyboardEvent[] | undefined>

interface ShortcutKeys {
  /** Whether the shortcuts are enabled. The key `?` always works. */
  on: boolean
  onHelp: () => void
  /**
   * Runs the shortcut of a key. The key is given by its value in lower case, preceded by `shift+` if Shift is pressed with an arrow or
   * Space. Returns whether the key has a shortcut.
   */
  onKey: (key: string, isRepeated: boolean) => boolean
  /** The keys whose shortcuts run on mount. */
  earlyKeys?: EarlyKeys
}

/** Calls `onKey` for each key pressed on the page, unless the focused element handles the key or a modal dialog is open. */
export function useShortcutKeys({ on, onHelp, onKey, earlyKeys }: ShortcutKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForInputMethod(event)) return
    const key = pressedKey(event)
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
  // A layout effect, so that no key is pressed between the first commit and the listener.
  useLayoutEffect(() => {
    // The shortcuts run after the effect, because within an effect a shortcut cannot synchronously render the text field that it opens.
    if (earlyKeys)
      void nextTask().then(() => {
        const events = earlyKeys.current ?? []
        earlyKeys.current = undefined
        replayKeys(events, handleKey)
      })
    return listen(document, 'keydown', (event) => {
      if (!earlyKeys?.current) handleKey(event)
    })
  }, [earlyKeys])
}

/** Runs the shortcuts of keys that were pressed earlier. The keys after a shortcut that focuses a text field are typed into that field. */
function replayKeys(events: readonly KeyboardEvent[], handleKey: (event: KeyboardEvent) => void): void {
  let field: HTMLInputElement | undefined
  for (const event of events) {
    if (field) {
      // A key that was pressed in another element, such as a text field, is ignored, because that element has received its text.
      if (event.target === document.body) typeKey(field, event)
      continue
    }
    const focusedBefore = document.activeElement
    handleKey(event)
    const focused = document.activeElement
    if (focused !== focusedBefore && focused instanceof HTMLInputElement) field = focused
  }
}

/** Imitates the browser's default action of a key in a text field. Among the keys without a character, only Backspace and Enter are supported. */
function typeKey(field: HTMLInputElement, { key, ctrlKey, metaKey }: KeyboardEvent): void {
  if (key === 'Enter') field.form?.requestSubmit()
  const isCharacter = key.length === 1 && !ctrlKey && !metaKey
  if (!isCharacter && key !== 'Backspace') return
  const end = field.selectionEnd ?? field.value.length
  const start = field.selectionStart ?? end
  if (isCharacter) field.setRangeText(key, start, end, 'end')
  else field.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

const textInputSelector =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=""], [contenteditable=true]'
const pressableSelector = 'button, a[href], summary, [role=button], [role^=menuitem], [role=option], input'
const arrowKeyWidgetSelector = 'input, [role=slider], [role^=menu], [role=listbox], [role=tablist], [data-arrows]'

/** Whether the focused element handles `key`, so that a page's shortcuts must not. */
function isHandledByFocus(key: string, focused: Element | null): boolean {
  if (!focused) return false
  if (focused.closest(textInputSelector)) return true
  if (key === ' ' || key === 'enter') return focused.closest(pressableSelector) !== null
  if (key.startsWith('arrow')) return focused.closest(arrowKeyWidgetSelector) !== null
  return focused.closest('[role^=menu]') !== null
}
