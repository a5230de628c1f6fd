import { RECENT_COUNT_KEY, RECENT_SONGS_SHOWN } from '../../contract/recent-songs.ts'
import type { Song } from '../../contract/song.ts'
import { localStore } from '../platform/web-storage.ts'
import { putSongs } from './catalogue-rows.ts'
import { clearListening, restoreListening } from './listening.ts'
import type { ListeningRow, LocalDatabase, RecentPlayRow, Tables } from './local-database.ts'
import { toSongRow } from './row-shapes.ts'

/** Reads the songs that were played on this device, most recent first. */
export async function readRecentPlays(tables: Tables): Promise<RecentPlayRow[]> {
  return (await tables.recentPlays.all()).sort((a, b) => b.playedAtMs - a.playedAtMs)
}

/**
 * Stores how many songs the history has, so that the next page load reserves space for them, and updates the reserved space on this page.
 */
export function storeRecentSongCount(songCount: number): void {
  const shownCount = Math.min(songCount, RECENT_SONGS_SHOWN)
  localStore.write(RECENT_COUNT_KEY, shownCount === 0 ? undefined : String(shownCount))
  const root = globalThis.document?.documentElement
  if (shownCount === 0) root?.removeAttribute('data-recent')
  else root?.setAttribute('data-recent', String(shownCount))
}

/** The maximum number of songs in the history. The songs that were played longest ago are removed. */
const HISTORY_SONGS_MAX = 200

/** Adds a play to the history of this device. A song is listed once, at its last play. */
export async function recordPlay(database: LocalDatabase, song: Song, songContextId: string | undefined, atMs: number): Promise<void> {
  let songCount = 1
  await database.change(async (tables) => {
    const playRows = await readRecentPlays(tables)
    // The newest play is listed first, even if the device's clock was set back since the previous play.
    const row = toSongRow(song)
    const playedAtMs = Math.max(atMs, (playRows[0]?.playedAtMs ?? 0) + 1)
    await tables.recentPlays.put([
      { id: song.youtube_id, song: row, playedAtMs, ...(songContextId !== undefined && { contextId: songContextId }) },
    ])
    // The song is stored as a row of its own, too, because the song page reads that row if it is opened from the review of the year.
    await putSongs(tables, [row])
    const otherIds = playRows.map(({ id }) => id).filter((id) => id !== song.youtube_id)
    await tables.recentPlays.remove(otherIds.slice(HISTORY_SONGS_MAX - 1))
    songCount = otherIds.length + 1
  })
  storeRecentSongCount(songCount)
}

/** Removes the history, and the listening times of all years. Returns the removed rows. */
export async function removeHistory(tables: Tables): Promise<{ plays: RecentPlayRow[]; listening: ListeningRow[] }> {
  const plays = await tables.recentPlays.all()
  await tables.recentPlays.remove(await tables.recentPlays.keys())
  return { plays, listening: await clearListening(tables) }
}

/** Clears the history and the listening times of all years. Returns the function that restores both. */
export async function clearHistory(database: LocalDatabase): Promise<() => Promise<void>> {
  let removed: Awaited<ReturnType<typeof removeHistory>> = { plays: [], listening: [] }
  await database.change(async (tables) => {
    removed = await removeHistory(tables)
  })
  return () =>
    database.change(async (tables) => {
      const playedSince = new Set(await tables.recentPlays.keys())
      await tables.recentPlays.put(removed.plays.filter(({ id }) => !playedSince.has(id)))
      await restoreListening(tables, removed.listening)
    })
}
