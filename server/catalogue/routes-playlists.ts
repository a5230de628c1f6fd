import { ApiError } from '../../contract/errors.ts'
import { LongList, readPages } from '../http/long-list.ts'
import { pageOf, type RouteContext } from '../route-context.ts'

const EXPLORE_COUNT = 12

export function registerPlaylists({ endpoint, storage, site, nowMs }: RouteContext): void {
  endpoint('GET /playlist/all', { isCached: true }, async (input, request) =>
    storage.playlists.list(
      { homeOnly: input.home === 'true', order: input.order, nowMs: nowMs(), ...pageOf(input) },
      await site.viewOf(request.site.brand),
    ),
  )

  endpoint('GET /playlist/explore', {}, async (_input, request) =>
    storage.playlists.listRandom(EXPLORE_COUNT, await site.viewOf(request.site.brand)),
  )

  endpoint('GET /playlist/get', { isCached: true }, async (input, request) => {
    const id = input.p.trim()
    const view = await site.viewOf(request.site.brand)
    const playlist = await storage.playlists.find(id)
    if (playlist === undefined) throw new ApiError('not-found', 'There is no such playlist.')
    const pages = readPages(pageOf(input), async (page) => (await storage.playlists.get(id, page, view))?.songs ?? [])
    return new LongList({ playlist, songs: [] }, pages)
  })
}
