import { expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const MINUTE_MS = 60_000

describeStores('discord', (fixture) => {
  const discordStore = () => fixture.storage.discord
  const linkAccount = (uid: string, name = uid) =>
    discordStore().startLink({
      uid,
      tokenHash: `${name} token`,
      browserHash: `${name} browser`,
      returnUrl: `http://localhost/${name}`,
      expiresMs: NOW_MS + MINUTE_MS,
      atMs: NOW_MS,
    })
  const nelly = { id: '1', name: 'Nelly' }

  test('a link attempt can be taken once before it expires; a newer attempt replaces it', async () => {
    await linkAccount('ann')
    await linkAccount('bob')
    await fixture.reopen()
    expect(await discordStore().takeAttempt('ann token', NOW_MS + MINUTE_MS)).toBeUndefined()
    const takenAttempts = await Promise.all([1, 2, 3].map(() => discordStore().takeAttempt('ann token', NOW_MS)))
    expect(takenAttempts.filter((each) => each !== undefined)).toEqual([{ browserHash: 'ann browser', returnUrl: 'http://localhost/ann' }])
    await linkAccount('bob', 'second')
    expect(await discordStore().takeAttempt('bob token', NOW_MS)).toBeUndefined()
    expect(await discordStore().takeAttempt('second token', NOW_MS)).toBeDefined()
    expect(await discordStore().takeAttempt('nothing', NOW_MS)).toBeUndefined()
  })

  test('taking a link attempt links the account once', async () => {
    await linkAccount('ann')
    await discordStore().takeAttempt('ann token', NOW_MS)
    expect(await discordStore().completeLink('ann token', nelly, NOW_MS)).toBe('linked')
    expect(await discordStore().completeLink('ann token', nelly, NOW_MS)).toBe('expired')
    await fixture.reopen()
    expect(await discordStore().find('ann')).toEqual({ ...nelly, linkedMs: NOW_MS })
    expect(await discordStore().find('bob')).toBeUndefined()
  })

  test('a Discord account is linked to one account at a time; its name is updated, and another Discord account can replace it', async () => {
    await linkAccount('ann')
    await discordStore().completeLink('ann token', nelly, NOW_MS)
    await linkAccount('bob')
    expect(await discordStore().completeLink('bob token', nelly, NOW_MS)).toBe('taken')
    expect(await discordStore().find('bob')).toBeUndefined()
    await linkAccount('ann')
    expect(await discordStore().completeLink('ann token', { id: '1', name: 'Nell' }, NOW_MS + 1)).toBe('linked')
    expect(await discordStore().find('ann')).toEqual({ id: '1', name: 'Nell', linkedMs: NOW_MS + 1 })
    await linkAccount('ann')
    await discordStore().completeLink('ann token', { id: '2', name: 'Other' }, NOW_MS)
    await linkAccount('bob')
    expect(await discordStore().completeLink('bob token', nelly, NOW_MS)).toBe('linked')
  })

  test('deleteAll deletes the link and the link attempt of one account only', async () => {
    for (const uid of ['ann', 'bob']) {
      await linkAccount(uid)
      await discordStore().completeLink(`${uid} token`, { id: uid, name: uid }, NOW_MS)
      await linkAccount(uid)
    }
    await discordStore().deleteAll('ann')
    expect(await discordStore().find('ann')).toBeUndefined()
    expect(await discordStore().takeAttempt('ann token', NOW_MS)).toBeUndefined()
    expect(await discordStore().find('bob')).toBeDefined()
    expect(await discordStore().takeAttempt('bob token', NOW_MS)).toBeDefined()
  })

  test('removing an account deletes its Discord link, also during a link attempt', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: 'ann@example.com', passwordHash: 'x', atMs: NOW_MS })
    await linkAccount('ann')
    await discordStore().completeLink('ann token', nelly, NOW_MS)
    await linkAccount('ann')
    await discordStore().takeAttempt('ann token', NOW_MS)
    await fixture.storage.accounts.remove('ann', 0)
    expect(await discordStore().completeLink('ann token', nelly, NOW_MS)).toBe('expired')
    expect(await discordStore().find('ann')).toBeUndefined()
  })
})
