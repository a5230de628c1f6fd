import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { FirstData } from '../../contract/first-data.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import type { Storage } from '../storage/storage.ts'
import type { PageRequest } from './resolve-page.ts'

/** What fills a tall screen; the rest follows by itself. */
const FIRST_ROWS = 24

const orders = { popular: undefined, az: 'ASC', za: 'DESC' } as const
const sorts = {
  az: { orderBy: 'title', direction: 'ASC' },
  za: { orderBy: 'title', direction: 'DESC' },
  newest: { orderBy: 'date_added', direction: 'DESC' },
  oldest: { orderBy: 'date_added', direction: 'ASC' },
} as const

const oneOf = <T extends object, D extends keyof T>(all: T, name: string | null, standard: D): keyof T =>
  name !== null && Object.hasOwn(all, name) ? (name as keyof T) : standard

/** Whether it can be the id of a playlist; PostgreSQL refuses texts with a zero byte. */
const isId = (id: string) => id !== '' && id.length <= 100 && id === id.trim() && !id.includes('\0')

async function song({ query, view }: PageRequest, storage: Storage): Promise<FirstData> {
  const id = parseVideoId(query.get('s') ?? '')
  const contextId = query.get('p') || undefined
  // Favorites are an account's.
  if (id === undefined || contextId === FAVORITES_ID || (contextId !== undefined && !isId(contextId))) return {}
  const rows = await storage.songs.get(id, contextId, view)
  return rows === undefined ? {} : { song: { id, ...(contextId !== undefined && { contextId }), rows } }
}

async function playlist({ query, view }: PageRequest, storage: Storage): Promise<FirstData> {
  const id = query.get('p') ?? ''
  if (!isId(id)) return {}
  const rows = await storage.playlists.get(id, { limit: FIRST_ROWS, offset: 0 }, view)
  return rows === undefined ? {} : { playlist: { id, rows, complete: rows.songs.length >= rows.playlist.song_count } }
}

async function search({ query, view }: PageRequest, storage: Storage): Promise<FirstData> {
  const text = (query.get('q') ?? '').trim()
  if (text === '' || text.length > 200 || text.includes('\0')) return {}
  const artist = query.get('type') === 'artist'
  const sort = oneOf(sorts, query.get('sort'), 'az')
  const rows = await storage.songs.search({ text, artistOnly: artist, ...sorts[sort], limit: FIRST_ROWS, offset: 0 }, view)
  return { search: { text, artist, sort, rows, complete: rows.length < FIRST_ROWS } }
}

/** The rows that a page of a main host opens with, as the client's repositories would ask for them. */
export async function firstDataOf(request: PageRequest, storage: Storage, nowMs: number): Promise<FirstData> {
  const { host, path, query, view } = request
  if (host.hostClass !== 'main') return {}
  if (path === '/song') return song(request, storage)
  if (path === '/playlist') return playlist(request, storage)
  if (path === '/search') return search(request, storage)
  if (path !== '/' && path !== '/playlists') return {}
  const order = path === '/' ? ('home' as const) : oneOf(orders, query.get('sort'), 'popular')
  const asked = { homeOnly: order === 'home', order: order === 'home' ? undefined : orders[order], nowMs, limit: 10_000, offset: 0 }
  return { playlists: { order, rows: await storage.playlists.all(asked, view) } }
}
