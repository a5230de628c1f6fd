/** An event that came before the program did, and the value that its target had then. */
export interface EarlyEvent {
  event: Event
  value?: unknown
}

declare global {
  interface Window {
    /** Filled by the script that starts the program (`server/pages/program.ts`), as long as it is there. */
    early?: EarlyEvent[]
  }
}

/** What happened on this page so far, in order. */
export const earlyEvents = (): readonly EarlyEvent[] => window.early ?? []

/** The same, for the last time: from now on the program hears by itself. */
export function takeEarlyEvents(): readonly EarlyEvent[] {
  const events = earlyEvents()
  delete window.early
  return events
}

const LOOK_EVERY_MS = 50
const GIVE_UP_MS = 10_000

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

/** What stands in the page for an element of the HTML: itself, or, where the page was made anew, the one that is called the same. */
const standInOf = (element: Element): Element | undefined =>
  element.isConnected ? element : [...document.querySelectorAll(element.localName)].find((other) => nameOf(other) === nameOf(element))

/** React takes the page over piece by piece, and tells nobody when: it is seen by the property that it puts on each element. */
async function taken(element: Element): Promise<Element | undefined> {
  const until = performance.now() + GIVE_UP_MS
  while (performance.now() < until) {
    const now = standInOf(element)
    if (now && Object.keys(now).some((key) => key.startsWith('__react'))) return now
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return undefined
}

/**
 * Does what a person asked for before the program was there: presses of buttons, and choices of lists. Links have been followed by
 * the browser already.
 */
export async function replay(events: readonly EarlyEvent[]): Promise<void> {
  // Who presses again because nothing happened wants it once.
  const pressed = new Set<Element>()
  const note = ({ isTrusted, target }: MouseEvent) => {
    const button = isTrusted && target instanceof Element && target.closest('button')
    if (button) pressed.add(button)
  }
  document.addEventListener('click', note, true)
  let last: Element | undefined
  for (const { event, value } of events) {
    const { target } = event
    if (!(target instanceof Element)) continue
    const button = event.type === 'click' ? target.closest('button') : null
    if (button && button !== last) {
      last = button
      const now = await taken(button)
      if (now instanceof HTMLElement && !pressed.has(now)) now.click()
    }
    if (event.type === 'change' && target instanceof HTMLSelectElement && typeof value === 'string') {
      last = undefined
      const now = await taken(target)
      if (!(now instanceof HTMLSelectElement)) continue
      now.value = value
      now.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  document.removeEventListener('click', note, true)
}
