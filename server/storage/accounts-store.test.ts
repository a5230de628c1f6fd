import { expect, test } from 'vitest'
import type { Storage } from './storage.ts'
import { describeStores } from './testing/databases.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const SECOND = 1000
const HOUR = 3_600_000
const everyone = { limit: 10_000, offset: 0 }
const session = (name: string, authTimeMs = NOW) => ({ familyId: `family ${name}`, tokenHash: `${name} 0`, authTimeMs })

describeStores('accounts', (fixture) => {
  const accounts = () => fixture.storage.accounts
  const create = (name: string, storage: Storage = fixture.storage) =>
    storage.accounts.create({ uid: name, email: `${name}@example.com`, passwordHash: `hash of ${name}`, atMs: NOW }, session(name))
  const rotate = (name: string, shown: string, next: string, atMs = NOW) =>
    accounts().rotate({ familyId: `family ${name}`, shownHash: shown, nextHash: next, atMs, graceMs: 10 * SECOND })

  test('an account is found by id and by address, after a restart too; an address has one', async () => {
    expect(await create('ann')).toBe(true)
    await fixture.reopen()
    const ann = {
      ...{ uid: 'ann', email: 'ann@example.com', passwordHash: 'hash of ann', emailVerified: false, disabled: false },
      ...{ createdMs: NOW, lastLoginMs: NOW, validAfterMs: 0 },
    }
    expect(await accounts().byUid('ann')).toEqual(ann)
    expect(await accounts().byEmail('ann@example.com')).toEqual(ann)
    expect(await accounts().byUid('bob')).toBeUndefined()
    expect(await accounts().create({ uid: 'other', email: 'ann@example.com', passwordHash: 'x', atMs: NOW }, session('other'))).toBe(false)
    expect(await rotate('other', 'other 0', 'other 1')).toBeUndefined()
    const both = await Promise.all([
      create('bob'),
      accounts().create({ uid: 'b2', email: 'bob@example.com', passwordHash: 'x', atMs: NOW }),
    ])
    expect(both.filter((done) => done)).toHaveLength(1)
    expect((await accounts().all(everyone)).map((each) => each.email)).toEqual(['ann@example.com', 'bob@example.com'])
  })

  test('a log-in begins only with the password that was checked, in an enabled account', async () => {
    await create('ann')
    expect(await accounts().addSession('ann', 'hash of ann', session('second', NOW + HOUR))).toBe(true)
    expect((await accounts().byUid('ann'))?.lastLoginMs).toBe(NOW + HOUR)
    expect(await rotate('second', 'second 0', 'second 1')).toMatchObject({ account: { uid: 'ann' }, authTimeMs: NOW + HOUR })
    expect(await accounts().addSession('ann', 'an older hash', session('third'))).toBe(false)
    await accounts().setDisabled('ann', true)
    expect(await accounts().addSession('ann', 'hash of ann', session('fourth'))).toBe(false)
    expect(await accounts().setDisabled('nobody', true)).toBe(false)
  })

  test('a refresh token is replaced; shown again after the grace, it ends its family and no other', async () => {
    await create('ann')
    await accounts().addSession('ann', 'hash of ann', session('other'))
    expect(await rotate('ann', 'ann 0', 'ann 1')).toMatchObject({ account: { uid: 'ann', validAfterMs: 0 }, authTimeMs: NOW })
    // Two tabs that asked at once, and one whose answer was lost.
    expect(await rotate('ann', 'ann 0', 'ann 2', NOW + 9 * SECOND)).toBeDefined()
    expect(await rotate('ann', 'ann 1', 'ann 3', NOW + HOUR)).toBeDefined()
    expect(await rotate('ann', 'ann 2', 'ann 4', NOW + HOUR)).toBeDefined()
    expect(await rotate('ann', 'ann 0', 'ann 5', NOW + HOUR)).toBeUndefined()
    expect(await rotate('ann', 'ann 3', 'ann 6', NOW + HOUR)).toBeUndefined()
    expect(await rotate('other', 'other 0', 'other 1')).toBeDefined()
  })

  test('a token that its family never had ends it, and the grace is over to the millisecond', async () => {
    await create('ann')
    await rotate('ann', 'ann 0', 'ann 1')
    expect(await rotate('ann', 'ann 0', 'ann 2', NOW + 10 * SECOND)).toBeUndefined()
    await create('cat')
    await rotate('cat', 'cat 0', 'cat 1', NOW + HOUR)
    expect(await rotate('cat', 'cat 0', 'cat 2', NOW), 'after the clock was set back').toBeUndefined()
    await create('bob')
    expect(await rotate('bob', 'made up', 'bob 1')).toBeUndefined()
    expect(await rotate('bob', 'bob 0', 'bob 1')).toBeUndefined()
  })

  test('a family never holds many tokens', async () => {
    await create('ann')
    for (let i = 1; i <= 40; i++) expect(await rotate('ann', 'ann 0', `ann ${i}`)).toBeDefined()
    expect(await rotate('ann', 'ann 40', 'ann 41')).toBeDefined()
    expect(await rotate('ann', 'ann 2', 'ann 42')).toBeUndefined()
  })

  test('a new password ends every log-in but the one that set it', async () => {
    await create('ann')
    await accounts().addSession('ann', 'hash of ann', session('other'))
    expect(await accounts().setPassword('ann', 'hash of ann', 'new hash', NOW + HOUR, session('fresh'))).toBe(true)
    expect(await accounts().byUid('ann')).toMatchObject({ passwordHash: 'new hash', validAfterMs: NOW + HOUR, emailVerified: false })
    expect(await rotate('ann', 'ann 0', 'ann 1')).toBeUndefined()
    expect(await rotate('other', 'other 0', 'other 1')).toBeUndefined()
    expect(await rotate('fresh', 'fresh 0', 'fresh 1')).toBeDefined()
    expect(await accounts().setPassword('nobody', 'hash of ann', 'x', NOW, session('x'))).toBe(false)
    expect(await accounts().setPassword('ann', 'hash of ann', 'late', NOW + HOUR, session('late')), 'asked before the change').toBe(false)
    expect(await rotate('late', 'late 0', 'late 1')).toBeUndefined()
    expect(await rotate('fresh', 'fresh 0', 'fresh 2')).toMatchObject({ account: { passwordHash: 'new hash', validAfterMs: NOW + HOUR } })
  })

  test('a code works once, before it expires, and only the newest', async () => {
    await create('ann')
    const put = (hash: string, kind: 'reset' | 'verify' = 'reset') =>
      accounts().putCode({ uid: 'ann', kind, hash, expiresMs: NOW + HOUR, atMs: NOW })
    await put('first')
    await put('second')
    await put('verify', 'verify')
    expect(await accounts().code('first')).toBeUndefined()
    expect(await accounts().code('second')).toEqual({ uid: 'ann', kind: 'reset', email: 'ann@example.com', expiresMs: NOW + HOUR })
    expect(await accounts().resetPassword('first', 'x', NOW)).toBe(false)
    expect(await accounts().resetPassword('verify', 'x', NOW)).toBe(false)
    expect(await accounts().resetPassword('second', 'x', NOW + HOUR)).toBe(false)
    expect((await accounts().byUid('ann'))?.passwordHash).toBe('hash of ann')
    const uses = await Promise.all(['a', 'b', 'c'].map((hash) => accounts().resetPassword('second', hash, NOW)))
    expect(uses.filter((used) => used)).toHaveLength(1)
    expect(await accounts().byUid('ann')).toMatchObject({ emailVerified: true, validAfterMs: NOW })
    expect(await rotate('ann', 'ann 0', 'ann 1')).toBeUndefined()
  })

  test('an address is verified by its own code, and a change of the password takes the reset code away', async () => {
    await create('ann')
    await accounts().putCode({ uid: 'ann', kind: 'verify', hash: 'v', expiresMs: NOW + HOUR, atMs: NOW })
    await accounts().putCode({ uid: 'ann', kind: 'reset', hash: 'r', expiresMs: NOW + HOUR, atMs: NOW })
    expect(await accounts().verifyEmail('r', NOW)).toBe(false)
    expect(await accounts().verifyEmail('v', NOW)).toBe(true)
    expect(await accounts().verifyEmail('v', NOW)).toBe(false)
    expect((await accounts().byUid('ann'))?.emailVerified).toBe(true)
    await accounts().setPassword('ann', 'hash of ann', 'new', NOW, session('new'))
    expect(await accounts().resetPassword('r', 'x', NOW)).toBe(false)
  })

  test('a removed account leaves nothing behind', async () => {
    await create('ann')
    await create('bob')
    await accounts().putCode({ uid: 'ann', kind: 'reset', hash: 'r', expiresMs: NOW + HOUR, atMs: NOW })
    await fixture.storage.roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    expect(await accounts().remove('ann')).toBe(true)
    expect(await accounts().remove('ann')).toBe(false)
    expect(await rotate('ann', 'ann 0', 'ann 1')).toBeUndefined()
    expect(await accounts().code('r')).toBeUndefined()
    expect(await fixture.storage.roles.all(everyone)).toEqual([])
    expect(await rotate('bob', 'bob 0', 'bob 1')).toBeDefined()
    expect(await create('ann')).toBe(true)
  })
})

describeStores('roles', (fixture) => {
  const roles = () => fixture.storage.roles
  const of = (atMs: number) => roles().of('ann@example.com', atMs)

  test('a role lasts until its end, and each source has its own', async () => {
    await roles().grant('ann@example.com', { role: 'subscriber', source: 'payment', untilMs: NOW })
    await roles().grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    await roles().grant('bob@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
    expect(await of(NOW - 1)).toEqual(['donator', 'subscriber'])
    expect(await of(NOW)).toEqual(['donator'])
    await roles().grant('ann@example.com', { role: 'subscriber', source: 'payment', untilMs: NOW + HOUR })
    await roles().grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: NOW + HOUR })
    expect(await of(NOW)).toEqual(['donator', 'subscriber'])
    expect(await roles().revoke('ann@example.com', 'subscriber', 'admin')).toBe(true)
    expect(await roles().revoke('ann@example.com', 'subscriber', 'admin')).toBe(false)
    expect(await of(NOW)).toEqual(['donator', 'subscriber'])
    expect(await roles().grantsTo('ann@example.com')).toEqual([
      { role: 'donator', source: 'admin', untilMs: undefined },
      { role: 'subscriber', source: 'payment', untilMs: NOW + HOUR },
    ])
    expect(await roles().all({ limit: 2, offset: 1 })).toEqual([
      { email: 'ann@example.com', role: 'subscriber', source: 'payment', untilMs: NOW + HOUR },
      { email: 'bob@example.com', role: 'subscriber', source: 'admin', untilMs: undefined },
    ])
    await roles().clear('ann@example.com')
    expect((await roles().all({ limit: 9, offset: 0 })).map((grant) => grant.email)).toEqual(['bob@example.com'])
  })
})
