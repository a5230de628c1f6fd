/**
 * Returns the value of a pressed key in lower case. On a layout without Latin letters it is the Latin letter at the key's position, so that shortcuts work
 * on every layout: `k` for л.
 */
export function readPressedKey({ key, code, shiftKey }: KeyboardEvent): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const isForeign = letter !== undefined && key.length === 1 && key > '\x7F'
  // On a Russian layout, Shift and the key at the position of `?` type a comma.
  return isForeign ? letter.toLowerCase() : key === ',' && shiftKey && code === 'Slash' ? '?' : key.toLowerCase()
}

/**
 * Returns whether an input method handles a pressed key, such as the Enter that accepts a suggestion. In Safari, the key event follows the
 * end of the composition, so that only its key code, 229, shows that it belongs to the input method.
 */
export const isForInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229

type ClickKeys = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>

/** Returns whether a click on a link opens the link in its own tab, and not in another tab or as a download. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: ClickKeys): boolean =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)
