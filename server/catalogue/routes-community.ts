import { LongList, readPages } from '../http/long-list.ts'
import { pageOf, type RouteContext } from '../route-context.ts'

/** The number of news items that are read at once: each may have 100,000 characters, as HTML and as a tree. */
const FEED_PAGE_ROWS = 10

/** Registers the endpoints of the site's settings, the members, the news and the other lists of the community pages. */
export function registerCommunity({ endpoint, storage, site, nowMs }: RouteContext): void {
  endpoint('GET /site', { isCached: true }, (_input, request) => site.siteOf(request.site))
  endpoint('GET /member/stats', { isCached: true }, () => storage.members.readStats())
  endpoint('GET /member/all', { isCached: true }, async (input) => new LongList([], readPages(pageOf(input), storage.members.list)))
  endpoint(
    'GET /member/testimonial',
    { isCached: true },
    async (input) => new LongList([], readPages(pageOf(input), storage.members.listTestimonials)),
  )
  endpoint(
    'GET /subscriber/getsubscriberssite',
    { isCached: true },
    async (input) =>
      new LongList(
        [],
        readPages(pageOf(input), (page) => storage.supporters.list(page, nowMs())),
      ),
  )
  endpoint(
    'GET /feed/get',
    { isCached: true },
    async (input) => new LongList([], readPages(pageOf(input), storage.feed.list, FEED_PAGE_ROWS)),
  )
}
