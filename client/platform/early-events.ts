import { createCleanupScope } from '../primitives/scope.ts'

/** An event that was dispatched before the page's program was loaded, with the value of its target at that time. */
export interface EarlyEvent {
  event: Event
  value?: unknown
}

declare global {
  interface Window {
    /** The events that the script that loads the program (`server/pages/deferred-scripts.ts`) has recorded. */
    early?: EarlyEvent[]
  }
}

export const getEarlyEvents = (): readonly EarlyEvent[] => window.early ?? []

/**
 * Ends the recording. Returns the recorded events. If the page is hydrated, presses and choices after `hydrationStartMs` (a time of
 * `performance.now()`) are left out, because React replays them itself; keys are not.
 */
export function takeEarlyEvents(hydrationStartMs = Number.POSITIVE_INFINITY): readonly EarlyEvent[] {
  const events = getEarlyEvents()
  delete window.early
  return events.filter(({ event }) => event.timeStamp < hydrationStartMs || event.type === 'keydown')
}

const HYDRATION_POLL_INTERVAL_MS = 50
const HYDRATION_TIMEOUT_MS = 10_000

const readLabel = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

/** Returns the element, or, if it was replaced by a new render, the element with the same tag and label. */
const findCurrentElement = (element: Element): Element | undefined =>
  element.isConnected
    ? element
    : [...document.querySelectorAll(element.localName)].find((candidate) => readLabel(candidate) === readLabel(element))

/** Waits until React has hydrated the element. React fires no event for this, but adds a property to each hydrated element. */
async function waitForHydration(element: Element): Promise<Element | undefined> {
  const deadlineMs = performance.now() + HYDRATION_TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    const replacement = findCurrentElement(element)
    if (replacement && Object.keys(replacement).some((key) => key.startsWith('__react'))) return replacement
    await new Promise((resolve) => setTimeout(resolve, HYDRATION_POLL_INTERVAL_MS))
  }
  return undefined
}

/**
 * Repeats recorded events on the hydrated page: presses of buttons, choices of select elements, and keys that were pressed while no element
 * had the focus. Presses of links are not repeated, because the browser has followed the links.
 */
export async function replayEvents(events: readonly EarlyEvent[]): Promise<void> {
  // A button that the person presses again during the replay is not pressed a second time.
  const pressedElements = new Set<Element>()
  const scope = createCleanupScope()
  const onClick = ({ isTrusted, target }: MouseEvent) => {
    const button = isTrusted && target instanceof Element && target.closest('button')
    if (button) pressedElements.add(button)
  }
  scope.listen(document, 'click', onClick, { capture: true })
  let lastPressedButton: Element | undefined
  for (const { event, value } of events) {
    const { target } = event
    if (!(target instanceof Element)) continue
    if (event instanceof KeyboardEvent && target === document.body) target.dispatchEvent(new KeyboardEvent(event.type, event))
    const button = event.type === 'click' ? target.closest('button') : null
    if (button && button !== lastPressedButton) {
      lastPressedButton = button
      const hydratedButton = await waitForHydration(button)
      if (hydratedButton instanceof HTMLElement && !pressedElements.has(hydratedButton)) hydratedButton.click()
    }
    if (event.type === 'change' && target instanceof HTMLSelectElement && typeof value === 'string') {
      lastPressedButton = undefined
      const hydratedSelect = await waitForHydration(target)
      if (!(hydratedSelect instanceof HTMLSelectElement)) continue
      hydratedSelect.value = value
      hydratedSelect.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  scope.dispose()
}
