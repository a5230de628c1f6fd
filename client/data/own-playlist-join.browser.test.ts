import { Dexie } from 'dexie'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ANONYMOUS_UID, type DeviceDatabase } from './local-database.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { openDeviceDatabase } from './testing/databases.ts'
import { readQuery } from './testing/own-playlists.ts'

const DATABASE_NAME = 'own-playlist-join-test'

let database: DeviceDatabase
beforeEach(async () => {
  database = await openDeviceDatabase(DATABASE_NAME)
})
afterEach(() => Dexie.delete(DATABASE_NAME))

it('own playlists on disk: playlists that were made without an account keep their order and their times after the sign-in', async () => {
  let nowMs = Date.parse('2026-03-01T12:00:00Z')
  const playlists = createOwnPlaylists({ database, sendOutbox: () => {}, nowMs: () => nowMs })
  // The disk returns rows by their ids, which are random.
  for (let number = 1; number <= 12; number++) {
    await playlists.create(ANONYMOUS_UID, { title: `Playlist ${number}` })
    nowMs += 86_400_000
  }
  const readShown = async (uid: string) => (await readQuery(playlists.all(uid))).map(({ title, addedAtMs }) => [title, addedAtMs])
  const shownBefore = await readShown(ANONYMOUS_UID)
  expect(shownBefore.map(([title]) => title)).toEqual(Array.from({ length: 12 }, (_, index) => `Playlist ${12 - index}`))
  await expect.poll(() => readShown('ann')).toEqual(shownBefore)
})
