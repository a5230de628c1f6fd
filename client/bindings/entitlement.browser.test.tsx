import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccounts } from '../data/account-repository.ts'
import { createMemoryStore, readOnce } from '../data/memory-store.ts'
import type { AccountRow, CatalogueStore } from '../data/store.ts'
import { ApiFailure } from '../platform/api.ts'
import { entitlementOf, HONOURED_MS, useEntitlement } from './entitlement.ts'
import { type Services, ServicesProvider } from './services.tsx'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const infoOf = (...roles: ('subscriber' | 'donator')[]) => ({ email: 'ann@example.com', roles, discord: '', discord_id: '' })
const rowOf = (confirmedAtMs: number, ...roles: ('subscriber' | 'donator')[]): AccountRow => ({
  uid: 'ann',
  info: infoOf(...roles),
  confirmedAtMs,
})

describe('a role', () => {
  it('counts for 30 days after it was confirmed, and after a clock that was set back', () => {
    for (const failed of [false, true]) {
      expect(entitlementOf(rowOf(NOW, 'donator', 'subscriber'), failed, NOW)).toBe('entitled')
      expect(entitlementOf(rowOf(NOW - HONOURED_MS, 'subscriber'), failed, NOW)).toBe('entitled')
      expect(entitlementOf(rowOf(NOW + 1, 'subscriber'), failed, NOW)).toBe('entitled')
    }
    expect(entitlementOf(rowOf(NOW - HONOURED_MS - 1, 'subscriber'), true, NOW)).toBe('stale')
    expect(entitlementOf(rowOf(NOW - HONOURED_MS - 1, 'subscriber'), false, NOW), 'the site is being asked').toBe('unknown')
    expect(HONOURED_MS).toBe(30 * 86_400_000)
  })

  it('that was not given is locked, however long ago that was', () => {
    for (const failed of [false, true]) expect(entitlementOf(rowOf(NOW - 2 * HONOURED_MS, 'donator'), failed, NOW)).toBe('locked')
  })

  it('of which nothing is known has to be confirmed', () => {
    expect([entitlementOf(undefined, true, NOW), entitlementOf(null, false, NOW), entitlementOf(null, true, NOW)]).toEqual([
      'unknown',
      'unknown',
      'stale',
    ])
  })
})

let shown: string[] = []
function Shown() {
  shown.push(useEntitlement())
  return null
}

describe('who is signed in', () => {
  let root: Root
  let store: CatalogueStore
  let roles: ('subscriber' | 'donator')[] | undefined
  let asked: number
  beforeEach(() => {
    ;[store, roles, shown, asked] = [createMemoryStore(), ['subscriber'], [], 0]
    root = createRoot(document.createElement('div'))
  })
  afterEach(() => root.unmount())

  function show(uid: string | null = 'ann') {
    const person = uid === null ? undefined : { uid, email: 'ann@example.com', emailVerified: true }
    const call = async () => {
      asked += 1
      if (!roles) throw new ApiFailure('network', 0, 'No connection to the server.')
      return infoOf(...roles)
    }
    const accounts = createAccounts({ api: { call } as unknown as Services['accountApi'], store, signedIn: () => uid ?? undefined })
    const identity = { getSnapshot: () => person, subscribe: () => () => {} }
    root.render(
      // Only what is used.
      <ServicesProvider services={{ accounts, identity, store } as unknown as Services}>
        <Shown />
      </ServicesProvider>,
    )
    return accounts
  }
  const put = (row: AccountRow) => store.change((tables) => tables.accounts.put([row]))
  const ends = (entitlement: string) => vi.waitFor(() => expect(shown.at(-1)).toBe(entitlement))

  it('is entitled once the site has said so, and locked once it has taken it back', async () => {
    const accounts = show()
    await ends('entitled')
    expect(new Set(shown)).toEqual(new Set(['unknown', 'entitled']))
    roles = []
    await accounts.info('ann').refresh({ force: true })
    await ends('locked')
    roles = ['donator', 'subscriber']
    await accounts.info('ann').refresh({ force: true })
    await ends('entitled')
  })

  it('goes on for 30 days without a connection, and has to be confirmed then', async () => {
    roles = undefined
    await put(rowOf(Date.now() - HONOURED_MS + 60_000, 'subscriber'))
    show()
    await ends('entitled')
    await put(rowOf(Date.now() - HONOURED_MS - 1, 'subscriber'))
    await ends('stale')
    expect(shown).not.toContain('locked')
  })

  it('that nothing is known of has to be confirmed', async () => {
    roles = undefined
    show()
    await ends('stale')
  })

  it('has 30 days from now where the time of the confirmation is to come', async () => {
    roles = undefined
    await put(rowOf(Date.now() + 5 * HONOURED_MS, 'subscriber'))
    show()
    await ends('entitled')
    const confirmedAtMs = () => readOnce(store, async (tables) => (await tables.accounts.get('ann'))?.confirmedAtMs ?? 0)
    await vi.waitFor(async () => expect(await confirmedAtMs()).toBeLessThanOrEqual(Date.now()))
    expect(await confirmedAtMs()).toBeGreaterThan(Date.now() - 60_000)
  })

  it('is asked again on a page that stays open for so long', async () => {
    show()
    await ends('entitled')
    const before = asked
    await put(rowOf(Date.now() - HONOURED_MS - 1, 'subscriber'))
    await vi.waitFor(() => expect(asked).toBe(before + 1))
    await ends('entitled')
  })

  it('is nobody: nothing is asked', async () => {
    show(null)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked).toBe(0)
  })
})
