import { expect, it } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { describeStores } from './testing/databases.ts'

const NOW_MS = Date.UTC(2026, 6, 1)

describeStores('retention', (fixture) => {
  it('messages are deleted after two years, and mails 30 days after they were sent or given up', async () => {
    const { storage } = fixture
    const teamMail = { to: 'team@example.org', subject: 'x', text: 'x', expiresMs: NOW_MS }
    for (const ageDays of [731, 729, 31, 1])
      await storage.contacts.add({ topic: 'other', message: `${ageDays} days`, brandId: 'x', atMs: NOW_MS - ageDays * DAY_MS }, teamMail)
    const mailClaim = await storage.mails.claim(NOW_MS, NOW_MS + 1000)
    if (mailClaim === undefined) throw new Error('nothing is due')
    await storage.mails.settle(mailClaim, { kind: 'sent', atMs: NOW_MS })
    await storage.deleteExpired(NOW_MS)
    const storedContacts = await storage.contacts.list({ limit: 10, offset: 0 })
    expect(storedContacts.map(({ message }) => message)).toEqual(['1 days', '31 days', '729 days'])
    // The oldest mail was sent or given up. The other mails still wait to be sent, and stay stored however old they are.
    for (let count = 0; count < 3; count++) expect(await storage.mails.claim(NOW_MS, NOW_MS + 1000)).toBeDefined()
    expect(await storage.mails.claim(NOW_MS, NOW_MS + 1000)).toBeUndefined()
  })

  it('the recorded actions of admins are deleted after two years', async () => {
    const { moderation, deleteExpired } = fixture.storage
    for (const ageDays of [731, 729])
      await moderation.recordAction(
        { actor: 'ann', command: 'song hide', reason: '', atMs: NOW_MS - ageDays * DAY_MS },
        { target: `song ${ageDays}`, outcome: 'hidden' },
      )
    await deleteExpired(NOW_MS)
    expect((await moderation.listActions(10)).map(({ target }) => target)).toEqual(['song 729'])
  })

  it('the salts of client ids are deleted after their day, even if nobody visits the site', async () => {
    const { storage } = fixture
    const todayNumber = NOW_MS / DAY_MS
    const yesterdaysSalt = await storage.salts.ofDay(todayNumber - 1)
    await storage.deleteExpired(NOW_MS - 1)
    expect(await storage.salts.ofDay(todayNumber - 1)).toBe(yesterdaysSalt)
    await storage.deleteExpired(NOW_MS)
    expect(await storage.salts.ofDay(todayNumber - 1)).not.toBe(yesterdaysSalt)
  })
})
