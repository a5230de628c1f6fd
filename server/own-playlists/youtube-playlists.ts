import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError } from '../../contract/errors.ts'
import type { YoutubePlaylistItem } from '../../contract/own-playlist.ts'
import { parseYoutubePlaylistId } from '../../contract/youtube.ts'
import type { YoutubeReader } from '../http/youtube-reader.ts'

/** The number of entries in a page of the API, and the number of these pages that one call reads. */
const ITEMS_PER_PAGE = 50
const PAGES_PER_CALL = 5
const TITLE_MAX_LENGTH = 300

const playlistsValidator = Compile(
  Type.Object({ items: Type.Optional(Type.Array(Type.Object({ snippet: Type.Object({ title: Type.String() }) }))) }),
)
const itemsValidator = Compile(
  Type.Object({
    items: Type.Optional(
      Type.Array(
        Type.Object({
          // The entry of a deleted or private video has no owner.
          snippet: Type.Object({ title: Type.String(), videoOwnerChannelTitle: Type.Optional(Type.String()) }),
          contentDetails: Type.Object({ videoId: Type.String({ pattern: '^[A-Za-z0-9_-]{11}$' }) }),
        }),
      ),
    ),
    nextPageToken: Type.Optional(Type.String({ maxLength: 500, pattern: '^[\\w=-]+$' })),
  }),
)

const createNoPlaylistError = () => new ApiError('not-found', 'YouTube has no public playlist at this address.')
const createYoutubeUnavailableError = () =>
  new ApiError('unavailable', 'YouTube cannot be asked right now. Please try again later, or import a file.')

/** A part of a playlist at YouTube. `next` is the token of the next part; undefined at the end of the playlist. */
export interface YoutubePlaylistPart {
  title: string
  items: YoutubePlaylistItem[]
  next: string | undefined
}

const shortenTitle = (text: string) => [...text].slice(0, TITLE_MAX_LENGTH).join('')

/**
 * Returns the function that reads a part of a public playlist at YouTube, which costs up to six units of the key's daily quota.
 * @throws ApiError 400 for other addresses, 404 for a playlist that YouTube does not show or without an API key, 503 if YouTube does not answer
 */
export function createYoutubePlaylistReader(readYoutube: YoutubeReader | undefined) {
  return async (url: string, pageToken: string | undefined): Promise<YoutubePlaylistPart> => {
    const playlistId = parseYoutubePlaylistId(url)
    if (playlistId === undefined) throw new ApiError('bad-input', 'url must be the address of a playlist at YouTube')
    if (readYoutube === undefined) throw new ApiError('not-found', 'This site cannot ask YouTube for playlists. Please import a file.')
    const playlistsAnswer = await readYoutube('playlists', { part: 'snippet', id: playlistId })
    if (!playlistsValidator.Check(playlistsAnswer))
      throw playlistsAnswer === 'not-found' ? createNoPlaylistError() : createYoutubeUnavailableError()
    const [playlist] = playlistsAnswer.items ?? []
    if (playlist === undefined) throw createNoPlaylistError()
    const playlistItems: YoutubePlaylistItem[] = []
    let nextPageToken = pageToken
    for (let pageCount = 0; pageCount < PAGES_PER_CALL; pageCount++) {
      const tokenParameter = nextPageToken === undefined ? {} : { pageToken: nextPageToken }
      const itemsAnswer = await readYoutube('playlistItems', {
        part: 'snippet,contentDetails',
        playlistId,
        maxResults: String(ITEMS_PER_PAGE),
        ...tokenParameter,
      })
      if (!itemsValidator.Check(itemsAnswer)) throw itemsAnswer === 'not-found' ? createNoPlaylistError() : createYoutubeUnavailableError()
      for (const { snippet, contentDetails } of itemsAnswer.items ?? [])
        playlistItems.push({
          s: contentDetails.videoId,
          title: shortenTitle(snippet.title),
          author: shortenTitle(snippet.videoOwnerChannelTitle ?? ''),
        })
      nextPageToken = itemsAnswer.nextPageToken
      if (nextPageToken === undefined) break
    }
    return { title: shortenTitle(playlist.snippet.title), items: playlistItems, next: nextPageToken }
  }
}
