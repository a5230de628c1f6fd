import { expect, test } from 'vitest'
import { describeStores } from './testing/databases.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000

describeStores('discord', (fixture) => {
  const discord = () => fixture.storage.discord
  const begin = (uid: string, name = uid) =>
    discord().begin({
      ...{ uid, tokenHash: `${name} token`, browserHash: `${name} browser`, returnUrl: `http://localhost/${name}` },
      ...{ expiresMs: NOW + MINUTE, atMs: NOW },
    })
  const nelly = { id: '1', name: 'Nelly' }

  test('an attempt is taken once, until it ends, and a newer one takes its place', async () => {
    await begin('ann')
    await begin('bob')
    await fixture.reopen()
    expect(await discord().take('ann token', NOW + MINUTE)).toBeUndefined()
    const taken = await Promise.all([1, 2, 3].map(() => discord().take('ann token', NOW)))
    expect(taken.filter((each) => each !== undefined)).toEqual([{ browserHash: 'ann browser', returnUrl: 'http://localhost/ann' }])
    await begin('bob', 'second')
    expect(await discord().take('bob token', NOW)).toBeUndefined()
    expect(await discord().take('second token', NOW)).toBeDefined()
    expect(await discord().take('nothing', NOW)).toBeUndefined()
  })

  test('what was taken links the account, once', async () => {
    await begin('ann')
    await discord().take('ann token', NOW)
    expect(await discord().finish('ann token', nelly, NOW)).toBe('linked')
    expect(await discord().finish('ann token', nelly, NOW)).toBe('expired')
    await fixture.reopen()
    expect(await discord().of('ann')).toEqual({ ...nelly, linkedMs: NOW })
    expect(await discord().of('bob')).toBeUndefined()
  })

  test('a Discord account has one account here; it may change its name, and give way to another', async () => {
    await begin('ann')
    await discord().finish('ann token', nelly, NOW)
    await begin('bob')
    expect(await discord().finish('bob token', nelly, NOW)).toBe('taken')
    expect(await discord().of('bob')).toBeUndefined()
    await begin('ann')
    expect(await discord().finish('ann token', { id: '1', name: 'Nell' }, NOW + 1)).toBe('linked')
    expect(await discord().of('ann')).toEqual({ id: '1', name: 'Nell', linkedMs: NOW + 1 })
    await begin('ann')
    await discord().finish('ann token', { id: '2', name: 'Other' }, NOW)
    await begin('bob')
    expect(await discord().finish('bob token', nelly, NOW)).toBe('linked')
  })

  test('forgetting takes away the link and the attempt, of one account', async () => {
    for (const uid of ['ann', 'bob']) {
      await begin(uid)
      await discord().finish(`${uid} token`, { id: uid, name: uid }, NOW)
      await begin(uid)
    }
    await discord().forget('ann')
    expect(await discord().of('ann')).toBeUndefined()
    expect(await discord().take('ann token', NOW)).toBeUndefined()
    expect(await discord().of('bob')).toBeDefined()
    expect(await discord().take('bob token', NOW)).toBeDefined()
  })

  test('goes with the account, also in the middle of an attempt', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: 'ann@example.com', passwordHash: 'x', atMs: NOW })
    await begin('ann')
    await discord().finish('ann token', nelly, NOW)
    await begin('ann')
    await discord().take('ann token', NOW)
    await fixture.storage.accounts.remove('ann')
    expect(await discord().finish('ann token', nelly, NOW)).toBe('expired')
    expect(await discord().of('ann')).toBeUndefined()
  })
})
