import { expect, test } from 'vitest'
import { HOUR_MS } from '../durations.ts'
import type { Storage } from '../storage/open.ts'
import { describeStores } from '../storage/testing/databases.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const SECOND_MS = 1000
const allRows = { limit: 10_000, offset: 0 }
const loginPlace = { device: 'Chrome on Android', network: '203.0.113.x' }
const createLogin = (loginName: string, authTimeMs = NOW_MS) => ({
  ...loginPlace,
  loginId: `login ${loginName}`,
  familyId: `family ${loginName}`,
  tokenHash: `${loginName} 0`,
  authTimeMs,
})

describeStores('accounts', (fixture) => {
  const getAccountStore = () => fixture.storage.accounts
  const createAccount = (name: string, storage: Storage = fixture.storage) =>
    storage.accounts.create({ uid: name, email: `${name}@example.com`, passwordHash: `hash of ${name}`, atMs: NOW_MS }, createLogin(name))
  const rotateToken = (loginName: string, presentedHash: string, replacementHash: string, atMs = NOW_MS) =>
    fixture.storage.logins.rotate({
      ...loginPlace,
      familyId: `family ${loginName}`,
      presentedHash,
      replacementHash,
      atMs,
      graceMs: 10 * SECOND_MS,
    })

  test('an account is found by uid and by email address, also after a restart; an address has at most one account', async () => {
    expect(await createAccount('ann')).toBe(true)
    await fixture.reopen()
    const ann = {
      uid: 'ann',
      email: 'ann@example.com',
      passwordHash: 'hash of ann',
      emailVerified: false,
      disabled: false,
      createdMs: NOW_MS,
      lastLoginMs: NOW_MS,
      validAfterMs: 0,
    }
    expect(await getAccountStore().findByUid('ann')).toEqual(ann)
    expect(await getAccountStore().findByEmail('ann@example.com')).toEqual(ann)
    expect(await getAccountStore().findByUid('bob')).toBeUndefined()
    expect(
      await getAccountStore().create({ uid: 'other', email: 'ann@example.com', passwordHash: 'x', atMs: NOW_MS }, createLogin('other')),
    ).toBe(false)
    expect(await rotateToken('other', 'other 0', 'other 1')).toBeUndefined()
    const creationResults = await Promise.all([
      createAccount('bob'),
      getAccountStore().create({ uid: 'b2', email: 'bob@example.com', passwordHash: 'x', atMs: NOW_MS }),
    ])
    expect(creationResults.filter((isDone) => isDone)).toHaveLength(1)
    expect((await getAccountStore().list(allRows)).map((each) => each.email)).toEqual(['ann@example.com', 'bob@example.com'])
  })

  test('a login is added only if the password hash is unchanged and the account is enabled', async () => {
    await createAccount('ann')
    expect(await getAccountStore().addLogin('ann', 'hash of ann', createLogin('second', NOW_MS + HOUR_MS))).toBe(true)
    expect((await getAccountStore().findByUid('ann'))?.lastLoginMs).toBe(NOW_MS + HOUR_MS)
    expect(await rotateToken('second', 'second 0', 'second 1')).toMatchObject({ account: { uid: 'ann' }, authTimeMs: NOW_MS + HOUR_MS })
    expect(await getAccountStore().addLogin('ann', 'an older hash', createLogin('third'))).toBe(false)
    await getAccountStore().setDisabled('ann', true)
    expect(await getAccountStore().addLogin('ann', 'hash of ann', createLogin('fourth'))).toBe(false)
    expect(await getAccountStore().setDisabled('nobody', true)).toBe(false)
  })

  test('a refresh token that is presented again after the grace period ends only its own token family', async () => {
    await createAccount('ann')
    await getAccountStore().addLogin('ann', 'hash of ann', createLogin('other'))
    expect(await rotateToken('ann', 'ann 0', 'ann 1')).toMatchObject({ account: { uid: 'ann', validAfterMs: 0 }, authTimeMs: NOW_MS })
    // Two concurrent tabs present token 0 within the grace period, one of them because it did not receive the response.
    expect(await rotateToken('ann', 'ann 0', 'ann 2', NOW_MS + 9 * SECOND_MS)).toBeDefined()
    expect(await rotateToken('ann', 'ann 1', 'ann 3', NOW_MS + HOUR_MS)).toBeDefined()
    expect(await rotateToken('ann', 'ann 2', 'ann 4', NOW_MS + HOUR_MS)).toBeDefined()
    expect(await rotateToken('ann', 'ann 0', 'ann 5', NOW_MS + HOUR_MS)).toBeUndefined()
    expect(await rotateToken('ann', 'ann 3', 'ann 6', NOW_MS + HOUR_MS)).toBeUndefined()
    expect(await rotateToken('other', 'other 0', 'other 1')).toBeDefined()
  })

  test('a refresh token that is not stored for its family ends the family; the grace period is exact to the millisecond', async () => {
    await createAccount('ann')
    await rotateToken('ann', 'ann 0', 'ann 1')
    expect(await rotateToken('ann', 'ann 0', 'ann 2', NOW_MS + 10 * SECOND_MS)).toBeUndefined()
    await createAccount('cat')
    await rotateToken('cat', 'cat 0', 'cat 1', NOW_MS + HOUR_MS)
    expect(await rotateToken('cat', 'cat 0', 'cat 2', NOW_MS), 'after the clock was set back').toBeUndefined()
    await createAccount('bob')
    expect(await rotateToken('bob', 'made up', 'bob 1')).toBeUndefined()
    expect(await rotateToken('bob', 'bob 0', 'bob 1')).toBeUndefined()
  })

  test('the number of valid tokens of a family is limited', async () => {
    await createAccount('ann')
    for (let i = 1; i <= 40; i++) expect(await rotateToken('ann', 'ann 0', `ann ${i}`)).toBeDefined()
    expect(await rotateToken('ann', 'ann 40', 'ann 41')).toBeDefined()
    expect(await rotateToken('ann', 'ann 2', 'ann 42')).toBeUndefined()
  })

  test('a new password ends all logins except the one that set it', async () => {
    await createAccount('ann')
    await getAccountStore().addLogin('ann', 'hash of ann', createLogin('other'))
    expect(await getAccountStore().setPassword('ann', 'hash of ann', 'new hash', NOW_MS + HOUR_MS, createLogin('fresh'))).toBe(true)
    expect(await getAccountStore().findByUid('ann')).toMatchObject({
      passwordHash: 'new hash',
      validAfterMs: NOW_MS + HOUR_MS,
      emailVerified: false,
    })
    expect(await rotateToken('ann', 'ann 0', 'ann 1')).toBeUndefined()
    expect(await rotateToken('other', 'other 0', 'other 1')).toBeUndefined()
    expect(await rotateToken('fresh', 'fresh 0', 'fresh 1')).toBeDefined()
    expect(await getAccountStore().setPassword('nobody', 'hash of ann', 'x', NOW_MS, createLogin('x'))).toBe(false)
    expect(
      await getAccountStore().setPassword('ann', 'hash of ann', 'late', NOW_MS + HOUR_MS, createLogin('late')),
      'asked before the change',
    ).toBe(false)
    expect(await rotateToken('late', 'late 0', 'late 1')).toBeUndefined()
    expect(await rotateToken('fresh', 'fresh 0', 'fresh 2')).toMatchObject({
      account: { passwordHash: 'new hash', validAfterMs: NOW_MS + HOUR_MS },
    })
  })

  test('only the newest code of an account is valid, once and until it expires', async () => {
    await createAccount('ann')
    const replaceCode = (hash: string, kind: 'reset' | 'verify' = 'reset') =>
      getAccountStore().replaceCode({ uid: 'ann', kind, hash, expiresMs: NOW_MS + HOUR_MS, atMs: NOW_MS })
    await replaceCode('first')
    await replaceCode('second')
    await replaceCode('verify', 'verify')
    expect(await getAccountStore().findCode('first')).toBeUndefined()
    expect(await getAccountStore().findCode('second')).toEqual({
      uid: 'ann',
      kind: 'reset',
      email: 'ann@example.com',
      expiresMs: NOW_MS + HOUR_MS,
    })
    expect(await getAccountStore().resetPassword('first', 'x', NOW_MS)).toBe(false)
    expect(await getAccountStore().resetPassword('verify', 'x', NOW_MS)).toBe(false)
    expect(await getAccountStore().resetPassword('second', 'x', NOW_MS + HOUR_MS)).toBe(false)
    expect((await getAccountStore().findByUid('ann'))?.passwordHash).toBe('hash of ann')
    const resetResults = await Promise.all(['a', 'b', 'c'].map((hash) => getAccountStore().resetPassword('second', hash, NOW_MS)))
    expect(resetResults.filter((isUsed) => isUsed)).toHaveLength(1)
    expect(await getAccountStore().findByUid('ann')).toMatchObject({ emailVerified: true, validAfterMs: NOW_MS })
    expect(await rotateToken('ann', 'ann 0', 'ann 1')).toBeUndefined()
  })

  test('a verification code verifies the address; a password change deletes the reset code', async () => {
    await createAccount('ann')
    await getAccountStore().replaceCode({ uid: 'ann', kind: 'verify', hash: 'v', expiresMs: NOW_MS + HOUR_MS, atMs: NOW_MS })
    await getAccountStore().replaceCode({ uid: 'ann', kind: 'reset', hash: 'r', expiresMs: NOW_MS + HOUR_MS, atMs: NOW_MS })
    expect(await getAccountStore().verifyEmail('ann', 'r', NOW_MS)).toBe(false)
    expect(await getAccountStore().verifyEmail('ann', 'v', NOW_MS)).toBe(true)
    expect(await getAccountStore().verifyEmail('ann', 'v', NOW_MS)).toBe(false)
    expect((await getAccountStore().findByUid('ann'))?.emailVerified).toBe(true)
    await getAccountStore().setPassword('ann', 'hash of ann', 'new', NOW_MS, createLogin('new'))
    expect(await getAccountStore().resetPassword('r', 'x', NOW_MS)).toBe(false)
  })

  test('removing an account deletes all of its rows, and the roles of its address only if it has verified the address', async () => {
    for (const name of ['ann', 'bob'])
      await fixture.storage.roles.grant(`${name}@example.com`, { role: 'donator', source: 'admin', untilMs: undefined })
    await createAccount('ann')
    await createAccount('bob')
    await getAccountStore().replaceCode({ uid: 'ann', kind: 'reset', hash: 'r', expiresMs: NOW_MS + HOUR_MS, atMs: NOW_MS })
    await getAccountStore().replaceCode({ uid: 'ann', kind: 'verify', hash: 'v', expiresMs: NOW_MS + HOUR_MS, atMs: NOW_MS })
    await getAccountStore().verifyEmail('ann', 'v', NOW_MS)
    expect(await getAccountStore().remove('ann', NOW_MS)).toBe(true)
    expect(await getAccountStore().remove('ann', NOW_MS)).toBe(false)
    expect(await rotateToken('ann', 'ann 0', 'ann 1')).toBeUndefined()
    expect(await getAccountStore().findCode('r')).toBeUndefined()
    expect(await rotateToken('bob', 'bob 0', 'bob 1')).toBeDefined()
    expect(await getAccountStore().remove('bob', NOW_MS)).toBe(true)
    expect((await fixture.storage.roles.list(allRows)).map(({ email }) => email)).toEqual(['bob@example.com'])
    expect(await createAccount('ann')).toBe(true)
    // If the role was granted while an account had the email address, the role is deleted together with this account.
    await fixture.storage.roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    await getAccountStore().remove('ann', NOW_MS)
    expect((await fixture.storage.roles.list(allRows)).map(({ email }) => email)).toEqual(['bob@example.com'])
  })
})

describeStores('roles', (fixture) => {
  const getRoleStore = () => fixture.storage.roles
  const ann = { uid: 'ann', verifiedEmail: 'ann@example.com' }
  const readRolesAt = async (atMs: number) => [
    ...new Set((await getRoleStore().listGrants(ann)).filter(({ untilMs = atMs + 1 }) => untilMs > atMs).map(({ role }) => role)),
  ]

  test('a role belongs to the account of its address, or else to the account that verifies the address', async () => {
    const roleGrants = [{ role: 'donator' as const, source: 'admin' as const, untilMs: undefined }]
    const [donatorGrant] = roleGrants
    const createAccount = (uid: string) =>
      fixture.storage.accounts.create({ uid, email: 'ann@example.com', passwordHash: 'hash', atMs: NOW_MS })
    if (donatorGrant) await getRoleStore().grant('ann@example.com', donatorGrant)
    await createAccount('stranger')
    expect(await getRoleStore().listGrants({ uid: 'stranger', verifiedEmail: undefined })).toEqual([])
    expect(await getRoleStore().listGrants(ann)).toEqual(roleGrants)
    if (donatorGrant) await getRoleStore().grant('ann@example.com', donatorGrant)
    expect(await getRoleStore().listGrants({ uid: 'stranger', verifiedEmail: undefined })).toEqual(roleGrants)
    expect(await getRoleStore().listGrants(ann)).toEqual([])
  })

  test('a role expires at its end time; roles that were granted by different sources are independent', async () => {
    await getRoleStore().grant('ann@example.com', { role: 'subscriber', source: 'payment', untilMs: NOW_MS })
    await getRoleStore().grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    await getRoleStore().grant('bob@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
    expect(await readRolesAt(NOW_MS - 1)).toEqual(['donator', 'subscriber'])
    expect(await readRolesAt(NOW_MS)).toEqual(['donator'])
    await getRoleStore().grant('ann@example.com', { role: 'subscriber', source: 'payment', untilMs: NOW_MS + HOUR_MS })
    await getRoleStore().grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: NOW_MS + HOUR_MS })
    expect(await readRolesAt(NOW_MS)).toEqual(['donator', 'subscriber'])
    expect(await getRoleStore().revoke('ann@example.com', 'subscriber', 'admin')).toBe(true)
    expect(await getRoleStore().revoke('ann@example.com', 'subscriber', 'admin')).toBe(false)
    expect(await readRolesAt(NOW_MS)).toEqual(['donator', 'subscriber'])
    expect(await getRoleStore().listGrants(ann)).toEqual([
      { role: 'donator', source: 'admin', untilMs: undefined },
      { role: 'subscriber', source: 'payment', untilMs: NOW_MS + HOUR_MS },
    ])
    expect(await getRoleStore().list({ limit: 2, offset: 1 })).toEqual([
      { email: 'ann@example.com', role: 'subscriber', source: 'payment', untilMs: NOW_MS + HOUR_MS },
      { email: 'bob@example.com', role: 'subscriber', source: 'admin', untilMs: undefined },
    ])
    await fixture.storage.deleteBelongings(ann, NOW_MS)
    expect((await getRoleStore().list({ limit: 9, offset: 0 })).map((grant) => grant.email)).toEqual(['bob@example.com'])
  })
})
