import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccountRepository } from '../data/account-repository.ts'
import type { AccountRow, LocalDatabase } from '../data/local-database.ts'
import { createMemoryDatabase } from '../data/memory-database.ts'
import { ApiCallError } from '../platform/api.ts'
import { computeEntitlement, ROLE_VALID_OFFLINE_MS, useEntitlement } from './entitlement.ts'
import { type Services, ServicesProvider } from './services.tsx'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const createAccountInfo = (...roles: ('subscriber' | 'donator')[]) => ({ email: 'ann@example.com', roles, discord: '', discord_id: '' })
const createAccountRow = (confirmedAtMs: number, ...memberRoles: ('subscriber' | 'donator')[]): AccountRow => ({
  uid: 'ann',
  info: createAccountInfo(...memberRoles),
  confirmedAtMs,
})

describe('computeEntitlement', () => {
  it("computeEntitlement: a subscriber is entitled for 30 days after the server's confirmation, even if the device's clock was set back", () => {
    for (const hasFailed of [false, true]) {
      expect(computeEntitlement(createAccountRow(NOW_MS, 'donator', 'subscriber'), hasFailed, NOW_MS)).toBe('entitled')
      expect(computeEntitlement(createAccountRow(NOW_MS - ROLE_VALID_OFFLINE_MS, 'subscriber'), hasFailed, NOW_MS)).toBe('entitled')
      expect(computeEntitlement(createAccountRow(NOW_MS + 1, 'subscriber'), hasFailed, NOW_MS)).toBe('entitled')
    }
    expect(computeEntitlement(createAccountRow(NOW_MS - ROLE_VALID_OFFLINE_MS - 1, 'subscriber'), true, NOW_MS)).toBe('stale')
    expect(
      computeEntitlement(createAccountRow(NOW_MS - ROLE_VALID_OFFLINE_MS - 1, 'subscriber'), false, NOW_MS),
      'a request is pending',
    ).toBe('unknown')
    expect(ROLE_VALID_OFFLINE_MS).toBe(30 * 86_400_000)
  })

  it("computeEntitlement: an account without the role is locked, however old the server's confirmation is", () => {
    for (const hasFailed of [false, true])
      expect(computeEntitlement(createAccountRow(NOW_MS - 2 * ROLE_VALID_OFFLINE_MS, 'donator'), hasFailed, NOW_MS)).toBe('locked')
  })

  it('computeEntitlement: without a stored row the entitlement is unknown, or after a failed request stale', () => {
    expect([
      computeEntitlement(undefined, true, NOW_MS),
      computeEntitlement(null, false, NOW_MS),
      computeEntitlement(null, true, NOW_MS),
    ]).toEqual(['unknown', 'unknown', 'stale'])
  })
})

let renderedValues: string[] = []
function Probe() {
  renderedValues.push(useEntitlement())
  return null
}

describe('useEntitlement', () => {
  let root: Root
  let database: LocalDatabase
  let memberRoles: ('subscriber' | 'donator')[] | undefined
  let requestCount: number
  beforeEach(() => {
    ;[database, memberRoles, renderedValues, requestCount] = [createMemoryDatabase(), ['subscriber'], [], 0]
    root = createRoot(document.createElement('div'))
  })
  afterEach(() => root.unmount())

  function renderEntitlement(uid: string | null = 'ann') {
    const signedInAccount = uid === null ? undefined : { uid, email: 'ann@example.com', emailVerified: true }
    const callApi = async () => {
      requestCount += 1
      if (!memberRoles) throw new ApiCallError('network', 0, 'No connection to the server.')
      return createAccountInfo(...memberRoles)
    }
    const accounts = createAccountRepository({
      api: { call: callApi } as unknown as Services['accountApi'],
      database,
      getSignedInUid: () => uid ?? undefined,
    })
    const identity = { getSnapshot: () => signedInAccount, subscribe: () => () => {} }
    root.render(
      // The cast is safe, because `useEntitlement` uses only these services.
      <ServicesProvider services={{ kind: 'main', accounts, identity, database } as unknown as Services}>
        <Probe />
      </ServicesProvider>,
    )
    return accounts
  }
  const putAccount = (row: AccountRow) => database.change((tables) => tables.accounts.put([row]))
  const expectEntitlement = (entitlement: string) => vi.waitFor(() => expect(renderedValues.at(-1)).toBe(entitlement))

  it('useEntitlement: the entitlement follows the roles that the server returns', async () => {
    const accounts = renderEntitlement()
    await expectEntitlement('entitled')
    expect(new Set(renderedValues)).toEqual(new Set(['unknown', 'entitled']))
    memberRoles = []
    await accounts.info('ann').refresh({ force: true })
    await expectEntitlement('locked')
    memberRoles = ['donator', 'subscriber']
    await accounts.info('ann').refresh({ force: true })
    await expectEntitlement('entitled')
  })

  it('useEntitlement: without a connection a stored role is valid for 30 days, and then stale', async () => {
    memberRoles = undefined
    await putAccount(createAccountRow(Date.now() - ROLE_VALID_OFFLINE_MS + 60_000, 'subscriber'))
    renderEntitlement()
    await expectEntitlement('entitled')
    await putAccount(createAccountRow(Date.now() - ROLE_VALID_OFFLINE_MS - 1, 'subscriber'))
    await expectEntitlement('stale')
    expect(renderedValues).not.toContain('locked')
  })

  it('useEntitlement: without a stored row and without a connection the entitlement is stale', async () => {
    memberRoles = undefined
    renderEntitlement()
    await expectEntitlement('stale')
  })

  it('useEntitlement: if a stored confirmation lies in the future, its time is replaced with the current time', async () => {
    memberRoles = undefined
    await putAccount(createAccountRow(Date.now() + 5 * ROLE_VALID_OFFLINE_MS, 'subscriber'))
    renderEntitlement()
    await expectEntitlement('entitled')
    const readConfirmedAtMs = () => database.read(async (tables) => (await tables.accounts.get('ann'))?.confirmedAtMs ?? 0)
    await vi.waitFor(async () => expect(await readConfirmedAtMs()).toBeLessThanOrEqual(Date.now()))
    expect(await readConfirmedAtMs()).toBeGreaterThan(Date.now() - 60_000)
  })

  it('useEntitlement: when a role expires while the page is open, the role is requested again', async () => {
    renderEntitlement()
    await expectEntitlement('entitled')
    const requestCountBefore = requestCount
    await putAccount(createAccountRow(Date.now() - ROLE_VALID_OFFLINE_MS - 1, 'subscriber'))
    await vi.waitFor(() => expect(requestCount).toBe(requestCountBefore + 1))
    await expectEntitlement('entitled')
  })

  it('useEntitlement: without an account no request is sent', async () => {
    renderEntitlement(null)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(requestCount).toBe(0)
  })
})
