import { beforeEach, expect, it } from 'vitest'
import { ENTRIES_PER_CHANGE_MAX } from '../../contract/own-playlist-rules.ts'
import { ANONYMOUS_UID, type LocalDatabase } from './local-database.ts'
import { advanceClock } from './logical-clock.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { joinAnonymousPlaylists } from './own-playlist-join.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { createPlaylistReader, readQuery } from './testing/own-playlists.ts'
import { createTestSong } from './testing/rows.ts'
import { readWaitingChanges } from './waiting-changes.ts'

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-03-01T12:00:00Z')

let database: LocalDatabase
/** The device's clock, in days after `START_MS`. */
let clockDays: number
beforeEach(() => {
  database = createMemoryDatabase()
  clockDays = 0
})

const readClockMs = () => START_MS + clockDays * DAY_MS
const { titlesOf, readChanges } = createPlaylistReader(() => database)
const openPlaylists = () => createOwnPlaylists({ database, sendOutbox: () => {}, nowMs: readClockMs })
const makePlaylist = (title: string, uid = ANONYMOUS_UID) => openPlaylists().create(uid, { title })
const toDays = (ms: number) => (ms - START_MS) / DAY_MS

/** Stores the rows of the playlists again in the order of `titles`: a database on disk returns them by id, and not in the order in which they were made. */
const storeInOrder = (...titles: string[]) =>
  database.change(async ({ ownPlaylists }) => {
    const rows = await ownPlaylists.all()
    await ownPlaylists.remove(rows.map(({ id }) => id))
    await ownPlaylists.put(titles.flatMap((title) => rows.find((row) => row.title === title) ?? []))
  })

/** Signs in. Returns the titles that are then shown, with their times in days after `START_MS`. */
async function signIn() {
  await joinAnonymousPlaylists(database, 'ann', readClockMs())
  const playlists = await readQuery(openPlaylists().all('ann'))
  return playlists.map(({ title, addedAtMs }) => [title, toDays(addedAtMs)])
}

it('own playlists: playlists that were made without an account keep their order and their times after the sign-in', async () => {
  for (const title of ['Monday', 'Tuesday', 'Wednesday', 'Thursday']) {
    await makePlaylist(title)
    clockDays += 1
  }
  await storeInOrder('Tuesday', 'Thursday', 'Monday', 'Wednesday')
  expect(await titlesOf(ANONYMOUS_UID)).toEqual(['Thursday', 'Wednesday', 'Tuesday', 'Monday'])
  expect(await signIn()).toEqual([
    ['Thursday', 3],
    ['Wednesday', 2],
    ['Tuesday', 1],
    ['Monday', 0],
  ])
  // The outbox lists them as made by the sign-in.
  expect((await readChanges()).map(({ createdAtMs }) => toDays(createdAtMs))).toEqual([4, 4, 4, 4])
})

it('own playlists: playlists that were made at the same time keep the order in which they were shown', async () => {
  for (const title of ['A', 'B', 'C']) await makePlaylist(title)
  await storeInOrder('B', 'C', 'A')
  const titlesBefore = await titlesOf(ANONYMOUS_UID)
  clockDays = 1
  await signIn()
  expect(await titlesOf('ann')).toEqual(titlesBefore)
})

it('own playlists: all changes of a joining device have different times, the parts of a long playlist in order, and later changes follow', async () => {
  const songs = Array.from({ length: 2 * ENTRIES_PER_CHANGE_MAX + 1 }, (_, n) => createTestSong(n))
  await openPlaylists().create(ANONYMOUS_UID, { title: 'Long', songs })
  await makePlaylist('Short')
  await storeInOrder('Short', 'Long')
  clockDays = -1
  await signIn()
  await makePlaylist('Later', 'ann')
  const changes = await database.read((tables) => readWaitingChanges(tables, 'ann', 'POST /list/sync'))
  expect(changes.map(({ body }) => body.title)).toEqual(['Long', undefined, undefined, 'Short', 'Later'])
  expect(new Set(changes.map(({ body }) => body.at)).size).toBe(5)
  expect(new Set(changes.map(({ body }) => body.device)).size).toBe(1)
  // The clock was ahead when the playlists were made: none is dated later than the sign-in, except to follow another.
  expect(changes.map(({ body }) => Date.parse(body.at) - readClockMs())).toEqual([0, 1, 2, 3, 4])
})

it('own playlists: a playlist that was deleted without an account keeps the time of its deletion, and moves no other playlist', async () => {
  const deletedId = await makePlaylist('Deleted')
  clockDays = 1
  await makePlaylist('Kept')
  clockDays = 40
  await openPlaylists().remove(ANONYMOUS_UID, deletedId)
  clockDays = 41
  await makePlaylist('New')
  clockDays = 42
  expect(await signIn()).toEqual([
    ['New', 41],
    ['Kept', 1],
  ])
  const deletedPlaylists = await readQuery(openPlaylists().deleted('ann'))
  expect(deletedPlaylists.map(({ title, deletedAtMs = 0 }) => [title, toDays(deletedAtMs)])).toEqual([['Deleted', 40]])
})

it('own playlists: if the account has changed later on another device, the playlists follow that change in their order', async () => {
  await makePlaylist('Old')
  clockDays = 1
  await makePlaylist('New')
  await storeInOrder('New', 'Old')
  clockDays = 3
  await database.change((tables) => advanceClock(tables, 'ann', START_MS + 2 * DAY_MS))
  await signIn()
  expect(await titlesOf('ann')).toEqual(['New', 'Old'])
  const changeTimesMs = (await readChanges()).map(({ body }) => Date.parse(body.at) - START_MS - 2 * DAY_MS)
  expect(changeTimesMs).toEqual([1, 2])
})

it('own playlists: a device that joined once more makes the same changes, also if its rows have another order', async () => {
  for (const title of ['A', 'B', 'C']) {
    await makePlaylist(title)
    clockDays += 1
  }
  const rowsBefore = await database.read((tables) => tables.ownPlaylists.all())
  const listChangeIds = async () => (await readChanges()).map(({ id }) => id)
  await signIn()
  const changeIds = await listChangeIds()
  await database.change(async (tables) => {
    await tables.ownPlaylists.put(rowsBefore.toReversed())
    await tables.ownPlaylistCursors.put([{ uid: ANONYMOUS_UID, cursor: '' }])
  })
  clockDays += 1
  await signIn()
  expect(await listChangeIds()).toEqual(changeIds)
  expect(await titlesOf('ann')).toEqual(['C', 'B', 'A'])
})
