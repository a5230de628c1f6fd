import { pageOf, type RouteContext } from './route-context.ts'

/** Registers the endpoints of the site's settings, the members, the news and the other lists of the community pages. */
export function registerCommunity({ endpoint, storage, site, nowMs }: RouteContext): void {
  endpoint('GET /site', { isCached: true }, (_input, request) => site.siteOf(request.site))
  endpoint('GET /member/stats', { isCached: true }, () => storage.members.readStats())
  endpoint('GET /member/all', { isCached: true }, (input) => storage.members.list(pageOf(input)))
  endpoint('GET /member/testimonial', { isCached: true }, (input) => storage.members.listTestimonials(pageOf(input)))
  endpoint('GET /subscriber/getsubscriberssite', { isCached: true }, (input) => storage.supporters.list(pageOf(input), nowMs()))
  endpoint('GET /feed/get', { isCached: true }, (input) => storage.feed.list(pageOf(input)))
}
