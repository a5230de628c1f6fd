import { isServerPath } from '../../contract/paths.ts'
import { isPlainClick } from '../primitives/keys.ts'
import { listen } from '../primitives/scope.ts'

/** Returns the path, query and fragment of a link to a page of this site, or `undefined` if the browser has to follow the link. */
function pageAddressOf(link: HTMLAnchorElement, currentLocation: Location = location): string | undefined {
  if (link.origin !== currentLocation.origin || link.hasAttribute('download') || isServerPath(link.pathname)) return undefined
  if (link.target !== '' && link.target !== '_self') return undefined
  return link.pathname + link.search + link.hash
}

interface LinkRouter {
  history: { push(address: string): void }
}

/**
 * Makes the router follow every plain link to a page or a redirect (`/go/…`) of this site, so that components can render plain `<a>` elements.
 * @returns a function that removes the listener
 */
export function routeLinkClicks(pageDocument: Document, router: LinkRouter): () => void {
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || !isPlainClick(event)) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.getAttribute('href') === null) return
    const pageUrl = pageAddressOf(link)
    // Links to a fragment of the current page are left to the browser, which scrolls there.
    if (pageUrl === undefined || (link.hash !== '' && link.pathname + link.search === location.pathname + location.search)) return
    event.preventDefault()
    router.history.push(pageUrl)
  }
  return listen(pageDocument, 'click', onClick)
}
