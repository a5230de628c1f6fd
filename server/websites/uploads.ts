import { LRUCache } from 'lru-cache'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { channelIdsIn } from '../../contract/channel.ts'
import { ApiError } from '../../contract/errors.ts'
import { WEBSITE_ENTRY_TITLE_MAX_LENGTH, WEBSITE_SONGS_MAX, type WebsiteEntry } from '../../contract/website-rules.ts'
import { watchUrl } from '../../contract/youtube.ts'
import type { Config } from '../config.ts'
import { HOUR_MS } from '../durations.ts'
import type { Log } from '../log.ts'

const TIMEOUT_MS = 5_000

const channelsCheck = Compile(
  Type.Object({
    items: Type.Optional(
      Type.Array(
        Type.Object({ contentDetails: Type.Object({ relatedPlaylists: Type.Object({ uploads: Type.Optional(Type.String()) }) }) }),
      ),
    ),
  }),
)
const uploadsCheck = Compile(
  Type.Object({
    items: Type.Optional(
      Type.Array(
        Type.Object({
          snippet: Type.Object({ title: Type.String() }),
          contentDetails: Type.Object({ videoId: Type.String({ pattern: '^[A-Za-z0-9_-]{11}$' }) }),
          status: Type.Optional(Type.Object({ privacyStatus: Type.Optional(Type.String()) })),
        }),
      ),
    ),
  }),
)

const unavailable = () =>
  new ApiError('unavailable', 'YouTube cannot be asked right now. Please try again later, or add the links yourself.')

/** Returns the handle in the address of a channel, such as `@aria`. Browsers copy handles of other scripts with escapes. */
function handleIn(channel: string): string | undefined {
  const [handle] = /@[^/?#\s]+/.exec(channel) ?? []
  try {
    return handle && decodeURIComponent(handle)
  } catch {
    return handle
  }
}

/**
 * Returns the function that lists the newest public uploads of a channel, which it reads from the YouTube Data API v3; `undefined` without an API
 * key. A list costs two units of the key's daily quota, and is cached for an hour.
 */
export function createUploadLister(
  { apiKey, apiBase }: Config['youtube'],
  log: Log,
): ((channel: string) => Promise<WebsiteEntry[]>) | undefined {
  if (apiKey === undefined) return undefined
  const lists = new LRUCache<string, WebsiteEntry[]>({ max: 500, ttl: HOUR_MS })

  async function read(resource: string, parameters: Record<string, string>): Promise<unknown> {
    const query = new URLSearchParams({ ...parameters, key: apiKey ?? '' })
    try {
      const response = await fetch(`${apiBase}/${resource}?${query}`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
      // For a channel without uploads, the API answers that the list of uploads does not exist.
      if (response.status === 404) return {}
      if (response.ok) return await response.json()
      log.warn({ resource, status: response.status }, 'YouTube refuses to list the uploads of a channel')
    } catch (err) {
      log.warn({ resource, err }, 'YouTube cannot be asked for the uploads of a channel')
    }
    return undefined
  }

  return async (channel) => {
    const list = lists.get(channel) ?? (await listUploads(channel))
    if (list.length > 0) lists.set(channel, list)
    return list
  }

  async function listUploads(channel: string): Promise<WebsiteEntry[]> {
    const [id] = channelIdsIn(channel)
    const handle = handleIn(channel)
    if (id === undefined && handle === undefined) return []
    const channels = await read('channels', { part: 'contentDetails', ...(id === undefined ? { forHandle: handle ?? '' } : { id }) })
    if (!channelsCheck.Check(channels)) throw unavailable()
    const playlistId = channels.items?.[0]?.contentDetails.relatedPlaylists.uploads
    if (playlistId === undefined || playlistId === '') return []
    const uploads = await read('playlistItems', {
      part: 'snippet,contentDetails,status',
      playlistId,
      maxResults: String(2 * WEBSITE_SONGS_MAX),
    })
    if (!uploadsCheck.Check(uploads)) throw unavailable()
    return (uploads.items ?? [])
      .filter(({ status }) => status?.privacyStatus === undefined || status.privacyStatus === 'public')
      .slice(0, WEBSITE_SONGS_MAX)
      .map(({ snippet, contentDetails }) => ({
        title: [...snippet.title].slice(0, WEBSITE_ENTRY_TITLE_MAX_LENGTH).join(''),
        url: watchUrl(contentDetails.videoId),
      }))
  }
}
