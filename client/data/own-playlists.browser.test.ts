import { Dexie } from 'dexie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ENTRIES_PER_PLAYLIST_MAX } from '../../contract/own-playlist-rules.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import type { DeviceDatabase } from './local-database.ts'
import { OwnPlaylistRefusal } from './own-playlist-edits.ts'
import { createOwnPlaylists, type OwnPlaylistContent } from './own-playlists.ts'
import { openDeviceDatabase } from './testing/databases.ts'
import { createPlaylistReader } from './testing/own-playlists.ts'
import { createTestSong } from './testing/rows.ts'

let databaseCount = 0
let databaseName = ''
let database: DeviceDatabase
beforeEach(async () => {
  databaseCount += 1
  databaseName = `own-playlists-test-${databaseCount}`
  database = await openDeviceDatabase(databaseName)
})
afterEach(() => Dexie.delete(databaseName))

const createSongs = (count: number) => Array.from({ length: count }, (_, n) => createTestSong(n))
const countListedSongs = (content: OwnPlaylistContent | null | undefined) =>
  content?.entries.filter(({ songId }) => content.songById.has(songId)).length
const openPlaylists = (ownDatabase = database) => createOwnPlaylists({ database: ownDatabase, sendOutbox: () => {} })

it('own playlists on disk: fifty edits are still stored in order after the browser was killed, and each of them waits to be sent once', async () => {
  const playlists = openPlaylists()
  const playlistId = await playlists.create('ann', { title: 'A', songs: createSongs(25) })
  const { entriesOf } = createPlaylistReader(() => database)
  for (let round = 0; round < 24; round++) {
    const entries = await entriesOf('ann', playlistId)
    await playlists.moveEntries('ann', playlistId, [entries[(round * 7) % 25]?.e ?? ''], entries[(round * 3) % 25]?.e)
    await playlists.addSongs('ann', playlistId, [createTestSong(round)], { duplicates: 'keep' })
    await playlists.removeEntries('ann', playlistId, [entries[(round * 11) % 25]?.e ?? ''])
  }
  const shownEntryIds = (await entriesOf('ann', playlistId)).map(({ e }) => e)
  const reopenedPlaylists = createPlaylistReader(() => otherDatabase)
  const otherDatabase = await openDeviceDatabase(databaseName)
  expect((await reopenedPlaylists.entriesOf('ann', playlistId)).map(({ e }) => e)).toEqual(shownEntryIds)
  const rows = await reopenedPlaylists.readChanges()
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
  expect(new Set(rows.map(({ body }) => body.at)).size).toBe(rows.length)
})

it('own playlists on disk: a change is shown in another tab', async () => {
  const otherTabPlaylists = openPlaylists(await openDeviceDatabase(databaseName)).all('ann')
  const unsubscribe = otherTabPlaylists.subscribe(() => {})
  const id = await openPlaylists().create('ann', { title: 'A', songs: createSongs(2) })
  await vi.waitFor(() => expect(otherTabPlaylists.getSnapshot()).toMatchObject([{ id, title: 'A', songCount: 2 }]))
  unsubscribe()
})

it('own playlists on disk: a playlist of 10,000 songs opens, shows a move immediately, and refuses a further song', async () => {
  const playlists = openPlaylists()
  const playlistId = await playlists.create('ann', { title: 'A', songs: createSongs(ENTRIES_PER_PLAYLIST_MAX) })
  const contentQuery = openPlaylists().content('ann', playlistId)
  const openedAtMs = performance.now()
  const unsubscribe = contentQuery.subscribe(() => {})
  await vi.waitFor(() => expect(countListedSongs(contentQuery.getSnapshot())).toBe(ENTRIES_PER_PLAYLIST_MAX))
  expectFasterThan(performance.now() - openedAtMs, 300)
  unsubscribe()
  const liveContent = playlists.content('ann', playlistId)
  const stopWatching = liveContent.subscribe(() => {})
  await vi.waitFor(() => expect(countListedSongs(liveContent.getSnapshot())).toBe(ENTRIES_PER_PLAYLIST_MAX))
  const [firstEntry, lastEntry] = [liveContent.getSnapshot()?.entries[0], liveContent.getSnapshot()?.entries.at(-1)]
  const movedAtMs = performance.now()
  const movePromise = playlists.moveEntries('ann', playlistId, [lastEntry?.e ?? ''], firstEntry?.e)
  expect(liveContent.getSnapshot()?.entries[0]?.e).toBe(lastEntry?.e)
  expectFasterThan(performance.now() - movedAtMs, 100)
  await movePromise
  expect(liveContent.getSnapshot()?.entries[0]?.e).toBe(lastEntry?.e)
  await expect(playlists.addSongs('ann', playlistId, [createTestSong(1)], { duplicates: 'keep' })).rejects.toThrow(OwnPlaylistRefusal)
  expect(database.health).toBe('persistent')
  stopWatching()
})
