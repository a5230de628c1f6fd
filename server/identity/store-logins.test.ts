import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const phonePlace = { device: 'Chrome on Android', network: '203.0.113.x' }
const laptopPlace = { device: 'Firefox on Linux', network: '198.51.100.x' }
const createLogin = (loginName: string, authTimeMs: number, loginPlace = phonePlace) => ({
  ...loginPlace,
  loginId: `login ${loginName}`,
  familyId: `family ${loginName}`,
  tokenHash: `${loginName} 0`,
  authTimeMs,
})

describeStores('logins', (fixture) => {
  const getLoginStore = () => fixture.storage.logins
  const createAccount = (uid: string) =>
    fixture.storage.accounts.create({ uid, email: `${uid}@example.com`, passwordHash: 'hash', atMs: NOW_MS }, createLogin(uid, NOW_MS))
  const addLogin = (uid: string, name: string, atMs: number, place = phonePlace) =>
    fixture.storage.accounts.addLogin(uid, 'hash', createLogin(name, atMs, place))
  const rotateToken = (loginName: string, presentedTokenNumber: number, atMs: number, loginPlace = phonePlace) =>
    getLoginStore().rotate({
      ...loginPlace,
      familyId: `family ${loginName}`,
      presentedHash: `${loginName} ${presentedTokenNumber}`,
      replacementHash: `${loginName} ${presentedTokenNumber + 1}`,
      atMs,
      graceMs: 10_000,
    })
  const readLoginIds = async (uid: string) => (await getLoginStore().listOf(uid)).map(({ loginId }) => loginId)

  test('logins are listed with the device, network and time of their last refresh, the last used first', async () => {
    await createAccount('ann')
    await createAccount('bob')
    await addLogin('ann', 'laptop', NOW_MS + 1, laptopPlace)
    expect(await rotateToken('ann', 0, NOW_MS + HOUR_MS, laptopPlace)).toMatchObject({ loginId: 'login ann', authTimeMs: NOW_MS })
    expect(await getLoginStore().listOf('ann')).toEqual([
      { ...laptopPlace, loginId: 'login ann', createdMs: NOW_MS, lastUsedMs: NOW_MS + HOUR_MS },
      { ...laptopPlace, loginId: 'login laptop', createdMs: NOW_MS + 1, lastUsedMs: NOW_MS + 1 },
    ])
    expect(await getLoginStore().findAccount('login laptop')).toMatchObject({ uid: 'ann' })
  })

  test('an account can end one of its logins or all of them, but no login of another account', async () => {
    await createAccount('ann')
    await createAccount('bob')
    await addLogin('ann', 'laptop', NOW_MS)
    expect(await getLoginStore().end('bob', 'login laptop')).toBe(false)
    expect(await getLoginStore().end('ann', 'login laptop')).toBe(true)
    expect(await getLoginStore().end('ann', 'login laptop')).toBe(false)
    expect(await getLoginStore().findAccount('login laptop')).toBeUndefined()
    expect(await rotateToken('laptop', 0, NOW_MS)).toBeUndefined()
    await addLogin('ann', 'tablet', NOW_MS)
    await getLoginStore().endAll('ann')
    expect(await readLoginIds('ann')).toEqual([])
    expect(await readLoginIds('bob')).toEqual(['login bob'])
  })

  test('if all logins of an account end, its password changes or it is disabled, its browsers get no more notifications', async () => {
    const { accounts, pushes } = fixture.storage
    for (const uid of ['ann', 'bob']) await createAccount(uid)
    const subscribe = (uid: string) =>
      pushes.subscribe(uid, { endpoint: `https://fcm.googleapis.com/${uid}`, p256dh: 'key', auth: 'secret' }, NOW_MS)
    const endings: readonly (() => Promise<unknown>)[] = [
      () => getLoginStore().endAll('ann'),
      () => getLoginStore().endAll('ann', 'login ann'),
      () => accounts.setPassword('ann', 'hash', 'new', NOW_MS, createLogin('new', NOW_MS)),
      () => accounts.setDisabled('ann', true),
      () => accounts.setDisabled('ann', false),
    ]
    await subscribe('bob')
    for (const endLogins of endings) {
      await subscribe('ann')
      await endLogins()
      expect(await pushes.listOf('ann'), String(endLogins)).toEqual([])
    }
    expect(await pushes.listOf('bob')).toHaveLength(1)
  })

  test('a stolen refresh token ends its login, whose identity tokens then belong to no account', async () => {
    await createAccount('ann')
    await rotateToken('ann', 0, NOW_MS)
    expect(await getLoginStore().findAccount('login ann')).toBeDefined()
    expect(await rotateToken('ann', 0, NOW_MS + HOUR_MS)).toBeUndefined()
    expect(await getLoginStore().findAccount('login ann')).toBeUndefined()
  })

  test('a login ends after 180 days without use: its refresh is refused, and its rows are deleted', async () => {
    await createAccount('ann')
    await addLogin('ann', 'used', NOW_MS)
    expect(await rotateToken('used', 0, NOW_MS + 179 * DAY_MS)).toBeDefined()
    const endMs = NOW_MS + 180 * DAY_MS
    expect(await rotateToken('ann', 0, endMs)).toBeUndefined()
    await fixture.storage.deleteExpired(endMs)
    expect(await readLoginIds('ann')).toEqual(['login used'])
    expect(await fixture.storage.findProblems()).toEqual([])
    expect(await rotateToken('used', 1, endMs)).toBeDefined()
  })

  test('an account has at most 50 logins: a further login ends the one that was not used for the longest time', async () => {
    await createAccount('ann')
    for (let count = 1; count < 50; count++) await addLogin('ann', `${count}`, NOW_MS + count)
    await rotateToken('ann', 0, NOW_MS + HOUR_MS)
    await addLogin('ann', 'last', NOW_MS + 2 * HOUR_MS)
    const loginIds = await readLoginIds('ann')
    expect(loginIds).toHaveLength(50)
    expect(loginIds.slice(0, 2)).toEqual(['login last', 'login ann'])
    expect(loginIds).not.toContain('login 1')
    expect(await fixture.storage.findProblems()).toEqual([])
  })
})
