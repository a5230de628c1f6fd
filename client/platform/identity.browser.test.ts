import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIdentity } from './identity.ts'
import type { Person } from './person.ts'

const KEY = 'signed-in'
const ann: Person = { uid: 'u1', email: 'ann@example.com', emailVerified: false }
const create = () => createIdentity({ site: {}, offline: () => false, endSession: () => {} })
/** As the browser tells of what another tab wrote. */
const fromAnotherTab = (value: Person | undefined) => {
  if (value) localStorage.setItem(KEY, JSON.stringify(value))
  else localStorage.removeItem(KEY)
  dispatchEvent(new StorageEvent('storage', { key: KEY }))
}

beforeEach(() => localStorage.clear())
afterEach(() => localStorage.clear())

it('knows at once who was signed in, and nobody where nothing is kept', async () => {
  expect(create().getSnapshot()).toBeUndefined()
  expect(await create().token()).toBeUndefined()
  localStorage.setItem(KEY, JSON.stringify(ann))
  expect(create().getSnapshot()).toEqual(ann)
})

it.each(['', 'null', '7', '{}', '{"uid":7,"email":"a"}', '{"uid":"a"', '[]'])('takes %j in the storage for nobody', (text) => {
  localStorage.setItem(KEY, text)
  expect(create().getSnapshot()).toBeUndefined()
})

it('agrees with another tab, without the SDK, and tells it once', () => {
  const identity = create()
  const listener = vi.fn()
  const stop = identity.subscribe(listener)
  fromAnotherTab(ann)
  fromAnotherTab(ann)
  expect(identity.getSnapshot()).toEqual(ann)
  expect(listener).toHaveBeenCalledTimes(1)
  fromAnotherTab(undefined)
  expect(identity.getSnapshot()).toBeUndefined()
  stop()
  fromAnotherTab(ann)
  expect(listener).toHaveBeenCalledTimes(2)
})

it('tells who is signed out elsewhere from who signs out here', async () => {
  localStorage.setItem(KEY, JSON.stringify(ann))
  const identity = create()
  expect(identity.wasSignedOut()).toBe(false)
  fromAnotherTab(undefined)
  expect(identity.wasSignedOut()).toBe(true)
  fromAnotherTab(ann)
  expect(identity.wasSignedOut()).toBe(false)
  await identity.signOut()
  expect(identity.wasSignedOut()).toBe(false)
})

it('takes emptied storage for a sign-out', () => {
  localStorage.setItem(KEY, JSON.stringify(ann))
  const identity = create()
  localStorage.clear()
  dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(identity.getSnapshot()).toBeUndefined()
})

it('works where the browser keeps nothing', () => {
  const page = new EventTarget() as unknown as Window
  Object.defineProperty(page, 'localStorage', {
    get() {
      throw new DOMException('Denied', 'SecurityError')
    },
  })
  expect(createIdentity({ site: {}, offline: () => false, endSession: () => {}, page }).getSnapshot()).toBeUndefined()
})

it('signs out of the SDK as well, offline', async () => {
  localStorage.setItem(KEY, JSON.stringify(ann))
  // As the SDK keeps a session; its token is over, and no network is asked for it.
  const session = {
    ...{ uid: 'u1', email: 'ann@example.com', emailVerified: false, isAnonymous: false, providerData: [], apiKey: 'embedded' },
    ...{ createdAt: '1', lastLoginAt: '1', appName: '[DEFAULT]' },
    stsTokenManager: { refreshToken: 'r', accessToken: 'a', expirationTime: Date.now() + 3_600_000 },
  }
  localStorage.setItem('firebase:authUser:embedded:[DEFAULT]', JSON.stringify(session))
  const identity = create()
  await identity.signOut()
  expect(identity.getSnapshot()).toBeUndefined()
  expect(Object.keys(localStorage)).toEqual([])
})
