import { useEffect } from 'react'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { createCleanupScope } from '../../primitives/scope.ts'

/** A list in the snapshot has at most this many rows: more than fit on a screen. */
const SNAPSHOT_ROWS_MAX = 24
/** Matches elements that show input or are still loading. While the page has one, no snapshot is made. */
const UNFINISHED_SELECTOR = 'dialog[open], input:not([hidden]), textarea, select, [aria-busy=true]'
/** Matches content that the device must not store, and elements that are closed when the page is opened, such as menus. */
const UNSTORED_SELECTOR = '[data-unstored], dialog, input, [role=menu]'

/** The time after the page is opened at which the first snapshot is tried, and the interval of further tries until one succeeds. */
const FIRST_SNAPSHOT_DELAY_MS = 2_000

/**
 * Lets the service worker store the content of the page for the account, so that it is painted immediately at the next visit. The content is stored
 * once the page is complete, because a browser may be closed without any event, and again when the person leaves the page.
 */
export function useAccountSnapshot(): void {
  const uid = useSignedInAccount()?.uid
  useEffect(() => {
    if (uid === undefined) return
    const scope = createCleanupScope()
    const storeSnapshot = () => {
      const mainElement = document.getElementById('main')
      const snapshotHtml = mainElement ? renderSnapshot(mainElement, uid) : undefined
      if (snapshotHtml === undefined) return
      stopTrying()
      const styleSheets = [...document.querySelectorAll('link[rel=stylesheet]')].flatMap((link) => link.getAttribute('href') ?? [])
      // `serviceWorker` is absent in insecure contexts and with some browser settings, although its type does not say so.
      const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
      container?.controller?.postMessage({ type: 'STORE_SNAPSHOT', html: snapshotHtml, styleSheets })
    }
    const stopTrying = scope.interval(storeSnapshot, FIRST_SNAPSHOT_DELAY_MS)
    scope.listen(document, 'visibilitychange', () => {
      if (document.hidden) storeSnapshot()
    })
    return scope.dispose
  }, [uid])
}

/**
 * Returns the template with the snapshot; `undefined` if the page shows a form, is still loading, or has scrolled past the first rows of a
 * long list.
 */
export function renderSnapshot(mainElement: Element, uid: string): string | undefined {
  if (mainElement.querySelector(UNFINISHED_SELECTOR)) return undefined
  const templateElement = document.createElement('template')
  templateElement.dataset.account = uid
  const { content } = templateElement
  for (const element of mainElement.children) content.append(element.cloneNode(true))
  for (const element of content.querySelectorAll(UNSTORED_SELECTOR)) element.remove()
  for (const list of content.querySelectorAll('ol')) {
    if (list.firstElementChild?.getAttribute('data-index') !== '0') return undefined
    for (const row of [...list.children].slice(SNAPSHOT_ROWS_MAX)) row.remove()
  }
  for (const element of content.querySelectorAll<HTMLElement>('[style]')) {
    element.dataset.style = element.style.cssText
    element.removeAttribute('style')
  }
  // The attribute hides a picture until the program has seen the picture load. In the snapshot, no program would remove it.
  for (const element of content.querySelectorAll('[data-loading]')) element.removeAttribute('data-loading')
  return templateElement.outerHTML
}
