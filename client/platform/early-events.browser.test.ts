import { afterEach, expect, it } from 'vitest'
import { type EarlyEvent, replayEvents, takeEarlyEvents } from './early-events.ts'

afterEach(() => document.body.replaceChildren())

/** Marks an element as hydrated, as React does. */
const markHydrated = (element: Element) => Object.assign(element, { __reactFiberTest: {} })

function renderMarkup(markup: string): {
  press: (selector: string) => EarlyEvent
  choose: (selector: string, value: string) => EarlyEvent
} {
  document.body.innerHTML = markup
  const recordEvent = (selector: string, event: Event, fieldValue?: string): EarlyEvent => {
    document.querySelector(selector)?.dispatchEvent(event)
    return { event, value: fieldValue }
  }
  return {
    press: (selector) => recordEvent(selector, new MouseEvent('click', { bubbles: true })),
    choose: (selector, value) => recordEvent(selector, new Event('change', { bubbles: true }), value),
  }
}

function recordPresses(selector: string) {
  const pressedElements: Element[] = []
  for (const button of document.querySelectorAll(selector)) button.addEventListener('click', () => pressedElements.push(button))
  return pressedElements
}

it('early events: after hydration, buttons that were pressed are pressed again, consecutive presses only once, and choices of select elements are repeated', async () => {
  const { press, choose } = renderMarkup('<button id="a">A</button><select id="s"><option>1<option>2</select><button id="b">B</button>')
  const earlyEvents = [press('#a'), press('#a'), choose('#s', '2'), press('#a'), press('#b')]
  const firstPresses = recordPresses('#a')
  const secondPresses = recordPresses('#b')
  const replayPromise = replayEvents(earlyEvents)
  await new Promise((resolve) => setTimeout(resolve, 120))
  expect(firstPresses).toHaveLength(0)
  for (const element of document.querySelectorAll('button, select')) markHydrated(element)
  await replayPromise
  expect(firstPresses).toHaveLength(2)
  expect(secondPresses).toHaveLength(1)
  expect(document.querySelector('select')?.value).toBe('2')
})

it('early events: a click on an element that hydration replaced is repeated on its replacement', async () => {
  const { press } = renderMarkup('<button aria-label="Search">x</button>')
  const earlyEvents = [press('button')]
  document.body.innerHTML = '<button>Other</button><button aria-label="Search">y</button>'
  const recordedPresses = recordPresses('button')
  for (const element of document.querySelectorAll('button')) markHydrated(element)
  await replayEvents(earlyEvents)
  expect(recordedPresses.map((button) => button.textContent)).toEqual(['y'])
})

it('early events: keys are pressed again if no element had the focus', async () => {
  renderMarkup('<input>')
  const pressedKeys: string[] = []
  const recordKey = ({ key, shiftKey }: KeyboardEvent) => pressedKeys.push(shiftKey ? `shift+${key}` : key)
  const typeKey = (targetElement: Element | null, keyName: string): EarlyEvent => {
    const event = new KeyboardEvent('keydown', { key: keyName, shiftKey: true, bubbles: true })
    targetElement?.dispatchEvent(event)
    return { event }
  }
  const earlyEvents = [typeKey(document.body, '?'), typeKey(document.querySelector('input'), 'n'), typeKey(document.body, 'N')]
  document.addEventListener('keydown', recordKey)
  await replayEvents(earlyEvents)
  expect(pressedKeys).toEqual(['shift+?', 'shift+N'])
  document.removeEventListener('keydown', recordKey)
})

it('early events: input after the start of the hydration is not replayed, except keys', () => {
  const { press } = renderMarkup('<button>A</button>')
  const clickBefore = press('button')
  const startMs = clickBefore.event.timeStamp + 0.001
  while (performance.now() <= startMs + 1);
  const keyEvent = { event: new KeyboardEvent('keydown', { key: '?' }) }
  window.early = [clickBefore, press('button'), keyEvent]
  expect(takeEarlyEvents(startMs)).toEqual([clickBefore, keyEvent])
  expect(window.early).toBeUndefined()
})
