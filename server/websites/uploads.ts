import { LRUCache } from 'lru-cache'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { channelIdsIn } from '../../contract/channel.ts'
import { ApiError } from '../../contract/errors.ts'
import { WEBSITE_ENTRY_TITLE_MAX_LENGTH, WEBSITE_SONGS_MAX, type WebsiteEntry } from '../../contract/website-rules.ts'
import { watchUrl } from '../../contract/youtube.ts'
import { HOUR_MS } from '../durations.ts'
import type { YoutubeReader } from '../http/youtube-reader.ts'

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

const unavailableError = () =>
  new ApiError('unavailable', 'YouTube cannot be asked right now. Please try again later, or add the links yourself.')

/** Returns the handle in the URL of a channel, such as `@aria`. Browsers copy handles of other scripts with escapes. */
function readHandle(channelUrl: string): string | undefined {
  const [handle] = /@[^/?#\s]+/.exec(channelUrl) ?? []
  try {
    return handle && decodeURIComponent(handle)
  } catch {
    return handle
  }
}

/**
 * Returns the function that lists the newest public uploads of a channel;
 * `undefined` without an API key. A list costs two units of the key's daily quota, and is cached for an hour.
 */
export function createUploadLister(readYoutube: YoutubeReader | undefined): ((channel: string) => Promise<WebsiteEntry[]>) | undefined {
  if (readYoutube === undefined) return undefined
  const lists = new LRUCache<string, WebsiteEntry[]>({ max: 500, ttl: HOUR_MS })

  // For a channel without uploads, the API answers that the list of uploads does not exist.
  const readOrEmpty: YoutubeReader = async (resource, parameters) => {
    const answer = await readYoutube(resource, parameters)
    return answer === 'not-found' ? {} : answer
  }

  return async (channelUrl) => {
    const list = lists.get(channelUrl) ?? (await listUploads(channelUrl))
    if (list.length > 0) lists.set(channelUrl, list)
    return list
  }

  async function listUploads(channelUrl: string): Promise<WebsiteEntry[]> {
    const [id] = channelIdsIn(channelUrl)
    const handle = readHandle(channelUrl)
    if (id === undefined && handle === undefined) return []
    const channels = await readOrEmpty('channels', { part: 'contentDetails', ...(id === undefined ? { forHandle: handle ?? '' } : { id }) })
    if (!channelsCheck.Check(channels)) throw unavailableError()
    const playlistId = channels.items?.[0]?.contentDetails.relatedPlaylists.uploads
    if (playlistId === undefined || playlistId === '') return []
    const uploads = await readOrEmpty('playlistItems', {
      part: 'snippet,contentDetails,status',
      playlistId,
      maxResults: String(2 * WEBSITE_SONGS_MAX),
    })
    if (!uploadsCheck.Check(uploads)) throw unavailableError()
    return (uploads.items ?? [])
      .filter(({ status }) => status?.privacyStatus === undefined || status.privacyStatus === 'public')
      .slice(0, WEBSITE_SONGS_MAX)
      .map(({ snippet, contentDetails }) => ({
        title: [...snippet.title].slice(0, WEBSITE_ENTRY_TITLE_MAX_LENGTH).join(''),
        url: watchUrl(contentDetails.videoId),
      }))
  }
}
