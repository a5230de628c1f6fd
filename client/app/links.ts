import { isServerPath } from '../../contract/paths.ts'
import { isPlainClick } from '../primitives/keys.ts'
import { addListener } from '../primitives/scope.ts'

/** Returns the path, query and fragment of a link to a page of this site, or `undefined` if the browser has to follow the link. */
function readPageAddress(linkElement: HTMLAnchorElement, currentLocation: Location = location): string | undefined {
  if (linkElement.origin !== currentLocation.origin || linkElement.hasAttribute('download') || isServerPath(linkElement.pathname))
    return undefined
  if (linkElement.target !== '' && linkElement.target !== '_self') return undefined
  return linkElement.pathname + linkElement.search + linkElement.hash
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
    const pageUrl = readPageAddress(link)
    // Links to a fragment of the current page are left to the browser, which scrolls there.
    if (pageUrl === undefined || (link.hash !== '' && link.pathname + link.search === location.pathname + location.search)) return
    event.preventDefault()
    router.history.push(pageUrl)
  }
  return addListener(pageDocument, 'click', onClick)
}
