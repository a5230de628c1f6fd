import type { ContentDocumentName, NamedDocument } from '../../contract/content.ts'
import type { FirstRows, InitialData } from '../../contract/initial-data.ts'
import { NEWS_PER_PAGE } from '../../contract/news.ts'
import { SHARED_PLAYLIST_PATH } from '../../contract/paths.ts'
import { isContextOnDevice } from '../../contract/playlist-rules.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../contract/search-rules.ts'
import { toCataloguePlaylist } from '../../contract/shared-playlist.ts'
import {
  DEFAULT_PLAYLIST_SORT,
  DEFAULT_SONG_SORT,
  type PlaylistSort,
  parseSort,
  playlistSorts,
  songSorts,
} from '../../contract/sort-orders.ts'
import { SEARCH_START_SUGGESTIONS_MAX } from '../../contract/suggestions.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { findSharedPlaylist, type SharedPlaylistSources } from '../own-playlists/shared-playlist.ts'
import type { PromotionService } from '../promotion/promotions.ts'
import type { ContentService } from '../site/content.ts'
import type { Storage } from '../storage/open.ts'
import type { Pagination } from '../storage/pagination.ts'
import type { PageRequest } from './resolve-page.ts'

/** The number of embedded songs per list, enough to fill a tall screen. The client requests the others. */
const INITIAL_SONG_COUNT = 24
/** The number of embedded members: ten rows of pictures on a wide screen. */
const INITIAL_MEMBER_COUNT = 120
/** The number of embedded testimonials and supporters: as many as the network page shows at first. */
const INITIAL_TESTIMONIAL_COUNT = 30
const INITIAL_SUPPORTER_COUNT = 24

/** Returns whether `id` can be a playlist id. PostgreSQL rejects strings that contain a zero byte. */
const isPlaylistId = (id: string) => id !== '' && id.length <= 100 && id === id.trim() && !id.includes('\0')

/** Loads the song of the song page with its playlist context. */
async function loadSong({ query, view }: PageRequest, storage: Storage): Promise<InitialData> {
  const songId = parseVideoId(query.get('s') ?? '')
  const contextId = query.get('p') || undefined
  // No favorites and own playlists are embedded, because all accounts get the same document.
  if (songId === undefined || (contextId !== undefined && (isContextOnDevice(contextId) || !isPlaylistId(contextId)))) return {}
  const rows = await storage.songs.get(songId, contextId, view)
  return rows === undefined ? {} : { song: { id: songId, ...(contextId !== undefined && { contextId }), rows } }
}

async function loadPlaylist({ query, view }: PageRequest, storage: Storage): Promise<InitialData> {
  const playlistId = query.get('p') ?? ''
  if (!isPlaylistId(playlistId)) return {}
  const rows = await storage.playlists.get(playlistId, { limit: INITIAL_SONG_COUNT, offset: 0 }, view)
  return rows === undefined ? {} : { playlist: { id: playlistId, rows, complete: rows.songs.length >= rows.playlist.song_count } }
}

async function loadSharedPlaylist({ query, view }: PageRequest, sources: SharedPlaylistSources): Promise<InitialData> {
  const shareToken = query.get('l') ?? ''
  const found = await findSharedPlaylist(sources, shareToken)
  if (found === undefined) return {}
  const songs = await found.listSongs({ limit: INITIAL_SONG_COUNT, offset: 0 }, view)
  const rows = toCataloguePlaylist(shareToken, { ...found.playlist, songs })
  return { playlist: { id: rows.playlist.id, rows, complete: songs.length >= rows.playlist.song_count } }
}

async function loadSearch({ query, view }: PageRequest, storage: Storage): Promise<InitialData> {
  const searchText = (query.get('q') ?? '').trim()
  if (searchText === '') return { searchStart: await storage.suggestions.findStart(SEARCH_START_SUGGESTIONS_MAX) }
  if (searchText.length > SEARCH_TEXT_MAX_LENGTH || searchText.includes('\0')) return {}
  const isArtistSearch = query.get('type') === 'artist'
  const songSort = parseSort(songSorts, query.get('sort'), DEFAULT_SONG_SORT)
  const { orderBy, orderDir: sortDirection } = songSorts[songSort]
  const songRows = await storage.songs.search(
    { text: searchText, artistOnly: isArtistSearch, orderBy, direction: sortDirection, limit: INITIAL_SONG_COUNT, offset: 0 },
    view,
  )
  return {
    search: { text: searchText, artist: isArtistSearch, sort: songSort, rows: songRows, complete: songRows.length < INITIAL_SONG_COUNT },
  }
}

/** Loads the first `rowCount` rows of a list. */
async function loadFirstRows<T>(listRows: (page: Pagination) => Promise<T[]>, rowCount: number): Promise<FirstRows<T>> {
  const rows = await listRows({ limit: rowCount + 1, offset: 0 })
  return { rows: rows.slice(0, rowCount), complete: rows.length <= rowCount }
}

const loadMembers = ({ members }: Storage) => loadFirstRows(members.list, INITIAL_MEMBER_COUNT)

async function loadNetwork({ host }: PageRequest, { storage, content, nowMs }: InitialDataSources): Promise<InitialData> {
  const [members, memberStats, testimonials, supporters, ...documents] = await Promise.all([
    loadMembers(storage),
    storage.members.readStats(),
    loadFirstRows(storage.members.listTestimonials, INITIAL_TESTIMONIAL_COUNT),
    loadFirstRows((page) => storage.supporters.list(page, nowMs), INITIAL_SUPPORTER_COUNT),
    content.namedDocumentOf('benefits', host.brand),
    content.namedDocumentOf('academy', host.brand),
  ])
  return { members, memberStats, testimonials, supporters, documents }
}

/** The names of the long texts that pages show, by the path of the page. */
const documentNames: Readonly<Record<string, ContentDocumentName>> = {
  '/faq': 'faq',
  '/about-us': 'timeline',
  '/privacy': 'privacy',
  '/subscribe': 'plans',
}

/** Returns the long text, such as the terms, that the page at `path` shows; `undefined` if the page shows none. */
async function loadDocument({ host, path, settings }: PageRequest, contentService: ContentService): Promise<NamedDocument | undefined> {
  const name = path === settings.WHAT_IS_PATH ? 'what-is' : Object.hasOwn(documentNames, path) ? documentNames[path] : undefined
  return name && contentService.namedDocumentOf(name, host.brand)
}

interface InitialDataSources extends SharedPlaylistSources {
  storage: Storage
  content: ContentService
  promotions: Pick<PromotionService, 'today'>
  nowMs: number
}

/** Loads the rows that the client would request first for a page. Returns `{}` for other pages. */
export async function loadInitialData(request: PageRequest, sources: InitialDataSources): Promise<InitialData> {
  const { storage, content, promotions, nowMs } = sources
  const { host, path, query, onAir } = request
  if (host.hostClass === 'radio') return { radio: { onAir: onAir ?? null } }
  if (host.hostClass === 'subscriber') return request.subscriber === undefined || path !== '/' ? {} : { subscriber: request.subscriber }
  if (path === '/song') return loadSong(request, storage)
  if (path === '/playlist') return loadPlaylist(request, storage)
  if (path === SHARED_PLAYLIST_PATH) return loadSharedPlaylist(request, sources)
  if (path === '/search') return loadSearch(request, storage)
  if (path === '/network') return loadNetwork(request, sources)
  if (path === '/members') return { members: await loadMembers(storage) }
  if (path === '/latest') return { feed: await loadFirstRows((page) => storage.feed.list(page, nowMs), NEWS_PER_PAGE) }
  const pageDocument = await loadDocument(request, content)
  if (pageDocument !== undefined) return { documents: [pageDocument] }
  if (path !== '/' && path !== '/playlists') return {}
  const playlistOrder = path === '/' ? 'home' : parseSort<PlaylistSort>(playlistSorts, query.get('sort'), DEFAULT_PLAYLIST_SORT)
  const sortDirection = playlistOrder === 'az' || playlistOrder === 'za' ? playlistSorts[playlistOrder].order : undefined
  const leadIds = request.settings.LEAD_PLAYLISTS
  const listOptions = { homeOnly: playlistOrder === 'home', order: sortDirection, leadIds, nowMs, limit: 10_000, offset: 0 }
  const [playlistRows, todaysPromotion] = await Promise.all([
    storage.playlists.list(listOptions),
    playlistOrder === 'home' ? promotions.today() : undefined,
  ])
  return { playlists: { order: playlistOrder, rows: playlistRows }, ...(todaysPromotion !== undefined && { promotion: todaysPromotion }) }
}
