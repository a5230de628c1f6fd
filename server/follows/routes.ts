import { foldText } from '../../contract/fold-text.ts'
import { FOLLOWED_SONGS_MAX } from '../../contract/follow-rules.ts'
import { hasNoChanges } from '../http/sync-request.ts'
import { requireUser } from '../http/user.ts'
import type { RouteContext } from '../route-context.ts'

/** The maximum size of a request in bytes: the maximum number of changes with names of maximum length. */
const REQUEST_MAX_BYTES = 1_048_576

export function registerFollowRoutes({ endpoint, storage, site, nowMs }: RouteContext): void {
  endpoint('POST /follow/sync', { bodyMaxBytes: REQUEST_MAX_BYTES, isReadOnlyRequest: hasNoChanges }, async (input, request) =>
    storage.follows.sync(requireUser(request).uid, input, nowMs()),
  )

  endpoint('POST /follow/songs', { bodyMaxBytes: REQUEST_MAX_BYTES, isReadOnlyRequest: () => true }, async ({ artists }, request) => {
    const names = [...new Set(artists.map(foldText))].filter((name) => name !== '')
    const view = await site.viewOf(request.site.brand)
    return storage.newestSongs.listOfArtists(names, { limit: FOLLOWED_SONGS_MAX, untilMs: nowMs() }, view)
  })
}
