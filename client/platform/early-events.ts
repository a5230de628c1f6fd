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

/** React takes the page over piece by piece, and tells nobody when: it is seen by the property that it puts on each element. */
async function taken(element: Element): Promise<void> {
  const until = performance.now() + GIVE_UP_MS
  while (!Object.keys(element).some((key) => key.startsWith('__react')) && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}

/**
 * Does what a person asked for before the program was there: presses of buttons, and choices of lists. Links have been followed by
 * the browser already.
 */
export async function replay(events: readonly EarlyEvent[]): Promise<void> {
  let pressed: Element | undefined
  for (const { event, value } of events) {
    const { target } = event
    if (!(target instanceof Element)) continue
    const button = event.type === 'click' ? target.closest('button') : null
    const select = event.type === 'change' && target instanceof HTMLSelectElement && typeof value === 'string' ? target : null
    // Who presses again because nothing happened wants it once.
    if (button && button !== pressed) {
      await taken(button)
      button.click()
      pressed = button
    }
    if (select && typeof value === 'string') {
      await taken(select)
      select.value = value
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}
