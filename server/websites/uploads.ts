import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { channelIdsIn } from '../../contract/channel.ts'
import { ApiError } from '../../contract/errors.ts'
import { OWN_SONGS_MAX, OWN_TITLE_MAX_LENGTH, type OwnEntry } from '../../contract/website-rules.ts'
import { watchUrl } from '../../contract/youtube.ts'
import type { Config } from '../config.ts'

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

/**
 * Returns the function that lists the newest public uploads of a channel, by the YouTube Data API v3; `undefined` without an API key. A list costs two
 * units of the key's daily quota.
 */
export function createUploadList({ apiKey, apiBase }: Config['youtube']): ((channel: string) => Promise<OwnEntry[]>) | undefined {
  if (apiKey === undefined) return undefined

  async function read(resource: string, parameters: Record<string, string>): Promise<unknown> {
    const query = new URLSearchParams({ ...parameters, key: apiKey ?? '' })
    try {
      const response = await fetch(`${apiBase}/${resource}?${query}`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
      // A channel without uploads has no list.
      return response.status === 404 ? {} : response.ok ? await response.json() : undefined
    } catch {
      return undefined
    }
  }

  return async (channel) => {
    const [id] = channelIdsIn(channel)
    const [handle] = /@[^/?#\s]+/.exec(channel) ?? []
    if (id === undefined && handle === undefined) return []
    const channels = await read('channels', { part: 'contentDetails', ...(id === undefined ? { forHandle: handle ?? '' } : { id }) })
    if (!channelsCheck.Check(channels)) throw unavailable()
    const playlistId = channels.items?.[0]?.contentDetails.relatedPlaylists.uploads
    if (playlistId === undefined || playlistId === '') return []
    const uploads = await read('playlistItems', {
      part: 'snippet,contentDetails,status',
      playlistId,
      maxResults: String(2 * OWN_SONGS_MAX),
    })
    if (!uploadsCheck.Check(uploads)) throw unavailable()
    return (uploads.items ?? [])
      .filter(({ status }) => status?.privacyStatus === undefined || status.privacyStatus === 'public')
      .slice(0, OWN_SONGS_MAX)
      .map(({ snippet, contentDetails }) => ({
        title: [...snippet.title].slice(0, OWN_TITLE_MAX_LENGTH).join(''),
        url: watchUrl(contentDetails.videoId),
      }))
  }
}
