import { expect, it } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'

const NOW_MS = Date.UTC(2026, 6, 1)
const testMail = { to: 'ann@example.com', subject: 'Hello', text: 'secret', link: 'http://localhost/x', expiresMs: NOW_MS + 3_600_000 }

describeStores('mails', (fixture) => {
  it('mail queue: each mail is claimed once, and the one that has waited longest first', async () => {
    const { mails } = fixture.storage
    for (let index = 0; index < 6; index++) await mails.add({ ...testMail, subject: `mail ${index}` }, NOW_MS + index)
    const claimedMails = await Promise.all(Array.from({ length: 8 }, () => mails.claim(NOW_MS + 10, NOW_MS + 1000)))
    expect(claimedMails.map((claim) => claim?.subject).toSorted()).toEqual([
      ...Array.from({ length: 6 }, (_, index) => `mail ${index}`),
      undefined,
      undefined,
    ])
    expect(new Set(claimedMails.map((claim) => claim?.id)).size).toBe(7)
    expect(await mails.claim(NOW_MS + 999, NOW_MS + 2000)).toBeUndefined()
  })

  it('mail queue: a claim ends when its time is over, unless it is extended', async () => {
    const { mails } = fixture.storage
    await mails.add(testMail, NOW_MS)
    const claimedMail = await mails.claim(NOW_MS, NOW_MS + 1000)
    if (claimedMail === undefined) throw new Error('nothing is due')
    await mails.extendClaim(claimedMail, NOW_MS + 2000)
    expect(await mails.claim(NOW_MS + 1500, NOW_MS + 9000)).toBeUndefined()
    expect(await mails.claim(NOW_MS + 2000, NOW_MS + 9000)).toEqual({ ...claimedMail, attempts: 2 })
  })

  it('mail queue: a mail that was sent or given up is not claimed again, and its text is deleted; a postponed mail waits', async () => {
    const { mails } = fixture.storage
    await mails.add(testMail, NOW_MS)
    const { id = '', attempts = 0 } = (await mails.claim(NOW_MS, NOW_MS + 1000)) ?? {}
    await mails.settle({ id, attempts }, { kind: 'postponed', dueMs: NOW_MS + 5000, reason: 'busy' })
    expect(await mails.nextDueMs()).toBe(NOW_MS + 5000)
    expect(await mails.claim(NOW_MS + 4999, NOW_MS + 9000)).toBeUndefined()
    expect(await mails.claim(NOW_MS + 5000, NOW_MS + 9000)).toMatchObject({ ...testMail, attempts: 2 })
    await mails.settle({ id, attempts: 2 }, { kind: 'sent', atMs: NOW_MS + 5001 })
    await mails.extendClaim({ id, attempts: 2 }, NOW_MS + 6000)
    expect(await mails.nextDueMs()).toBeUndefined()
    expect(await mails.claim(NOW_MS + 99_999, NOW_MS + 100_000)).toBeUndefined()
  })

  it('mail queue: a process whose claim has ended cannot change the result of a later attempt, unless it has sent the mail', async () => {
    const { mails } = fixture.storage
    await mails.add(testMail, NOW_MS)
    const lateMail = await mails.claim(NOW_MS, NOW_MS + 1000)
    const currentMail = await mails.claim(NOW_MS + 1000, NOW_MS + 2000)
    if (lateMail === undefined || currentMail === undefined) throw new Error('nothing is due')
    await mails.extendClaim(lateMail, NOW_MS + 99_000)
    await mails.settle(lateMail, { kind: 'failed', reason: 'late' })
    expect(await mails.nextDueMs()).toBe(NOW_MS + 2000)
    await mails.settle(currentMail, { kind: 'sent', atMs: NOW_MS })
    await mails.settle(lateMail, { kind: 'postponed', dueMs: NOW_MS + 5000, reason: 'late' })
    expect(await mails.nextDueMs()).toBeUndefined()
  })

  it('mail queue: the mail that expires first is claimed first', async () => {
    const { mails } = fixture.storage
    await mails.add({ ...testMail, subject: 'contact', expiresMs: NOW_MS + 9_000_000 }, NOW_MS - 1000)
    await mails.add({ ...testMail, subject: 'reset' }, NOW_MS)
    expect((await mails.claim(NOW_MS, NOW_MS + 1000))?.subject).toBe('reset')
  })

  it('mail queue: a message to the team and its mail are stored together, once; the list of messages shows the state of the mail', async () => {
    const { contacts, mails } = fixture.storage
    const contactRequest = {
      topic: 'other',
      message: 'Hello',
      change_id: '6b0f4a38-8f7c-4d9e-9f35-0f2f3a1f5f01',
      brandId: 'x',
      atMs: NOW_MS,
    } as const
    for (let count = 0; count < 2; count++) await contacts.add(contactRequest, testMail)
    const listContacts = () => contacts.list({ limit: 10, offset: 0 })
    expect(await listContacts()).toMatchObject([{ message: 'Hello', mail: { kind: 'waiting' } }])
    const { id = '', attempts = 0 } = (await mails.claim(NOW_MS, NOW_MS + 1000)) ?? {}
    expect(await mails.claim(NOW_MS, NOW_MS + 1000)).toBeUndefined()
    await mails.settle({ id, attempts }, { kind: 'failed', reason: 'no such user' })
    expect(await listContacts()).toMatchObject([{ mail: { kind: 'failed', failure: 'no such user' } }])
    await mails.settle({ id, attempts }, { kind: 'sent', atMs: NOW_MS })
    expect(await listContacts()).toMatchObject([{ mail: { kind: 'sent', sent: new Date(NOW_MS).toISOString() } }])
  })
})
