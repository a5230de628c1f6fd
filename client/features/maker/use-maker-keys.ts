import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { setShortcutsEnabled, useAreShortcutsEnabled } from '../../hooks/shortcuts.ts'
import { isForInputMethod, readPressedKey } from '../../primitives/keys.ts'
import { addListener } from '../../primitives/scope.ts'
import { createLoopBetween } from './loop-range.ts'
import { type Engine, type EngineState, useMakerPosition } from './use-maker.ts'

/** Matches fields in which a person types. Such fields handle all keys themselves, including those that undo. */
const textFieldSelector =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=""], [contenteditable=true]'

const SEEK_STEP_SECONDS = 5

/** The keyboard shortcuts of the maker, in the order in which they are listed. */
export const makerShortcutRows = [
  { keys: [' ', 'k'], description: 'Play or pause' },
  { keys: ['j', 'arrowleft'], description: `Back ${SEEK_STEP_SECONDS} seconds` },
  { keys: ['arrowright'], description: `Forward ${SEEK_STEP_SECONDS} seconds` },
  { keys: ['a', 'b'], description: 'Hear the original, the edited song' },
  { keys: ['l'], description: 'Loop on or off' },
  { keys: ['i'], description: 'Loop starts at the play head' },
  { keys: ['o'], description: 'Loop ends at the play head' },
  { keys: ['m'], description: 'Mute the preview' },
  { keys: ['+', '-'], description: 'Zoom in, zoom out' },
  { keys: ['ctrl+z', 'ctrl+shift+z'], description: 'Undo, redo' },
  { keys: ['ctrl+s'], description: 'Download' },
  { keys: ['?'], description: 'This list' },
] as const

/** The keys whose action repeats while they are held down. */
const repeatedKeys = new Set(['z', 'y', 'j', 'arrowleft', 'arrowright', '+', '=', '-'])

interface MakerKeyActions {
  undo: () => void
  redo: () => void
}

/**
 * Handles the keys of the maker, before the site's player does. Ctrl is the Command key on Apple's devices. Keys without Ctrl can be
 * disabled with the shortcuts of the site. Returns whether the list of keys is open, and the function that changes this.
 */
export function useMakerKeys(engine: Engine, { undo, redo }: MakerKeyActions) {
  const areShortcutsOn = useAreShortcutsEnabled()
  const [isListOpen, setListOpen] = useState(false)
  const positionRef = useRef(0)
  useMakerPosition(engine, ({ sourceS }) => {
    positionRef.current = sourceS
  })

  /** Presses a button of the page, if it is shown. */
  const pressButton = (buttonLabel: RegExp) =>
    [...document.querySelectorAll<HTMLButtonElement>('#main button')]
      .find((button) => buttonLabel.test(button.ariaLabel ?? '') && button.checkVisibility())
      ?.click()
  const setLoopEnd = (loopEnd: 'startS' | 'endS') => {
    const { loop, sound } = engine.getSnapshot()
    if (sound === undefined) return
    const positionS = positionRef.current
    const isOtherSide = loopEnd === 'startS' ? positionS >= loop.endS : positionS <= loop.startS
    const otherS = isOtherSide ? (loopEnd === 'startS' ? sound.durationS : 0) : loopEnd === 'startS' ? loop.endS : loop.startS
    engine.setLoop(createLoopBetween(positionS, otherS, sound.durationS))
  }
  const seekBy = (seekSeconds: number) => {
    const { rate, monitor } = engine.getSnapshot()
    engine.seek(positionRef.current + seekSeconds * (monitor === 'edited' ? rate : 1))
  }
  const switchMonitor = (monitor: EngineState['monitor']) => engine.getSnapshot().sound && engine.setMonitor(monitor)
  const volumeBeforeMute = useRef(1)
  const toggleMute = () => {
    const { volume } = engine.getSnapshot()
    if (volume > 0) volumeBeforeMute.current = volume
    engine.setVolume(volume > 0 ? 0 : volumeBeforeMute.current)
  }
  const actionByKey: Partial<Record<string, () => void>> = {
    k: () => pressButton(/^(?:Play|Pause)$/),
    j: () => seekBy(-SEEK_STEP_SECONDS),
    arrowleft: () => seekBy(-SEEK_STEP_SECONDS),
    arrowright: () => seekBy(SEEK_STEP_SECONDS),
    a: () => switchMonitor('original'),
    b: () => switchMonitor('edited'),
    m: toggleMute,
    l: () => {
      const { loop, sound } = engine.getSnapshot()
      if (sound !== undefined) engine.setLoop({ ...loop, on: !loop.on })
    },
    i: () => setLoopEnd('startS'),
    o: () => setLoopEnd('endS'),
    '+': () => pressButton(/^Zoom in$/),
    '=': () => pressButton(/^Zoom in$/),
    '-': () => pressButton(/^Zoom out$/),
    '?': () => setListOpen(true),
  }
  const controlActions: Partial<Record<string, (hasShift: boolean) => void>> = {
    z: (hasShift) => (hasShift ? redo() : undo()),
    y: redo,
    s: () => pressButton(/^Download as/),
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.defaultPrevented || isForInputMethod(event) || document.querySelector('dialog:modal')) return
    const targetElement = event.target instanceof Element ? event.target : null
    if (targetElement?.closest(textFieldSelector) || targetElement?.closest('[role^=menu]')) return
    const keyName = readPressedKey(event)
    const hasControlKey = event.ctrlKey || event.metaKey
    // Sliders handle arrow keys themselves.
    if (keyName.startsWith('arrow') && targetElement?.closest('input, [role=slider]')) return
    const keyAction = hasControlKey ? controlActions[keyName] : areShortcutsOn || keyName === '?' ? actionByKey[keyName] : undefined
    if (keyAction === undefined) return
    event.preventDefault()
    if (!event.repeat || repeatedKeys.has(keyName)) keyAction(event.shiftKey)
  })
  // The listener runs in the capture phase, before the player's listener on the document.
  useEffect(() => addListener(window, 'keydown', (event) => onKey(event), { capture: true }), [])
  return { isOn: areShortcutsOn, setOn: setShortcutsEnabled, isListOpen, closeList: () => setListOpen(false) }
}
