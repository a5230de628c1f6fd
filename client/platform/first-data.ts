import type { FirstData } from '../../contract/first-data.ts'
import { pageAddress } from '../../contract/page-address.ts'

/** The rows that the server wrote into this document for this address; none where it wrote none. */
export function readFirstData(page: Document): FirstData {
  const text = page.getElementById('first-data')?.textContent
  if (!text) return {}
  try {
    // Written by our own server from the same contract.
    return JSON.parse(text) as FirstData
  } catch {
    return {}
  }
}

/** Whether the document's markup is that of the address in the bar: a stand-in's is not. */
export const isPrerendered = (root: Element, location: Location): boolean =>
  root.getAttribute('data-path') === pageAddress(location.pathname, location.search)

/** Whether one came back to this document: the browser may have kept it for days, and rows of it may be older than the device's. */
export const isReturn = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward')
