import { createHash } from 'node:crypto'
import { foldText } from '../../contract/fold-text.ts'
import type { InitialData } from '../../contract/initial-data.ts'
import { ATOM_PATH, createArtistAtomPath, createPlaylistAtomPath } from '../../contract/news.ts'
import { isShareToken } from '../../contract/own-playlist-rules.ts'
import { formatPageTitle, formatSearchHeading, formatSongHeading, NOT_FOUND_HEADING } from '../../contract/page-titles.ts'
import { pages } from '../../contract/pages.ts'
import { SHARED_PLAYLIST_PATH } from '../../contract/paths.ts'
import { isContextOnDevice, isOwnPlaylistContext, readSharedPlaylistToken } from '../../contract/playlist-rules.ts'
import { formatRadioTitle } from '../../contract/radio-page.ts'
import { extractPlainText } from '../../contract/rich-text.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../contract/search-rules.ts'
import type { Settings } from '../../contract/site.ts'
import { NO_CATEGORY_ID } from '../../contract/song-rules.ts'
import type { SubscriberInfo } from '../../contract/website.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import type { HostSite } from '../http/hosts.ts'
import type { StationProgramme } from '../radio/radio.ts'
import type { ContentService } from '../site/content.ts'
import type { Storage } from '../storage/open.ts'
import { describeRadio, type FixedHeadPath, hasFixedHead, pageDescriptions } from './descriptions.ts'
import { isIndexable } from './indexing.ts'
import { truncateText } from './markup.ts'
import {
  createBreadcrumbData,
  createFaqData,
  createOrganizationData,
  createPlaylistData,
  createRadioData,
  createSongData,
  createSubscriberData,
  createWebsiteData,
} from './structured-data.ts'

/** The content of a document's `<head>`, and the HTTP status of its response. */
export interface PageHead {
  status: 200 | 404
  title: string
  description: string
  heading: string
  /** The canonical path and query; absent on the 404 page. */
  canonical?: string
  /** The URL of the page's preview picture on this origin, 1200 pixels wide. */
  image: string
  ogType: 'website' | 'music.song' | 'music.playlist'
  jsonLd: Record<string, unknown>[]
  /** The Atom feed with the page's content, for feed readers. */
  atom?: { path: string; title: string }
  indexable: boolean
  /** Whether the rows of the page are only on the device. If so, the page reads the device's database immediately, and is not hydrated. */
  hasDeviceRows?: true
  /** Whether the page opens the device's database immediately, because it shows what is stored there. */
  opensDatabase?: boolean
}

export interface PageRequest {
  host: HostSite
  /** The path of the requested URL, without trailing slashes except for `/`. */
  path: string
  query: URLSearchParams
  settings: Settings
  view: SongReadOptions
  /** On a radio host, the programme of its main station; `undefined` if the station has no songs, and on other hosts. */
  onAir: StationProgramme | undefined
  /** On a subscriber's host, the public information about the subscriber; `undefined` on other hosts. */
  subscriber: SubscriberInfo | undefined
}

interface HeadSources {
  storage: Storage
  content: ContentService
  /** The rows that the page shows; for the head, they are not read from the storage again. */
  data: InitialData
  nowMs: number
}

/** Whether a text can be searched. PostgreSQL rejects texts with a zero byte. */
export const isSearchText = (text: string): boolean => text.length <= SEARCH_TEXT_MAX_LENGTH && !text.includes('\0')

/** Whether an id is a valid playlist id. */
export const isPlaylistId = (id: string): boolean => id !== '' && id.length <= 100 && !id.includes('\0')

/** The pages whose lists are stored on the device, and not on the server. */
const devicePaths: ReadonlySet<string> = new Set(['/recent', '/year'])

const SITE_IMAGE_PATH = '/img/og/site.jpg'
/** The maximum number of songs in a playlist's structured data. */
const LISTED_TRACKS_MAX = 20

function createHead({ settings, host }: PageRequest, headingText: string, pageDescription: string, canonicalPath: string): PageHead {
  const imageUrl = host.origin + SITE_IMAGE_PATH
  const title = formatPageTitle(headingText, settings)
  return {
    status: 200,
    title,
    description: pageDescription,
    heading: headingText,
    canonical: canonicalPath,
    image: imageUrl,
    ogType: 'website',
    jsonLd: [],
    indexable: true,
  }
}

function createNotFoundHead(request: PageRequest): PageHead {
  const { canonical: _none, ...pageHead } = createHead(
    request,
    NOT_FOUND_HEADING,
    `This page does not exist at ${request.settings.NAME}.`,
    '/',
  )
  return { ...pageHead, status: 404, indexable: false }
}

function createHomeHead(request: PageRequest): PageHead {
  const { settings, host } = request
  return {
    ...createHead(request, settings.META_TITLE, settings.META_DESCRIPTION, '/'),
    title: settings.META_TITLE,
    heading: settings.HERO_TITLE,
    jsonLd: [createWebsiteData(host.origin, settings.NAME, settings.META_DESCRIPTION), createOrganizationData(host.origin, settings)],
  }
}

async function createSongHead(request: PageRequest, storage: Storage, data: InitialData): Promise<PageHead> {
  const { query, host, settings, view } = request
  const songId = parseVideoId(query.get('s') ?? '')
  const foundSong = data.song?.rows ?? (songId === undefined ? undefined : await storage.songs.get(songId, undefined, view))
  if (foundSong === undefined) return createNotFoundHead(request)
  const imageUrl = `${host.origin}/img/og/song/${foundSong.youtube_id}.jpg`
  const titleAndArtist = `${foundSong.title} by ${foundSong.author_name}`
  const songPath = `/song?s=${foundSong.youtube_id}`
  // A video that is in own playlists only has no category, and is no page of the catalogue.
  const isInCatalogue = foundSong.category_id !== NO_CATEGORY_ID
  const categoryCrumb = { name: foundSong.category_name, path: `/playlist?p=${encodeURIComponent(foundSong.category_id)}` }
  return {
    ...createHead(
      request,
      foundSong.title,
      truncateText(foundSong.description) || `Listen to ${titleAndArtist} on ${settings.NAME}.`,
      songPath,
    ),
    title: formatPageTitle(formatSongHeading(foundSong), settings),
    image: imageUrl,
    ogType: 'music.song',
    indexable: isInCatalogue,
    ...(isContextOnDevice(query.get('p') ?? undefined) && { hasDeviceRows: true as const }),
    jsonLd: [
      ...createSongData(host.origin, foundSong, imageUrl),
      createBreadcrumbData(host.origin, [
        { name: 'Playlists', path: '/playlists' },
        ...(isInCatalogue ? [categoryCrumb] : []),
        { name: foundSong.title, path: songPath },
      ]),
    ],
  }
}

const describePlaylist = (title: string, count: number, { NAME }: Settings) =>
  `${title}: ${count} ${count === 1 ? 'song' : 'songs'} to listen to on ${NAME}.`

/** The head for a playlist of an account, or one that the device has stored. All accounts get the same document, since the device has the rows. */
function createOwnPlaylistHead(request: PageRequest): PageHead {
  const { heading } = pages['/playlist']
  const { canonical: _none, ...head } = createHead(request, heading, `A playlist of your own at ${request.settings.NAME}.`, '/playlist')
  return { ...head, indexable: false, hasDeviceRows: true }
}

async function createPlaylistHead(request: PageRequest, storage: Storage, data: InitialData): Promise<PageHead> {
  const { query, host, settings, view } = request
  const playlistId = query.get('p')?.trim() ?? ''
  if (isOwnPlaylistContext(playlistId) || readSharedPlaylistToken(playlistId) !== undefined) return createOwnPlaylistHead(request)
  const foundPlaylist =
    data.playlist?.rows ??
    (isPlaylistId(playlistId) ? await storage.playlists.get(playlistId, { limit: LISTED_TRACKS_MAX, offset: 0 }, view) : undefined)
  if (foundPlaylist === undefined) return createNotFoundHead(request)
  const { title, description, song_count: songCount } = foundPlaylist.playlist
  const imageUrl = `${host.origin}/img/og/playlist/${encodeURIComponent(foundPlaylist.playlist.id)}.jpg`
  const playlistPath = `/playlist?p=${encodeURIComponent(foundPlaylist.playlist.id)}`
  return {
    ...createHead(request, title, truncateText(description) || describePlaylist(title, songCount, settings), playlistPath),
    image: imageUrl,
    ogType: 'music.playlist',
    atom: { path: createPlaylistAtomPath(foundPlaylist.playlist.id), title: formatPageTitle(title, settings) },
    jsonLd: [
      createPlaylistData(host.origin, playlistPath, foundPlaylist.playlist, foundPlaylist.songs.slice(0, LISTED_TRACKS_MAX), imageUrl),
      createBreadcrumbData(host.origin, [
        { name: 'Playlists', path: '/playlists' },
        { name: title, path: playlistPath },
      ]),
    ],
  }
}

async function createSharedPlaylistHead(
  request: PageRequest,
  { ownPlaylists }: Storage,
  { playlist: listed }: InitialData,
): Promise<PageHead> {
  const { query, host, settings } = request
  const shareToken = query.get('l') ?? ''
  const sharedPlaylist = isShareToken(shareToken) ? await ownPlaylists.findShared(shareToken) : undefined
  if (sharedPlaylist === undefined || listed === undefined) return createNotFoundHead(request)
  const { title, description, song_count } = listed.rows.playlist
  const songs = listed.rows.songs.slice(0, LISTED_TRACKS_MAX)
  const imageUrl = `${host.origin}/img/og/list/${shareToken}.jpg`
  const listPath = `${SHARED_PLAYLIST_PATH}?l=${shareToken}`
  return {
    ...createHead(request, title, truncateText(description) || describePlaylist(title, song_count, settings), listPath),
    image: imageUrl,
    ogType: 'music.playlist',
    jsonLd: [createPlaylistData(host.origin, listPath, { title, description, song_count }, songs, imageUrl)],
    indexable: sharedPlaylist.isIndexed,
  }
}

async function createSearchHead(request: PageRequest, { newestSongs }: Storage): Promise<PageHead> {
  const { query, settings } = request
  const searchText = query.get('q') ?? ''
  const isArtistSearch = query.get('type') === 'artist'
  // The canonical URL of all searches is the same, so that search engines index a single search page.
  const pageHead = createHead(
    request,
    formatSearchHeading(truncateText(searchText, 80), isArtistSearch),
    `Songs and artists to find at ${settings.NAME}.`,
    '/search',
  )
  const artistName = isArtistSearch && isSearchText(searchText) ? await newestSongs.findArtistName(foldText(searchText)) : undefined
  if (artistName === undefined) return pageHead
  return {
    ...pageHead,
    atom: { path: createArtistAtomPath(artistName), title: formatPageTitle(formatSearchHeading(artistName, true), settings) },
  }
}

async function createWhatIsHead(request: PageRequest, contentService: ContentService): Promise<PageHead> {
  const { title, content: text } = await contentService.documentOf('what-is', request.host.brand)
  return createHead(request, title, truncateText(extractPlainText(text)), request.path)
}

function createFixedHead(request: PageRequest, path: FixedHeadPath): PageHead {
  return { ...createHead(request, pages[path].heading, pageDescriptions[path](request.settings), path), indexable: isIndexable(path) }
}

async function createFaqHead(request: PageRequest, content: ContentService): Promise<PageHead> {
  return { ...createFixedHead(request, '/faq'), jsonLd: [createFaqData(await content.documentOf('faq', request.host.brand))] }
}

function createMainHostHead(request: PageRequest, { storage, content, data }: HeadSources): PageHead | Promise<PageHead> {
  const { path, settings } = request
  if (path === '/') return createHomeHead(request)
  if (path === '/song') return createSongHead(request, storage, data)
  if (path === '/playlist') return createPlaylistHead(request, storage, data)
  if (path === SHARED_PLAYLIST_PATH) return createSharedPlaylistHead(request, storage, data)
  if (path === '/search') return createSearchHead(request, storage)
  if (path === settings.WHAT_IS_PATH) return createWhatIsHead(request, content)
  if (path === '/faq') return createFaqHead(request, content)
  if (path === '/latest') return { ...createFixedHead(request, path), atom: { path: ATOM_PATH, title: settings.NAME } }
  if (!hasFixedHead(path)) return createNotFoundHead(request)
  return { ...createFixedHead(request, path), opensDatabase: devicePaths.has(path) }
}

/** A radio host answers every path with the same page. */
function createRadioHead(request: PageRequest): PageHead {
  const { settings, host, onAir } = request
  const title = formatRadioTitle(settings)
  return {
    ...createHead(request, title, describeRadio(settings), '/'),
    title,
    heading: onAir?.title ?? title,
    jsonLd: createRadioData(host, settings, onAir),
  }
}

/** Returns the URL of a website's link preview, with a hash of the drawn content, because other sites cache pictures. */
async function findWebsiteImage(
  { host }: PageRequest,
  { name, banner_url }: SubscriberInfo['data'],
  pictures: Storage['pictures'],
  nowMs: number,
) {
  const [bannerHash, portraitHash] = await Promise.all(
    (['website', 'supporter'] as const).map((kind) => pictures.findSource(kind, host.subdomain, nowMs)),
  )
  const imageVersion = createHash('sha256')
    .update(JSON.stringify([name, banner_url, bannerHash?.url, portraitHash?.url]))
    .digest('hex')
    .slice(0, 10)
  return `${host.origin}/img/og/website/${host.subdomain}.jpg?v=${imageVersion}`
}

async function createSubscriberHead(request: PageRequest, { storage, nowMs }: HeadSources): Promise<PageHead> {
  const { host, path, settings, subscriber } = request
  if (path !== '/' || subscriber === undefined) return createNotFoundHead(request)
  const { name, subtitle, about_me } = subscriber.data
  const websiteDescription =
    truncateText(about_me || subtitle) || `The website of ${name} at ${settings.NAME}: newest songs, playlists and radio.`
  const imageUrl = await findWebsiteImage(request, subscriber.data, storage.pictures, nowMs)
  return {
    ...createHead(request, name, websiteDescription, '/'),
    image: imageUrl,
    jsonLd: [createSubscriberData(host.origin, subscriber.data, imageUrl, websiteDescription)],
  }
}

/** Returns the head of the page at the requested address, or the head of the 404 page. */
export async function resolvePage(request: PageRequest, sources: HeadSources): Promise<PageHead> {
  if (request.host.hostClass === 'radio') return createRadioHead(request)
  return request.host.hostClass === 'subscriber' ? createSubscriberHead(request, sources) : createMainHostHead(request, sources)
}

/** Returns the head for a page whose rows cannot be read from storage. The page itself shows the error. */
export const createFallbackHead = (request: PageRequest): PageHead =>
  request.host.hostClass === 'radio' ? createRadioHead(request) : createHomeHead(request)
