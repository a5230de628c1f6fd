import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addListening } from '../data/listening.ts'
import { ANONYMOUS_UID } from '../data/local-database.ts'
import { createMemoryDatabase } from '../data/memory-database.ts'
import { recordPlay } from '../data/recent-plays.ts'
import { createTestSong } from '../data/testing/rows.ts'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import { idleState } from '../player/idle-player.ts'
import { createAccountCleanup } from './account-cleanup.ts'

/** A device whose tabs share storage, rows, pins and one push subscription. */
function createDevice() {
  const storage = createMemoryStorage()
  vi.stubGlobal('localStorage', {
    getItem: storage.read,
    setItem: storage.write,
    removeItem: (key: string) => storage.write(key, undefined),
  })
  const database = createMemoryDatabase()
  const pins = new Set<string>()
  /** The account that gets the pushes of the browser, if any. */
  let pushOwner = ''
  return {
    storage,
    pins,
    signIn: (uid: string | undefined) =>
      storage.write('signed-in', uid === undefined ? undefined : JSON.stringify({ uid, email: `${uid}@example.com` })),
    /** Opens a tab that has a song, and in which the code of the cleanup is loaded. */
    openTab() {
      const forgetSession = vi.fn()
      const cleanup = createAccountCleanup({
        database,
        player: { getSnapshot: () => ({ ...idleState, songId: 'a' }) },
        loadPlayer: async () => ({ forgetSession }),
        offlinePlaylists: { unpinOwn: async () => pins.clear() },
        endPushes: async () => {
          pushOwner = ''
        },
      })
      return { ...cleanup, forgetSession }
    },
    /** A signed-in account listens, searches, keeps a list offline and turns notifications on. */
    async use(uid: string) {
      await recordPlay(database, createSongDetail(uid), undefined, 1)
      await addListening(database, { month: '2026-11', songId: 's', title: uid, artist: uid, heardMs: 1, playCount: 1 })
      await database.change((tables) => tables.favorites.put([{ uid, cursor: 'c', ids: [], atMs: [] }]))
      storage.write('varispeed.searches', JSON.stringify([`search of ${uid}`]))
      storage.write('varispeed.player', JSON.stringify(`session of ${uid}`))
      pins.add(`my-${uid}`)
      pushOwner = uid
    },
    /** Returns what the device has of the accounts. */
    readTraces: () =>
      database.read(async ({ recentPlays, listening, favorites }) => ({
        plays: (await recentPlays.all()).map(({ song }) => song.title),
        listening: (await listening.all()).map(({ title }) => title),
        favorites: await favorites.keys(),
        texts: ['varispeed.searches', 'varispeed.player', 'varispeed.recent'].map((key) => storage.read(key)),
        pins: [...pins],
        pushOwner,
      })),
  }
}

const createSongDetail = (title: string) => ({
  ...createTestSong(1),
  ...{ title, description: '', context_id: '', context_title: '', first_song: '', next: '', next_title: '', favorite: false },
})
const tracesOf = (uid: string) => ({
  plays: [uid],
  listening: [uid],
  favorites: [uid],
  texts: [`["search of ${uid}"]`, `"session of ${uid}"`, '1'],
  pins: [`my-${uid}`],
  pushOwner: uid,
})
const noTraces = { plays: [], listening: [], favorites: [], texts: [null, null, null], pins: [], pushOwner: '' }

let device: ReturnType<typeof createDevice>
beforeEach(() => {
  device = createDevice()
})
afterEach(() => vi.unstubAllGlobals())

/** Signs an account in or out, in view of the given tabs. */
async function switchTo(uid: string | undefined, previousUid: string | undefined, ...tabs: ReturnType<typeof device.openTab>[]) {
  device.signIn(uid)
  await Promise.all(tabs.map((tab) => tab.leaveAccount(previousUid)))
}

test('account change: whatever ends the login, nothing of the account stays on the device, and each tab forgets what it played', async () => {
  const tabs = [device.openTab(), device.openTab()]
  await switchTo('ann', undefined, ...tabs)
  await device.use('ann')
  expect(await device.readTraces()).toEqual(tracesOf('ann'))
  await switchTo(undefined, 'ann', ...tabs)
  expect(await device.readTraces()).toEqual(noTraces)
  for (const tab of tabs) expect(tab.forgetSession).toHaveBeenCalledOnce()
})

test('account change: a tab that slept while Ann signed out and Bob signed in removes nothing of Bob, and forgets what Ann played', async () => {
  const [tab, sleepingTab] = [device.openTab(), device.openTab()]
  await switchTo('ann', undefined, tab, sleepingTab)
  await device.use('ann')
  await switchTo(undefined, 'ann', tab)
  await switchTo('bob', undefined, tab)
  await device.use('bob')
  await sleepingTab.leaveAccount('ann')
  expect(await device.readTraces()).toEqual(tracesOf('bob'))
  expect(sleepingTab.forgetSession).toHaveBeenCalledOnce()
  await switchTo(undefined, 'bob', tab, sleepingTab)
  expect(await device.readTraces()).toEqual(noTraces)
})

test('account change: what a person without an account played stays when a tab that slept learns of an earlier sign-out', async () => {
  const [tab, sleepingTab] = [device.openTab(), device.openTab()]
  await switchTo('ann', undefined, tab, sleepingTab)
  await switchTo(undefined, 'ann', tab)
  await device.use('nobody')
  await sleepingTab.leaveAccount('ann')
  expect(await device.readTraces()).toEqual(tracesOf('nobody'))
})

test('account change: a removal that was interrupted is finished at the next start, also after another account has signed in', async () => {
  await switchTo('ann', undefined, device.openTab())
  await device.use('ann')
  device.signIn('bob')
  const tab = device.openTab()
  await tab.leaveAccount(undefined)
  expect(await device.readTraces()).toEqual(noTraces)
  expect(tab.forgetSession).toHaveBeenCalledOnce()
  expect(device.storage.read('varispeed.owner')).toBe('bob')
})

test('account change: a device that has stored no owner yet is cleared with the account that signs out', async () => {
  await device.use('ann')
  await switchTo(undefined, 'ann', device.openTab())
  expect(await device.readTraces()).toEqual(noTraces)
})

test('account change: what was played before the login belongs to the account that signs in', async () => {
  await device.use(ANONYMOUS_UID)
  const tab = device.openTab()
  await switchTo('ann', undefined, tab)
  expect(await device.readTraces()).toMatchObject({ plays: [''], pushOwner: '' })
  expect(tab.forgetSession).not.toHaveBeenCalled()
})

test('account change: while pins cannot be removed or the push subscription cannot be ended, all else is removed', async () => {
  const tab = device.openTab()
  await switchTo('ann', undefined, tab)
  await device.use('ann')
  device.pins.clear = () => {
    throw new TypeError('no network')
  }
  await switchTo(undefined, 'ann', tab)
  expect(await device.readTraces()).toEqual({ ...noTraces, pins: ['my-ann'] })
})
