import type { FastifyRequest } from 'fastify'
import { foldText } from '../../contract/fold-text.ts'
import type { FollowSyncRequest } from '../../contract/follow.ts'
import { FOLLOWED_SONGS_MAX } from '../../contract/follow-rules.ts'
import { requireUser } from '../http/user.ts'
import type { RouteContext } from '../route-context.ts'

/** The maximum size of a request in bytes: the maximum number of changes with names of maximum length. */
const REQUEST_MAX_BYTES = 1_048_576

/** Whether a request contains no changes. Pages send such requests whenever they are shown. */
const hasNoChanges = ({ body }: FastifyRequest) => {
  // The cast is safe, because the body was validated before.
  const { changes = [] } = body as FollowSyncRequest
  return changes.length === 0
}

export function registerFollowRoutes({ endpoint, storage, site, nowMs }: RouteContext): void {
  endpoint('POST /follow/sync', { bodyMaxBytes: REQUEST_MAX_BYTES, isRead: hasNoChanges }, async (input, request) =>
    storage.follows.sync(requireUser(request).uid, input, nowMs()),
  )

  endpoint('POST /follow/songs', { bodyMaxBytes: REQUEST_MAX_BYTES, isRead: () => true }, async ({ artists }, request) => {
    const names = [...new Set(artists.map(foldText))].filter((name) => name !== '')
    const view = await site.viewOf(request.site.brand)
    return storage.newestSongs.listOfArtists(names, { limit: FOLLOWED_SONGS_MAX, untilMs: nowMs() }, view)
  })
}
