import { expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const MINUTE_MS = 60_000

describeStores('discord', (fixture) => {
  const getDiscordStore = () => fixture.storage.discord
  const linkAccount = (uid: string, discordName = uid) =>
    getDiscordStore().startLink({
      uid,
      tokenHash: `${discordName} token`,
      browserHash: `${discordName} browser`,
      returnUrl: `http://localhost/${discordName}`,
      expiresMs: NOW_MS + MINUTE_MS,
      atMs: NOW_MS,
    })
  const nellyIdentity = { id: '1', name: 'Nelly' }

  test('a link attempt can be taken once before it expires; a newer attempt replaces it', async () => {
    await linkAccount('ann')
    await linkAccount('bob')
    await fixture.reopen()
    expect(await getDiscordStore().takeAttempt('ann token', NOW_MS + MINUTE_MS)).toBeUndefined()
    const takenAttempts = await Promise.all([1, 2, 3].map(() => getDiscordStore().takeAttempt('ann token', NOW_MS)))
    expect(takenAttempts.filter((each) => each !== undefined)).toEqual([{ browserHash: 'ann browser', returnUrl: 'http://localhost/ann' }])
    await linkAccount('bob', 'second')
    expect(await getDiscordStore().takeAttempt('bob token', NOW_MS)).toBeUndefined()
    expect(await getDiscordStore().takeAttempt('second token', NOW_MS)).toBeDefined()
    expect(await getDiscordStore().takeAttempt('nothing', NOW_MS)).toBeUndefined()
  })

  test('taking a link attempt links the account once', async () => {
    await linkAccount('ann')
    await getDiscordStore().takeAttempt('ann token', NOW_MS)
    expect(await getDiscordStore().completeLink('ann token', nellyIdentity, NOW_MS)).toBe('linked')
    expect(await getDiscordStore().completeLink('ann token', nellyIdentity, NOW_MS)).toBe('expired')
    await fixture.reopen()
    expect(await getDiscordStore().find('ann')).toEqual({ ...nellyIdentity, linkedMs: NOW_MS })
    expect(await getDiscordStore().find('bob')).toBeUndefined()
  })

  test('a Discord account is linked to one account at a time; its name is updated, and another Discord account can replace it', async () => {
    await linkAccount('ann')
    await getDiscordStore().completeLink('ann token', nellyIdentity, NOW_MS)
    await linkAccount('bob')
    expect(await getDiscordStore().completeLink('bob token', nellyIdentity, NOW_MS)).toBe('taken')
    expect(await getDiscordStore().find('bob')).toBeUndefined()
    await linkAccount('ann')
    expect(await getDiscordStore().completeLink('ann token', { id: '1', name: 'Nell' }, NOW_MS + 1)).toBe('linked')
    expect(await getDiscordStore().find('ann')).toEqual({ id: '1', name: 'Nell', linkedMs: NOW_MS + 1 })
    await linkAccount('ann')
    await getDiscordStore().completeLink('ann token', { id: '2', name: 'Other' }, NOW_MS)
    await linkAccount('bob')
    expect(await getDiscordStore().completeLink('bob token', nellyIdentity, NOW_MS)).toBe('linked')
  })

  test('deleteAll deletes the link and the link attempt of one account only', async () => {
    for (const uid of ['ann', 'bob']) {
      await linkAccount(uid)
      await getDiscordStore().completeLink(`${uid} token`, { id: uid, name: uid }, NOW_MS)
      await linkAccount(uid)
    }
    await getDiscordStore().deleteAll('ann')
    expect(await getDiscordStore().find('ann')).toBeUndefined()
    expect(await getDiscordStore().takeAttempt('ann token', NOW_MS)).toBeUndefined()
    expect(await getDiscordStore().find('bob')).toBeDefined()
    expect(await getDiscordStore().takeAttempt('bob token', NOW_MS)).toBeDefined()
  })

  test('removing an account deletes its Discord link, also during a link attempt', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: 'ann@example.com', passwordHash: 'x', atMs: NOW_MS })
    await linkAccount('ann')
    await getDiscordStore().completeLink('ann token', nellyIdentity, NOW_MS)
    await linkAccount('ann')
    await getDiscordStore().takeAttempt('ann token', NOW_MS)
    await fixture.storage.accounts.remove('ann', 0)
    expect(await getDiscordStore().completeLink('ann token', nellyIdentity, NOW_MS)).toBe('expired')
    expect(await getDiscordStore().find('ann')).toBeUndefined()
  })
})
