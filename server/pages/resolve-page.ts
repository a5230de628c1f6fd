import { createHash } from 'node:crypto'
import { foldText } from '../../contract/fold-text.ts'
import type { InitialData } from '../../contract/initial-data.ts'
import { ATOM_PATH, artistAtomPath, playlistAtomPath } from '../../contract/news.ts'
import { isShareToken } from '../../contract/own-playlist-rules.ts'
import { NOT_FOUND_HEADING, pageTitle, searchHeading, songHeading } from '../../contract/page-titles.ts'
import { pages } from '../../contract/pages.ts'
import { SHARED_PLAYLIST_PATH } from '../../contract/paths.ts'
import { isContextOnDevice, isOwnPlaylistContext, sharedPlaylistToken } from '../../contract/playlist-rules.ts'
import { radioTitle } from '../../contract/radio-page.ts'
import { plainTextOf } from '../../contract/rich-text.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../contract/search-rules.ts'
import type { Settings } from '../../contract/site.ts'
import type { SubscriberInfo } from '../../contract/website.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import type { HostSite } from '../http/hosts.ts'
import type { StationProgramme } from '../radio/radio.ts'
import type { ContentService } from '../site/content.ts'
import type { Storage } from '../storage/open.ts'
import { type FixedHeadPath, hasFixedHead, pageDescriptions, radioDescription } from './descriptions.ts'
import { isIndexable } from './indexing.ts'
import { truncateText } from './markup.ts'
import {
  breadcrumbData,
  faqData,
  organizationData,
  playlistData,
  radioData,
  songData,
  subscriberData,
  websiteData,
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
  /** The rows of the page, which are not read again. */
  data: InitialData
  nowMs: number
}

/** Whether a text can be searched. PostgreSQL rejects texts with a zero byte. */
export const isSearchText = (text: string): boolean => text.length <= SEARCH_TEXT_MAX_LENGTH && !text.includes('\0')

/** Whether an id is a valid playlist id. */
export const isPlaylistId = (id: string): boolean => id !== '' && id.length <= 100 && !id.includes('\0')

/** The pages whose lists are stored on the device, and not on the server. */
const devicePaths: ReadonlySet<string> = new Set(['/recent', '/year'])

const SITE_IMAGE = '/img/og/site.jpg'
/** The maximum number of songs in a playlist's structured data. */
const TRACKS_MAX = 20

function createHead({ settings, host }: PageRequest, heading: string, description: string, canonical: string): PageHead {
  const image = host.origin + SITE_IMAGE
  const title = pageTitle(heading, settings)
  return { status: 200, title, description, heading, canonical, image, ogType: 'website', jsonLd: [], indexable: true }
}

function notFoundHead(request: PageRequest): PageHead {
  const { canonical: _none, ...pageHead } = createHead(
    request,
    NOT_FOUND_HEADING,
    `This page does not exist at ${request.settings.NAME}.`,
    '/',
  )
  return { ...pageHead, status: 404, indexable: false }
}

function homeHead(request: PageRequest): PageHead {
  const { settings, host } = request
  return {
    ...createHead(request, settings.META_TITLE, settings.META_DESCRIPTION, '/'),
    title: settings.META_TITLE,
    heading: settings.HERO_TITLE,
    jsonLd: [websiteData(host.origin, settings.NAME, settings.META_DESCRIPTION), organizationData(host.origin, settings)],
  }
}

async function songHead(request: PageRequest, storage: Storage, data: InitialData): Promise<PageHead> {
  const { query, host, settings, view } = request
  const id = parseVideoId(query.get('s') ?? '')
  const foundSong = data.song?.rows ?? (id === undefined ? undefined : await storage.songs.get(id, undefined, view))
  if (foundSong === undefined) return notFoundHead(request)
  const image = `${host.origin}/img/og/song/${foundSong.youtube_id}.jpg`
  const titleAndArtist = `${foundSong.title} by ${foundSong.author_name}`
  const path = `/song?s=${foundSong.youtube_id}`
  const category = { name: foundSong.category_name, path: `/playlist?p=${encodeURIComponent(foundSong.category_id)}` }
  return {
    ...createHead(
      request,
      foundSong.title,
      truncateText(foundSong.description) || `Listen to ${titleAndArtist} on ${settings.NAME}.`,
      path,
    ),
    title: pageTitle(songHeading(foundSong), settings),
    image,
    ogType: 'music.song',
    ...(isContextOnDevice(query.get('p') ?? undefined) && { hasDeviceRows: true as const }),
    jsonLd: [
      ...songData(host.origin, foundSong, image),
      breadcrumbData(host.origin, [{ name: 'Playlists', path: '/playlists' }, category, { name: foundSong.title, path }]),
    ],
  }
}

const playlistDescription = (title: string, count: number, { NAME }: Settings) =>
  `${title}: ${count} ${count === 1 ? 'song' : 'songs'} to listen to on ${NAME}.`

/** The head for a playlist of an account, or one that the device has stored. All accounts get the same document, since the device has the rows. */
function ownPlaylistHead(request: PageRequest): PageHead {
  const { heading } = pages['/playlist']
  const { canonical: _none, ...head } = createHead(request, heading, `A playlist of your own at ${request.settings.NAME}.`, '/playlist')
  return { ...head, indexable: false, hasDeviceRows: true }
}

async function playlistHead(request: PageRequest, storage: Storage, data: InitialData): Promise<PageHead> {
  const { query, host, settings, view } = request
  const id = query.get('p')?.trim() ?? ''
  if (isOwnPlaylistContext(id) || sharedPlaylistToken(id) !== undefined) return ownPlaylistHead(request)
  const found =
    data.playlist?.rows ?? (isPlaylistId(id) ? await storage.playlists.get(id, { limit: TRACKS_MAX, offset: 0 }, view) : undefined)
  if (found === undefined) return notFoundHead(request)
  const { title, description, song_count: count } = found.playlist
  const image = `${host.origin}/img/og/playlist/${encodeURIComponent(found.playlist.id)}.jpg`
  const path = `/playlist?p=${encodeURIComponent(found.playlist.id)}`
  return {
    ...createHead(request, title, truncateText(description) || playlistDescription(title, count, settings), path),
    image,
    ogType: 'music.playlist',
    atom: { path: playlistAtomPath(found.playlist.id), title: pageTitle(title, settings) },
    jsonLd: [
      playlistData(host.origin, path, found.playlist, found.songs.slice(0, TRACKS_MAX), image),
      breadcrumbData(host.origin, [
        { name: 'Playlists', path: '/playlists' },
        { name: title, path },
      ]),
    ],
  }
}

async function sharedPlaylistHead(request: PageRequest, { ownPlaylists }: Storage): Promise<PageHead> {
  const { query, host, settings, view } = request
  const token = query.get('l') ?? ''
  const shared = isShareToken(token) ? await ownPlaylists.findShared(token) : undefined
  if (shared === undefined) return notFoundHead(request)
  const { uid, playlistId, title, description, isIndexed } = shared
  const song_count = await ownPlaylists.countSongs(uid, playlistId)
  const songs = await ownPlaylists.listSongs(uid, playlistId, { limit: TRACKS_MAX, offset: 0 }, view)
  const image = `${host.origin}/img/og/list/${token}.jpg`
  const path = `${SHARED_PLAYLIST_PATH}?l=${token}`
  return {
    ...createHead(request, title, truncateText(description) || playlistDescription(title, song_count, settings), path),
    image,
    ogType: 'music.playlist',
    jsonLd: [playlistData(host.origin, path, { title, description, song_count }, songs, image)],
    indexable: isIndexed,
  }
}

async function searchHead(request: PageRequest, { newestSongs }: Storage): Promise<PageHead> {
  const { query, settings } = request
  const text = query.get('q') ?? ''
  const isArtistSearch = query.get('type') === 'artist'
  // The canonical URL of all searches is the same, so that search engines index a single search page.
  const head = createHead(
    request,
    searchHeading(truncateText(text, 80), isArtistSearch),
    `Songs and artists to find at ${settings.NAME}.`,
    '/search',
  )
  const artistName = isArtistSearch && isSearchText(text) ? await newestSongs.findArtistName(foldText(text)) : undefined
  if (artistName === undefined) return head
  return { ...head, atom: { path: artistAtomPath(artistName), title: pageTitle(searchHeading(artistName, true), settings) } }
}

async function whatIsHead(request: PageRequest, content: ContentService): Promise<PageHead> {
  const { title, content: text } = await content.documentOf('what-is', request.host.brand)
  return createHead(request, title, truncateText(plainTextOf(text)), request.path)
}

function fixedHead(request: PageRequest, path: FixedHeadPath): PageHead {
  return { ...createHead(request, pages[path].heading, pageDescriptions[path](request.settings), path), indexable: isIndexable(path) }
}

async function faqHead(request: PageRequest, content: ContentService): Promise<PageHead> {
  return { ...fixedHead(request, '/faq'), jsonLd: [faqData(await content.documentOf('faq', request.host.brand))] }
}

function mainHostHead(request: PageRequest, { storage, content, data }: HeadSources): PageHead | Promise<PageHead> {
  const { path, settings } = request
  if (path === '/') return homeHead(request)
  if (path === '/song') return songHead(request, storage, data)
  if (path === '/playlist') return playlistHead(request, storage, data)
  if (path === SHARED_PLAYLIST_PATH) return sharedPlaylistHead(request, storage)
  if (path === '/search') return searchHead(request, storage)
  if (path === settings.WHAT_IS_PATH) return whatIsHead(request, content)
  if (path === '/faq') return faqHead(request, content)
  if (path === '/latest') return { ...fixedHead(request, path), atom: { path: ATOM_PATH, title: settings.NAME } }
  if (!hasFixedHead(path)) return notFoundHead(request)
  return { ...fixedHead(request, path), opensDatabase: devicePaths.has(path) }
}

/** A radio host answers every path with the same page. */
function radioHead(request: PageRequest): PageHead {
  const { settings, host, onAir } = request
  const title = radioTitle(settings)
  return {
    ...createHead(request, title, radioDescription(settings), '/'),
    title,
    heading: onAir?.title ?? title,
    jsonLd: radioData(host, settings, onAir),
  }
}

/** Returns the URL of a website's link preview, with a hash of the drawn content, because other sites cache pictures. */
async function websiteImage(
  { host }: PageRequest,
  { name, banner_url }: SubscriberInfo['data'],
  pictures: Storage['pictures'],
  nowMs: number,
) {
  const [banner, portrait] = await Promise.all(
    (['website', 'supporter'] as const).map((kind) => pictures.findSource(kind, host.subdomain, nowMs)),
  )
  const version = createHash('sha256')
    .update(JSON.stringify([name, banner_url, banner?.url, portrait?.url]))
    .digest('hex')
    .slice(0, 10)
  return `${host.origin}/img/og/website/${host.subdomain}.jpg?v=${version}`
}

async function subscriberHead(request: PageRequest, { storage, nowMs }: HeadSources): Promise<PageHead> {
  const { host, path, settings, subscriber } = request
  if (path !== '/' || subscriber === undefined) return notFoundHead(request)
  const { name, subtitle, about_me } = subscriber.data
  const description = truncateText(about_me || subtitle) || `The website of ${name} at ${settings.NAME}: newest songs, playlists and radio.`
  const image = await websiteImage(request, subscriber.data, storage.pictures, nowMs)
  return {
    ...createHead(request, name, description, '/'),
    image,
    jsonLd: [subscriberData(host.origin, subscriber.data, image, description)],
  }
}

/** Returns the head of the page at the requested address, or the head of the 404 page. */
export async function resolvePage(request: PageRequest, sources: HeadSources): Promise<PageHead> {
  if (request.host.hostClass === 'radio') return radioHead(request)
  return request.host.hostClass === 'subscriber' ? subscriberHead(request, sources) : mainHostHead(request, sources)
}

/** Returns the head for a page whose rows cannot be read from storage. The page itself shows the error. */
export const fallbackHead = (request: PageRequest): PageHead =>
  request.host.hostClass === 'radio' ? radioHead(request) : homeHead(request)
