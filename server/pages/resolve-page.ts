import type { Settings } from '../../contract/site.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import type { HostSite } from '../services/hosts.ts'
import type { SongView, Storage } from '../storage/storage.ts'
import { fixedPages } from './fixed-pages.ts'
import { summary } from './markup.ts'
import type { PageHead } from './page-head.ts'
import { breadcrumbData, playlistData, songData, websiteData } from './structured-data.ts'

export interface PageRequest {
  host: HostSite
  /** Without a slash at its end, `/` aside. */
  path: string
  query: URLSearchParams
  settings: Settings
  view: SongView
}

const SITE_IMAGE = '/img/og/site.jpg'
/** How many songs of a playlist its structured data names. */
const TRACKS = 20

const titled = (title: string, settings: Settings) => `${title} · ${settings.NAME}`

function plainPage({ settings, host }: PageRequest, heading: string, description: string, canonical: string): PageHead {
  const image = host.origin + SITE_IMAGE
  const title = titled(heading, settings)
  return { status: 200, title, description, heading, canonical, image, ogType: 'website', jsonLd: [], listed: true }
}

function notFound(request: PageRequest): PageHead {
  const { canonical: _none, ...page } = plainPage(request, 'Page not found', `This page does not exist at ${request.settings.NAME}.`, '/')
  return { ...page, status: 404, listed: false }
}

function home(request: PageRequest): PageHead {
  const { settings, host } = request
  return {
    ...plainPage(request, settings.META_TITLE, settings.META_DESCRIPTION, '/'),
    title: settings.META_TITLE,
    heading: settings.HERO_TITLE,
    jsonLd: [websiteData(host.origin, settings.NAME, settings.META_DESCRIPTION)],
  }
}

async function song(request: PageRequest, storage: Storage): Promise<PageHead> {
  const { query, host, settings, view } = request
  const id = parseVideoId(query.get('s') ?? '')
  const found = id === undefined ? undefined : await storage.songs.get(id, undefined, view)
  if (found === undefined) return notFound(request)
  const image = `${host.origin}/img/og/song/${found.youtube_id}.jpg`
  const described = `${found.title} by ${found.author_name}`
  const path = `/song?s=${found.youtube_id}`
  const category = { name: found.category_name, path: `/playlist?p=${encodeURIComponent(found.category_id)}` }
  return {
    ...plainPage(request, found.title, summary(found.description) || `Listen to ${described} on ${settings.NAME}.`, path),
    title: titled(`${found.title} · ${found.author_name}`, settings),
    image,
    ogType: 'music.song',
    jsonLd: [
      ...songData(host.origin, found, image),
      breadcrumbData(host.origin, [{ name: 'Playlists', path: '/playlists' }, category, { name: found.title, path }]),
    ],
  }
}

async function playlist(request: PageRequest, storage: Storage): Promise<PageHead> {
  const { query, host, settings, view } = request
  const id = query.get('p')?.trim() ?? ''
  const isId = id !== '' && id.length <= 100 && !id.includes('\0')
  const found = isId ? await storage.playlists.get(id, { limit: TRACKS, offset: 0 }, view) : undefined
  if (found === undefined) return notFound(request)
  const { title, description, song_count: count } = found.playlist
  const image = `${host.origin}/img/og/playlist/${encodeURIComponent(found.playlist.id)}.jpg`
  const path = `/playlist?p=${encodeURIComponent(found.playlist.id)}`
  const fallback = `${title}: ${count} ${count === 1 ? 'song' : 'songs'} to listen to on ${settings.NAME}.`
  return {
    ...plainPage(request, title, summary(description) || fallback, path),
    image,
    ogType: 'music.playlist',
    jsonLd: [
      playlistData(host.origin, found, image),
      breadcrumbData(host.origin, [
        { name: 'Playlists', path: '/playlists' },
        { name: title, path },
      ]),
    ],
  }
}

function search(request: PageRequest): PageHead {
  const words = summary(request.query.get('q') ?? '', 80)
  const heading = words === '' ? 'Search' : `Results for '${words}'`
  // One canonical address for every question, so that search engines keep a single page.
  return plainPage(request, heading, `Songs and artists to find at ${request.settings.NAME}.`, '/search')
}

/** What a description can show of HTML that was sanitised when it was stored. */
const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replaceAll('&amp;', '&')

function mainPage(request: PageRequest, storage: Storage): PageHead | Promise<PageHead> {
  const { path, settings } = request
  if (path === '/') return home(request)
  if (path === '/song') return song(request, storage)
  if (path === '/playlist') return playlist(request, storage)
  if (path === '/search') return search(request)
  if (path === settings.WHAT_IS_PATH) return plainPage(request, settings.WHAT_IS_TITLE, summary(textOf(settings.WHAT_IS_CONTENT)), path)
  const fixed = Object.hasOwn(fixedPages, path) ? fixedPages[path] : undefined
  if (fixed === undefined) return notFound(request)
  return { ...plainPage(request, fixed.heading, fixed.description(settings), path), listed: fixed.unlisted !== true }
}

/** The radio answers every path with the same page. */
function radioPage(request: PageRequest): PageHead {
  const { NAME } = request.settings
  const page = plainPage(request, `${NAME} Radio`, `The radio of ${NAME}: one stream of songs, the same second for everyone.`, '/')
  return { ...page, title: `${NAME} Radio` }
}

function subscriberPage(request: PageRequest): PageHead {
  const { host, path, settings } = request
  if (path !== '/') return notFound(request)
  return plainPage(request, host.subdomain, `The website of ${host.subdomain} at ${settings.NAME}: newest songs, playlists and radio.`, '/')
}

/** What stands at an address of a host. */
export async function resolvePage(request: PageRequest, storage: Storage): Promise<PageHead> {
  if (request.host.hostClass === 'radio') return radioPage(request)
  return request.host.hostClass === 'subscriber' ? subscriberPage(request) : mainPage(request, storage)
}

/** The head of any page when storage cannot be read: the page itself then says what is wrong. */
export const plainHead = (request: PageRequest): PageHead => home(request)
