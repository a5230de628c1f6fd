import { pageOf, type RouteContext } from './route-context.ts'

/** The site itself and the lists of its community pages. */
export function registerCommunity({ endpoint, storage, site }: RouteContext): void {
  endpoint('GET /site', { cached: true }, (_input, request) => site.siteOf(request.site))
  endpoint('GET /member/stats', { cached: true }, () => storage.members.stats())
  endpoint('GET /member/all', { cached: true }, (input) => storage.members.all(pageOf(input)))
  endpoint('GET /member/testimonial', { cached: true }, (input) => storage.members.testimonials(pageOf(input)))
  endpoint('GET /subscriber/getsubscriberssite', { cached: true }, (input) => storage.supporters.all(pageOf(input)))
  endpoint('GET /feed/get', { cached: true }, (input) => storage.feed.all(pageOf(input)))
}
