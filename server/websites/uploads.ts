import { LRUCache } from 'lru-cache'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { findChannelIds } from '../../contract/channel.ts'
import { ApiError } from '../../contract/errors.ts'
import { WEBSITE_ENTRY_TITLE_MAX_LENGTH, WEBSITE_SONGS_MAX, type WebsiteEntry } from '../../contract/website-rules.ts'
import { createWatchUrl } from '../../contract/youtube.ts'
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

const createUnavailableError = () =>
  new ApiError('unavailable', 'YouTube cannot be asked right now. Please try again later, or add the links yourself.')

/** Returns the handle in the URL of a channel, such as `@aria`. Browsers copy handles of other scripts with escapes. */
function readHandle(channelUrl: string): string | undefined {
  const [channelHandle] = /@[^/?#\s]+/.exec(channelUrl) ?? []
  try {
    return channelHandle && decodeURIComponent(channelHandle)
  } catch {
    return channelHandle
  }
}

/**
 * Returns the function that lists the newest public uploads of a channel;
 * `undefined` without an API key. A list costs two units of the key's daily quota, and is cached for an hour.
 */
export function createUploadLister(readYoutube: YoutubeReader | undefined): ((channel: string) => Promise<WebsiteEntry[]>) | undefined {
  if (readYoutube === undefined) return undefined
  const uploadsByChannel = new LRUCache<string, WebsiteEntry[]>({ max: 500, ttl: HOUR_MS })

  // For a channel without uploads, the API answers that the list of uploads does not exist.
  const readOrEmpty: YoutubeReader = async (resourceName, queryParameters) => {
    const answer = await readYoutube(resourceName, queryParameters)
    return answer === 'not-found' ? {} : answer
  }

  return async (channelUrl) => {
    const list = uploadsByChannel.get(channelUrl) ?? (await listUploads(channelUrl))
    if (list.length > 0) uploadsByChannel.set(channelUrl, list)
    return list
  }

  async function listUploads(channelUrl: string): Promise<WebsiteEntry[]> {
    const [channelId] = findChannelIds(channelUrl)
    const channelHandle = readHandle(channelUrl)
    if (channelId === undefined && channelHandle === undefined) return []
    const channelsAnswer = await readOrEmpty('channels', {
      part: 'contentDetails',
      ...(channelId === undefined ? { forHandle: channelHandle ?? '' } : { id: channelId }),
    })
    if (!channelsCheck.Check(channelsAnswer)) throw createUnavailableError()
    const playlistId = channelsAnswer.items?.[0]?.contentDetails.relatedPlaylists.uploads
    if (playlistId === undefined || playlistId === '') return []
    const uploadsResponse = await readOrEmpty('playlistItems', {
      part: 'snippet,contentDetails,status',
      playlistId,
      maxResults: String(2 * WEBSITE_SONGS_MAX),
    })
    if (!uploadsCheck.Check(uploadsResponse)) throw createUnavailableError()
    return (uploadsResponse.items ?? [])
      .filter(({ status }) => status?.privacyStatus === undefined || status.privacyStatus === 'public')
      .slice(0, WEBSITE_SONGS_MAX)
      .map(({ snippet, contentDetails }) => ({
        title: [...snippet.title].slice(0, WEBSITE_ENTRY_TITLE_MAX_LENGTH).join(''),
        url: createWatchUrl(contentDetails.videoId),
      }))
  }
}
