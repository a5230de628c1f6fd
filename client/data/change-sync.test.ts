import { expect, it } from 'vitest'
import { type Api, ApiCallError } from '../platform/api.ts'
import { createChangeSync } from './change-sync.ts'
import { syncedFavorites } from './favorite-sync.ts'
import { createFavorites } from './favorites.ts'
import { forgetAccount } from './forget-account.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { readQuery } from './testing/own-playlists.ts'
import { createTestSong } from './testing/rows.ts'

const song = createTestSong(1)
const songState = { s: song.youtube_id, favorite: true, at: '2026-03-01T12:00:00.000Z', song }

interface Response {
  cursor: string
  favorites?: (typeof songState)[]
}

/** A device on which `ann` is signed in. Its tabs share a database, and no Web Lock keeps them from synchronizing at the same time. */
function openDevice() {
  const database = createMemoryDatabase()
  let signedInUid: string | undefined = 'ann'
  return {
    /** Reads the waiting changes as one tab does. Returns the function that sends them; the server's response is that of `respond`. */
    async openTab() {
      const changeSync = createChangeSync({ database, getSignedInUid: () => signedInUid }, syncedFavorites)
      const { rows, send } = await changeSync.readBatch('ann')
      return {
        count: rows.length,
        sync(respond: () => Promise<Response>) {
          const call = async () => ({ whole: false, favorites: [], refused: [], ...(await respond()) })
          // The cast is safe, because the sync calls only this method of the API.
          return send({ call } as unknown as Api)
        },
      }
    },
    tapHeart: () => createFavorites({ database, sendOutbox: () => {} }).edit('ann', [{ songId: song.youtube_id, favorite: true, song }]),
    /** The favorites that a page shows which is opened now. */
    async readFavorites() {
      const list = await readQuery(createFavorites({ database, sendOutbox: () => {} }).list('ann'))
      return list.entries.map(({ songId }) => songId)
    },
    countUnsent: () => database.read((tables) => tables.outbox.count()),
    async signOut() {
      signedInUid = undefined
      await forgetAccount(database, 'ann')
    },
  }
}

it('sync: a favorite that was sent stays one if another tab stores an older response first and the repeated request fails', async () => {
  const device = openDevice()
  const otherTab = await device.openTab()
  await device.tapHeart()
  const ownTab = await device.openTab()
  expect([otherTab.count, ownTab.count]).toEqual([0, 1])
  const isRepeated = await ownTab.sync(async () => {
    await otherTab.sync(async () => ({ cursor: 'e.1' }))
    return { cursor: 'e.2', favorites: [songState] }
  })
  expect(isRepeated).toBe(true)
  const repeatingTab = await device.openTab()
  await expect(repeatingTab.sync(() => Promise.reject(new ApiCallError('network', 0, 'No connection.')))).rejects.toThrow('No connection.')
  expect(await device.readFavorites()).toEqual([song.youtube_id])

  const lastTab = await device.openTab()
  expect(await lastTab.sync(async () => ({ cursor: 'e.2', favorites: [songState] })), 'nothing is left to repeat').toBe(false)
  expect([await device.readFavorites(), await device.countUnsent()]).toEqual([[song.youtube_id], 0])
})

it('sync: a change that was sent leaves the outbox, even if its account signs out before the response arrives', async () => {
  const device = openDevice()
  const firstTab = await device.openTab()
  await firstTab.sync(async () => ({ cursor: 'e.1' }))
  await device.tapHeart()
  const tab = await device.openTab()
  const isRepeated = await tab.sync(async () => {
    await device.signOut()
    return { cursor: 'e.2', favorites: [songState] }
  })
  expect([isRepeated, await device.countUnsent(), await device.readFavorites()]).toEqual([false, 0, []])
})
