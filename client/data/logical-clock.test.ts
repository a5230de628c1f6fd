import { expect, it } from 'vitest'
import type { Api } from '../platform/api.ts'
import { createChangeSync } from './change-sync.ts'
import { syncedFavorites } from './favorite-sync.ts'
import { createFavorites } from './favorites.ts'
import { createMemoryDatabase } from './memory-database.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z')
const HOUR_MS = 3_600_000

function openDevice() {
  const database = createMemoryDatabase()
  let clockMs = NOW_MS
  let cursorNumber = 0
  const favorites = createFavorites({ database, sendOutbox: () => {}, nowMs: () => clockMs })
  const readChanges = async () =>
    (await database.read((tables) => tables.outbox.all())).flatMap(({ body }) => ('device' in body ? [body] : []))
  return {
    setClock(hoursAhead: number) {
      clockMs = NOW_MS + hoursAhead * HOUR_MS
    },
    /** Taps a heart while the device is offline. Returns how many hours the change is dated after `NOW_MS`, and its device id. */
    async tapHeart() {
      await favorites.edit('ann', [{ songId: 's', favorite: true }])
      const change = (await readChanges()).at(-1)
      return { hours: (Date.parse(change?.at ?? '') - NOW_MS) / HOUR_MS, device: change?.device }
    },
    /** Sends the changes. The server dates those of the future `receivedAtMs`, and sends them back. */
    async sync(receivedAtMs = NOW_MS) {
      const received = (await readChanges()).map(({ at = '' }) => new Date(Math.min(Date.parse(at), receivedAtMs)).toISOString())
      cursorNumber += 1
      const response = {
        ...{ cursor: `e.${cursorNumber}`, whole: false, refused: [] },
        favorites: received.map((at) => ({ s: 's', favorite: true, at })),
      }
      // The cast is safe, because the sync calls only this method of the API.
      const api = { call: async () => response } as unknown as Api
      await (await createChangeSync({ database, getSignedInUid: () => 'ann' }, syncedFavorites).readBatch('ann')).send(api)
    },
  }
}

it('logical clock: a clock that was nine days ahead once dates only the changes of that time in the future', async () => {
  const device = openDevice()
  device.setClock(9 * 24)
  const early = await device.tapHeart()
  await device.sync()
  device.setClock(1)
  const late = await device.tapHeart()
  expect([early.hours, late.hours]).toEqual([9 * 24, 1])
  expect(late.device, 'the server orders the changes of one device by their dates').not.toBe(early.device)
  const next = await device.tapHeart()
  expect(next.device).toBe(late.device)
})

it('logical clock: a change that follows one in the outbox is dated after it, even if the clock was put right in between', async () => {
  const device = openDevice()
  device.setClock(9 * 24)
  const early = await device.tapHeart()
  device.setClock(1)
  const late = await device.tapHeart()
  expect(late.hours).toBeGreaterThan(9 * 24)
  expect(late.device).toBe(early.device)
})

it('logical clock: a change is dated after the changes that the server has sent, even if the clock is set back by days', async () => {
  const device = openDevice()
  const early = await device.tapHeart()
  await device.sync()
  device.setClock(-9 * 24)
  const late = await device.tapHeart()
  expect(late.hours).toBeGreaterThan(early.hours)
  expect(late.device).toBe(early.device)
})
