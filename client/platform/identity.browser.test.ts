import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIdentity } from './identity.ts'
import type { SignedInAccount } from './identity-types.ts'

const STORAGE_KEY = 'signed-in'
const ann: SignedInAccount = { uid: 'u1', email: 'ann@example.com', emailVerified: false }
const createTestIdentity = () => createIdentity({ site: {}, offline: () => false, endSession: () => {} })
/** Dispatches the `storage` event that the browser fires when another tab changes the storage. */
const fromAnotherTab = (value: SignedInAccount | undefined) => {
  if (value) localStorage.setItem(STORAGE_KEY, JSON.stringify(value))
  else localStorage.removeItem(STORAGE_KEY)
  dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY }))
}

beforeEach(() => localStorage.clear())
afterEach(() => localStorage.clear())

it('identity: the stored account is read synchronously; without one, the identity is anonymous', async () => {
  expect(createTestIdentity().getSnapshot()).toBeUndefined()
  expect(await createTestIdentity().token()).toBeUndefined()
  localStorage.setItem(STORAGE_KEY, JSON.stringify(ann))
  expect(createTestIdentity().getSnapshot()).toEqual(ann)
})

it.each(['', 'null', '7', '{}', '{"uid":7,"email":"a"}', '{"uid":"a"', '[]'])(
  'identity: the identity is anonymous for the stored value %j',
  (text) => {
    localStorage.setItem(STORAGE_KEY, text)
    expect(createTestIdentity().getSnapshot()).toBeUndefined()
  },
)

it('identity: a login in another tab is followed without loading the SDK, and subscribers are notified once', () => {
  const identity = createTestIdentity()
  const listener = vi.fn()
  const unsubscribe = identity.subscribe(listener)
  fromAnotherTab(ann)
  fromAnotherTab(ann)
  expect(identity.getSnapshot()).toEqual(ann)
  expect(listener).toHaveBeenCalledTimes(1)
  fromAnotherTab(undefined)
  expect(identity.getSnapshot()).toBeUndefined()
  unsubscribe()
  fromAnotherTab(ann)
  expect(listener).toHaveBeenCalledTimes(2)
})

it('identity: a sign-out in another tab is distinguished from one in this tab', async () => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(ann))
  const identity = createTestIdentity()
  expect(identity.wasSignedOut()).toBe(false)
  fromAnotherTab(undefined)
  expect(identity.wasSignedOut()).toBe(true)
  fromAnotherTab(ann)
  expect(identity.wasSignedOut()).toBe(false)
  await identity.signOut()
  expect(identity.wasSignedOut()).toBe(false)
})

it('identity: the signal of a login aborts when its account signs out, here or in another tab, and not when its address is confirmed', async () => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(ann))
  const identity = createTestIdentity()
  const firstSignal = identity.loginSignal()
  fromAnotherTab({ ...ann, emailVerified: true })
  expect(firstSignal.aborted).toBe(false)
  fromAnotherTab(undefined)
  expect(firstSignal.aborted).toBe(true)
  fromAnotherTab(ann)
  const secondSignal = identity.loginSignal()
  expect(secondSignal.aborted).toBe(false)
  const signedOut = identity.signOut()
  expect(secondSignal.aborted).toBe(true)
  await signedOut
})

it('identity: cleared storage counts as a sign-out', () => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(ann))
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
  localStorage.setItem(STORAGE_KEY, JSON.stringify(ann))
  // Stores a login in the format of the Firebase SDK. Its token is valid for an hour, so the SDK needs no request.
  const session = {
    ...{ uid: 'u1', email: 'ann@example.com', emailVerified: false, isAnonymous: false, providerData: [], apiKey: 'embedded' },
    ...{ createdAt: '1', lastLoginAt: '1', appName: '[DEFAULT]' },
    stsTokenManager: { refreshToken: 'r', accessToken: 'a', expirationTime: Date.now() + 3_600_000 },
  }
  localStorage.setItem('firebase:authUser:embedded:[DEFAULT]', JSON.stringify(session))
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
  const visit = () =>
    createIdentity({ site: { token_sync_url: 'https://elsewhere.example/token' }, offline: () => false, endSession: () => {} })
  const sentMethods = () =>
    fetchSync.mock.calls.filter(([url]) => url === 'https://elsewhere.example/token').map(([, init]) => init?.method)
  try {
    visit()
    await expect.poll(sentMethods).toEqual(['DELETE'])
    localStorage.setItem(STORAGE_KEY, JSON.stringify(ann))
    const identity = visit()
    await identity.signOut()
    expect(identity.getSnapshot()).toBeUndefined()
    await expect.poll(sentMethods).toEqual(['DELETE', 'DELETE'])
  } finally {
    fetchSync.mockRestore()
    vi.doUnmock('./firebase-auth.ts')
  }
})
