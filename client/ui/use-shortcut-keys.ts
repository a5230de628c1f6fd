import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { isForInputMethod, readPressedKey } from '../primitives/keys.ts'
import { waitForNextTask } from '../primitives/next-task.ts'
import { addListener } from '../primitives/scope.ts'

/** The keys that were pressed before the component was rendered; undefined once their shortcuts have run. */
export type EarlyKeyEvents = RefObject<KeyboardEvent[] | undefined>

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
  earlyKeys?: EarlyKeyEvents
}

/** Calls `onKey` for each key pressed on the page, unless the focused element handles the key or a modal dialog is open. */
export function useShortcutKeys({ on, onHelp, onKey, earlyKeys }: ShortcutKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForInputMethod(event)) return
    const keyName = readPressedKey(event)
    const focusedElement = event.target instanceof Element ? event.target : null
    if (isHandledByFocus(keyName, focusedElement) || document.querySelector('dialog:modal')) return
    if (keyName === '?') {
      event.preventDefault()
      onHelp()
      return
    }
    const isCombination = event.shiftKey && (keyName.startsWith('arrow') || keyName === ' ')
    if (on && onKey(isCombination ? `shift+${keyName}` : keyName, event.repeat)) event.preventDefault()
  })
  // A layout effect, so that no key is pressed between the first commit and the listener.
  useLayoutEffect(() => {
    // The shortcuts run after the effect, because within an effect a shortcut cannot synchronously render the text field that it opens.
    if (earlyKeys)
      void waitForNextTask().then(() => {
        const events = earlyKeys.current ?? []
        earlyKeys.current = undefined
        replayKeys(events, handleKey)
      })
    return addListener(document, 'keydown', (event) => {
      if (!earlyKeys?.current) handleKey(event)
    })
  }, [earlyKeys])
}

/** Runs the shortcuts of keys that were pressed earlier. The keys after a shortcut that focuses a text field are typed into that field. */
function replayKeys(events: readonly KeyboardEvent[], handleKey: (event: KeyboardEvent) => void): void {
  let shortcutField: HTMLInputElement | undefined
  for (const event of events) {
    if (shortcutField) {
      // A key that was pressed in another element, such as a text field, is ignored, because that element has received its text.
      if (event.target === document.body) typeKey(shortcutField, event)
      continue
    }
    const focusedBefore = document.activeElement
    handleKey(event)
    const focused = document.activeElement
    if (focused !== focusedBefore && focused instanceof HTMLInputElement) shortcutField = focused
  }
}

/** Imitates the browser's default action of a key in a text field. Among the keys without a character, only Backspace and Enter are supported. */
function typeKey(inputField: HTMLInputElement, { key, ctrlKey, metaKey }: KeyboardEvent): void {
  if (key === 'Enter') inputField.form?.requestSubmit()
  const isCharacterKey = key.length === 1 && !ctrlKey && !metaKey
  if (!isCharacterKey && key !== 'Backspace') return
  const selectionEnd = inputField.selectionEnd ?? inputField.value.length
  const selectionStart = inputField.selectionStart ?? selectionEnd
  if (isCharacterKey) inputField.setRangeText(key, selectionStart, selectionEnd, 'end')
  else inputField.setRangeText('', selectionStart === selectionEnd ? Math.max(0, selectionStart - 1) : selectionStart, selectionEnd, 'end')
  inputField.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

const textInputSelector =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=""], [contenteditable=true]'
const pressableSelector = 'button, a[href], summary, [role=button], [role^=menuitem], [role=option], input'
const arrowKeyWidgetSelector = 'input, [role=slider], [role^=menu], [role=listbox], [role=tablist], [data-arrows]'

/** Whether the focused element handles `keyName`, so that a page's shortcuts must not. */
function isHandledByFocus(keyName: string, focusedElement: Element | null): boolean {
  if (!focusedElement) return false
  if (focusedElement.closest(textInputSelector)) return true
  if (keyName === ' ' || keyName === 'enter') return focusedElement.closest(pressableSelector) !== null
  if (keyName.startsWith('arrow')) return focusedElement.closest(arrowKeyWidgetSelector) !== null
  return focusedElement.closest('[role^=menu]') !== null
}
