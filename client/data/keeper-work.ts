import { type Api, ApiFailure } from '../platform/api.ts'
import { type KeptPictures, NoPicture } from '../platform/device-storage.ts'
import { playlistSongsKey, putList, putPlaylists, putSongs, rowBytes } from './catalogue-rows.ts'
import { isQuota } from './fallback-store.ts'
import type { Keeping } from './keeper-interface.ts'
import { songWidth } from './kept-size.ts'
import { readOnce } from './memory-store.ts'
import type { CatalogueStore, KeptRow } from './store.ts'

interface KeeperWorkDeps {
  api: Api
  store: CatalogueStore
  pictures: KeptPictures
  /** Device pixels per CSS pixel: what width of picture the rows ask for. */
  pixelRatio: number
  /** What was told. */
  progress(): ReadonlyMap<string, Keeping>
  tell(id: string, keeping: Keeping | undefined): void
}

const AT_ONCE = 4

const songPicture = (id: string, width: number) => `/img/song/${encodeURIComponent(id)}/${width}`

/** What fetches and frees kept playlists: the part of the keeper that few visits need. */
export function createKeeperWork({ api, store, pictures, pixelRatio, progress, tell }: KeeperWorkDeps) {
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>()

  const putRow = (row: KeptRow) => store.change((tables) => tables.kept.put([row]))
  const patchRow = (id: string, change: (row: KeptRow) => KeptRow) =>
    store.change(async (tables) => {
      const row = await tables.kept.get(id)
      if (row) await tables.kept.put([change(row)])
    })

  async function fetchAll(id: string, signal: AbortSignal) {
    const answer = await api.call('GET /playlist/get', { p: id }, { signal })
    const playlist = { ...answer.playlist, id }
    const ids = answer.songs.map((song) => song.youtube_id)
    await store.change(async (tables) => {
      await putPlaylists(tables, [playlist])
      await putSongs(tables, answer.songs)
      await putList(tables, playlistSongsKey(id), ids, true)
    })
    const width = songWidth(pixelRatio)
    const wanted = [
      ...(playlist.image_url === '' ? [] : [`${playlist.image_url}/320`, `${playlist.image_url}/640`]),
      ...new Set(ids.map((songId) => songPicture(songId, width))),
    ]
    await removeUnshared(id, (path) => !wanted.includes(path))
    await patchRow(id, (row) => ({
      ...row,
      title: playlist.title,
      state: 'fetching',
      songCount: ids.length,
      pictures: wanted,
      rowBytes: rowBytes(playlist) + answer.songs.reduce((sum, song) => sum + rowBytes(song), 0),
    }))

    let addedBytes = 0
    let done = 0
    const total = wanted.length
    tell(id, { done, total })
    const queue = [...wanted]
    const next = async () => {
      for (let path = queue.shift(); path !== undefined && !signal.aborted; path = queue.shift()) {
        try {
          if (!(await pictures.has(path))) {
            const bytes = await pictures.add(path, signal)
            addedBytes += bytes
          }
        } catch (error) {
          // A picture that the site does not have is none to wait for.
          if (signal.aborted || !(error instanceof NoPicture)) throw error
        }
        done += 1
        tell(id, { done, total })
      }
    }
    const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, next))
    const failed = results.find((result) => result.status === 'rejected')
    const complete = !failed && !signal.aborted
    await patchRow(id, (row) => ({ ...row, state: complete ? 'done' : 'fetching', pictureBytes: row.pictureBytes + addedBytes }))
    if (failed) throw failed.reason
  }

  /** Removes this playlist's pictures that `gone` names and no other kept playlist needs. */
  async function removeUnshared(id: string, gone: (path: string) => boolean) {
    const rows = await readOnce(store, (tables) => tables.kept.all())
    const others = new Set(rows.flatMap((row) => (row.id === id ? [] : row.pictures)))
    const mine = rows.find((row) => row.id === id)?.pictures ?? []
    await pictures.remove(mine.filter((path) => gone(path) && !others.has(path)))
  }

  async function run(id: string, signal: AbortSignal) {
    tell(id, { done: 0, total: 0 })
    try {
      await fetchAll(id, signal)
      tell(id, undefined)
    } catch (error) {
      if (signal.aborted) tell(id, undefined)
      else tell(id, { ...(progress().get(id) ?? { done: 0, total: 0 }), halted: haltOf(error) })
    } finally {
      running.delete(id)
    }
  }

  function start(id: string): Promise<void> {
    const current = running.get(id)
    if (current) return current.ended
    const abort = new AbortController()
    const entry = { abort, ended: Promise.resolve() }
    running.set(id, entry)
    entry.ended = run(id, abort.signal)
    return entry.ended
  }

  return {
    /** Fetches songs and pictures, those that are not here yet; resolves when it is done or halted. */
    async keep(id: string, title: string) {
      const known = await readOnce(store, (tables) => tables.kept.get(id))
      if (!known)
        await putRow({ id, title, keptAtMs: Date.now(), state: 'fetching', songCount: 0, pictures: [], rowBytes: 0, pictureBytes: 0 })
      await start(id)
    },
    /** Ends what is under way, and frees what no other kept playlist needs. */
    async remove(id: string) {
      const current = running.get(id)
      current?.abort.abort()
      await current?.ended
      await removeUnshared(id, () => true)
      await store.change((tables) => tables.kept.remove([id]))
      tell(id, undefined)
    },
    /** Goes on with what a reload or a lost connection has cut short. */
    async resume() {
      const rows = await readOnce(store, (tables) => tables.kept.all())
      for (const row of rows) {
        if (progress().get(row.id)?.halted === 'full') continue
        const gone = await arePicturesGone(row)
        if (gone) await patchRow(row.id, (known) => ({ ...known, pictureBytes: 0 }))
        if (gone || row.state === 'fetching' || (await hasNewSongs(row))) await start(row.id)
      }
    },
  }

  /** The cache was cleared apart from the rows; told by the first few, of which the site may never have had one. */
  async function arePicturesGone({ state, pictureBytes, pictures: paths }: KeptRow): Promise<boolean> {
    if (state !== 'done' || pictureBytes === 0) return false
    for (const path of paths.slice(0, 5)) if (await pictures.has(path)) return false
    return true
  }

  /** A later visit brought songs whose pictures are not here. */
  async function hasNewSongs(row: KeptRow): Promise<boolean> {
    const list = await readOnce(store, (tables) => tables.lists.get(playlistSongsKey(row.id)))
    const width = songWidth(pixelRatio)
    const known = new Set(row.pictures)
    return list?.ids.some((songId) => !known.has(songPicture(songId, width))) ?? false
  }
}

function haltOf(error: unknown): NonNullable<Keeping['halted']> {
  if (isQuota(error)) return 'full'
  // A picture that is not answered is a `TypeError`; a browser that refuses its cache says something else.
  return (error instanceof ApiFailure && error.kind === 'network') || error instanceof TypeError ? 'offline' : 'failed'
}
