import type { WebsiteLink } from '../../contract/website.ts'
import { type LinkId, linkIds, type WebsiteEntry } from '../../contract/website-rules.ts'

type SubmittedLink = WebsiteEntry & { id?: string | undefined }

/**
 * Gives each link an id. A link whose address has not changed keeps its id. Any other link gets an id that no link had before, as long as such ids
 * are left. Also returns all ids that no link still has: clicks that were counted under these ids belong to earlier links.
 */
export function assignLinkIds(
  links: readonly SubmittedLink[],
  linksBefore: readonly WebsiteLink[],
): { links: WebsiteLink[]; newIds: LinkId[] } {
  const keptIds = new Set<LinkId>()
  const reusedIds = links.map(({ id, url }) => {
    const earlierLink = linksBefore.find((link) => link.id === id && link.url === url && !keptIds.has(link.id))
    if (earlierLink !== undefined) keptIds.add(earlierLink.id)
    return earlierLink?.id
  })
  const newIds = linkIds.filter((id) => !keptIds.has(id))
  const wasUsed = (id: LinkId) => linksBefore.some((link) => link.id === id)
  const freeIds = newIds.toSorted((a, b) => Number(wasUsed(a)) - Number(wasUsed(b)))
  const identifiedLinks = links.flatMap(({ title, url }, index): WebsiteLink[] => {
    const id = reusedIds[index] ?? freeIds.shift()
    return id === undefined ? [] : [{ id, title, url }]
  })
  return { links: identifiedLinks, newIds }
}
