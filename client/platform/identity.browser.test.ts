import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIdentity } from './identity.ts'
import type { SignedInAccount } from './identity-types.ts'

const STORAGE_KEY = 'signed-in'
const annAccount: SignedInAccount = { uid: 'u1', email: 'ann@example.com', emailVerified: false }
const createTestIdentity = () => createIdentity({ site: {}, offline: () => false, endSession: () => {} })
/** Dispatches the `storage` event that the browser fires when another tab changes the storage. */
const changeFromAnotherTab = (storedAccount: SignedInAccount | undefined) => {
  if (storedAccount) localStorage.setItem(STORAGE_KEY, JSON.stringify(storedAccount))
  else localStorage.removeItem(STORAGE_KEY)
  dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY }))
}

beforeEach(() => localStorage.clear())
afterEach(() => localStorage.clear())

it('identity: the stored account is read synchronously; without one, the identity is anonymous', async () => {
  expect(createTestIdentity().getSnapshot()).toBeUndefined()
  expect(await createTestIdentity().token()).toBeUndefined()
  localStorage.setItem(STORAGE_KEY, JSON.stringify(annAccount))
  expect(createTestIdentity().getSnapshot()).toEqual(annAccount)
})

it.each(['', 'null', '7', '{}', '{"uid":7,"email":"a"}', '{"uid":"a"', '[]'])(
  'identity: the identity is anonymous for the stored value %j',
  (metaText) => {
    localStorage.setItem(STORAGE_KEY, metaText)
    expect(createTestIdentity().getSnapshot()).toBeUndefined()
  },
)

it('identity: a login in another tab is followed without loading the SDK, and subscribers are notified once', () => {
  const identity = createTestIdentity()
  const listener = vi.fn()
  const unsubscribe = identity.subscribe(listener)
  changeFromAnotherTab(annAccount)
  changeFromAnotherTab(annAccount)
  expect(identity.getSnapshot()).toEqual(annAccount)
  expect(listener).toHaveBeenCalledTimes(1)
  changeFromAnotherTab(undefined)
  expect(identity.getSnapshot()).toBeUndefined()
  unsubscribe()
  changeFromAnotherTab(annAccount)
  expect(listener).toHaveBeenCalledTimes(2)
})

it('identity: a sign-out in another tab is distinguished from one in this tab', async () => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(annAccount))
  const identity = createTestIdentity()
  expect(identity.wasSignedOut()).toBe(false)
  changeFromAnotherTab(undefined)
  expect(identity.wasSignedOut()).toBe(true)
  changeFromAnotherTab(annAccount)
  expect(identity.wasSignedOut()).toBe(false)
  await identity.signOut()
  expect(identity.wasSignedOut()).toBe(false)
})

it('identity: the signal of a login aborts when its account signs out, here or in another tab, and not when its address is confirmed', async () => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(annAccount))
  const identity = createTestIdentity()
  const firstSignal = identity.loginSignal()
  changeFromAnotherTab({ ...annAccount, emailVerified: true })
  expect(firstSignal.aborted).toBe(false)
  changeFromAnotherTab(undefined)
  expect(firstSignal.aborted).toBe(true)
  changeFromAnotherTab(annAccount)
  const secondSignal = identity.loginSignal()
  expect(secondSignal.aborted).toBe(false)
  const signedOut = identity.signOut()
  expect(secondSignal.aborted).toBe(true)
  await signedOut
})

it('identity: cleared storage counts as a sign-out', () => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(annAccount))
  const identity = createTestIdentity()
  localStorage.clear()
  dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(identity.getSnapshot()).toBeUndefined()
})

it('identity: if the browser denies localStorage, nobody is signed in, and nothing is thrown', () => {
  const page = new EventTarget() as unknown as Window
  Object.defineProperty(page, 'localStorage', {
    get() {
      throw new DOMException('Denied', 'SecurityError')
    },
  })
  expect(createIdentity({ site: {}, offline: () => false, endSession: () => {}, page }).getSnapshot()).toBeUndefined()
})

it('identity: signing out also signs out of the SDK, even offline', async () => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(annAccount))
  // Stores a login in the format of the Firebase SDK. Its token is valid for an hour, so the SDK needs no request.
  const tokenSession = {
    ...{ uid: 'u1', email: 'ann@example.com', emailVerified: false, isAnonymous: false, providerData: [], apiKey: 'embedded' },
    ...{ createdAt: '1', lastLoginAt: '1', appName: '[DEFAULT]' },
    stsTokenManager: { refreshToken: 'r', accessToken: 'a', expirationTime: Date.now() + 3_600_000 },
  }
  localStorage.setItem('firebase:authUser:embedded:[DEFAULT]', JSON.stringify(tokenSession))
  const identity = createTestIdentity()
  await identity.signOut()
  expect(identity.getSnapshot()).toBeUndefined()
  expect(Object.keys(localStorage)).toEqual([])
})

it('identity: the server at `token_sync_url` is notified of a visit without a login, and of a sign-out for which the SDK cannot be loaded', async () => {
  vi.doMock('./firebase-auth.ts', () => ({
    openFirebaseAuth() {
      throw new TypeError('Failed to fetch')
    },
  }))
  const fetchSync = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 204 }))
  const openPage = () =>
    createIdentity({ site: { token_sync_url: 'https://elsewhere.example/token' }, offline: () => false, endSession: () => {} })
  const listSentMethods = () =>
    fetchSync.mock.calls.filter(([url]) => url === 'https://elsewhere.example/token').map(([, init]) => init?.method)
  try {
    openPage()
    await expect.poll(listSentMethods).toEqual(['DELETE'])
    localStorage.setItem(STORAGE_KEY, JSON.stringify(annAccount))
    const identity = openPage()
    await identity.signOut()
    expect(identity.getSnapshot()).toBeUndefined()
    await expect.poll(listSentMethods).toEqual(['DELETE', 'DELETE'])
  } finally {
    fetchSync.mockRestore()
    vi.doUnmock('./firebase-auth.ts')
  }
})
