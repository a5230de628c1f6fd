/** What the server answers itself, though it lies on the same origin. */
const serverPaths = /^\/(api|img|go|account\/link_discord)(\/|$)|\.[a-z0-9]+$/i

/** The page's own address that `link` leads to, or `undefined` where the browser must follow it. */
export function innerAddress(link: HTMLAnchorElement, here: Location = location): string | undefined {
  if (link.origin !== here.origin || link.hasAttribute('download') || serverPaths.test(link.pathname)) return undefined
  if (link.target !== '' && link.target !== '_self') return undefined
  return link.pathname + link.search + link.hash
}

interface Navigator {
  history: { push(address: string): void }
}

/**
 * Makes every plain link to a page of this site a navigation without a reload, so that the parts of the interface need
 * to know no router. Gives the way to stop it.
 */
export function followLinks(page: Document, router: Navigator): () => void {
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.getAttribute('href') === null) return
    const address = innerAddress(link)
    // A jump within this page is the browser's.
    if (address === undefined || (link.hash !== '' && link.pathname + link.search === location.pathname + location.search)) return
    event.preventDefault()
    router.history.push(address)
  }
  page.addEventListener('click', onClick)
  return () => page.removeEventListener('click', onClick)
}
