import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SIGNED_IN_ACCOUNT_KEY } from '../../contract/account-snapshot.ts'
import { storeDeviceOwner } from '../data/forget-account.ts'
import { ANONYMOUS_UID } from '../data/local-database.ts'
import { createMemoryDatabase } from '../data/memory-database.ts'
import type { AccountApi, Api } from '../platform/api.ts'
import { DEVICE_OWNER_KEY, localStore } from '../platform/web-storage.ts'
import { startAppBadge } from './app-badge.ts'
import { createOfflineMutations } from './offline-mutations.ts'

const SITE_KEY_BYTES = new Uint8Array(65).fill(251)
const SITE_KEY = btoa(String.fromCharCode(...SITE_KEY_BYTES))
  .replaceAll('+', '-')
  .replaceAll('/', '_')
  .replaceAll('=', '')
const setAppBadge = vi.fn(async () => {})

beforeEach(() => {
  Object.defineProperty(navigator, 'setAppBadge', { configurable: true, value: setAppBadge })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'setAppBadge')
  vi.restoreAllMocks()
  setAppBadge.mockClear()
  for (const key of [DEVICE_OWNER_KEY, SIGNED_IN_ACCOUNT_KEY]) localStore.write(key, undefined)
})

/** Lets the browser have a subscription that was made with a key. */
function subscribeBrowser(keyBytes: Uint8Array): void {
  const subscription = {
    endpoint: 'https://fcm.googleapis.com/new',
    options: { applicationServerKey: keyBytes.buffer },
    toJSON: () => ({ keys: { p256dh: 'key', auth: 'secret' } }),
  }
  const registration = { pushManager: { getSubscription: async () => subscription } }
  // The cast is safe, because only these members are used.
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(registration as unknown as ServiceWorkerRegistration)
}

const annAccount = { uid: 'ann', email: 'ann@example.com', emailVerified: true }

/** Starts the badge of the account `ann` or of nobody. At each request, the site has the next of `songCounts` unseen songs. */
function startBadge({ isSignedIn = true, songCounts = [0] } = {}) {
  let unseenCount = 0
  const listeners: (() => void)[] = []
  const refresh = vi.fn(async () => {
    unseenCount = songCounts.shift() ?? unseenCount
    for (const listener of listeners) listener()
  })
  const callAccount = vi.fn(async () => null)
  const callSite = vi.fn(async () => ({ key: SITE_KEY }))
  startAppBadge({
    // The casts are safe, because the badge calls one endpoint of each API.
    api: { call: callSite } as unknown as Api,
    accountApi: { call: callAccount } as unknown as AccountApi,
    identity: { getSnapshot: () => (isSignedIn ? annAccount : undefined), subscribe: () => () => {} },
    followedSongs: () => ({
      getSnapshot: () => ({ data: { songs: [], unseenCount }, status: 'ready', error: undefined, stale: false }),
      subscribe: (listener) => {
        listeners.push(listener)
        return () => {}
      },
      refresh,
    }),
  })
  return { refresh, callAccount, callSite }
}

it('the badge shows the number of unseen songs anew when the page becomes visible, and after a push', () => {
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const { refresh } = startBadge({ songCounts: [1, 3, 4] })
  expect(setAppBadge).toHaveBeenLastCalledWith(1)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(setAppBadge).toHaveBeenLastCalledWith(3)
  navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'PUSHED' } }))
  expect(setAppBadge).toHaveBeenLastCalledWith(4)
  expect(refresh).toHaveBeenLastCalledWith({ force: true })
  isHidden.mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(refresh).toHaveBeenCalledTimes(3)
})

it('at the start, the subscription that the browser has made in place of an earlier one is sent to the site', async () => {
  subscribeBrowser(SITE_KEY_BYTES)
  const { callAccount } = startBadge()
  await expect
    .poll(() => callAccount.mock.calls)
    .toEqual([['POST /follow/push', { endpoint: 'https://fcm.googleapis.com/new', p256dh: 'key', auth: 'secret' }]])
})

it('a subscription with another key than that of the site is not sent, nor is one without an account or of another account', async () => {
  subscribeBrowser(new Uint8Array(65))
  const withOtherKey = startBadge()
  await expect.poll(() => withOtherKey.callSite.mock.calls).toHaveLength(1)
  subscribeBrowser(SITE_KEY_BYTES)
  const withoutAccount = startBadge({ isSignedIn: false })
  storeDeviceOwner('bob')
  const withOtherOwner = startBadge()
  storeDeviceOwner('ann')
  const withAccount = startBadge()
  await expect.poll(() => withAccount.callAccount.mock.calls).toHaveLength(1)
  expect([withOtherKey, withoutAccount, withOtherOwner].flatMap(({ callAccount }) => callAccount.mock.calls)).toEqual([])
})

it('after a login on a page that loads the code only then, the subscription of the account is sent to the site', async () => {
  subscribeBrowser(SITE_KEY_BYTES)
  storeDeviceOwner(ANONYMOUS_UID)
  localStore.write(SIGNED_IN_ACCOUNT_KEY, JSON.stringify(annAccount))
  const call = vi.fn(async (endpoint: string) =>
    endpoint === 'GET /follow/push_key' ? { key: SITE_KEY } : Promise.reject(new Error('offline')),
  )
  const { outbox } = createOfflineMutations({
    api: { call },
    accountApi: { call },
    identity: { getSnapshot: () => annAccount, subscribe: () => () => {} },
    connection: { offline: true, serverUnreachable: false, subscribe: () => () => {} },
    database: createMemoryDatabase(),
    // The cast is safe, because the start of this code uses only these members.
  } as unknown as Parameters<typeof createOfflineMutations>[0])
  await expect.poll(() => call.mock.calls.map(([endpoint]) => endpoint)).toContain('POST /follow/push')
  outbox.close()
})
