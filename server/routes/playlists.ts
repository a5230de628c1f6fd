import { ApiError } from '../../contract/errors.ts'
import { LONG_LIST_PAGE_ROWS, LongList } from '../http/long-list.ts'
import { pageOf, type RouteContext } from './route-context.ts'

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
    const page = pageOf(input, LONG_LIST_PAGE_ROWS)
    const playlist = await storage.playlists.get(id, page, view)
    if (playlist === undefined) throw new ApiError('not-found', 'There is no such playlist.')
    if (input.limit !== undefined || playlist.songs.length < page.limit) return playlist
    return new LongList(
      playlist,
      async (offset) => (await storage.playlists.get(id, { ...page, offset: page.offset + offset }, view))?.songs ?? [],
    )
  })
}
