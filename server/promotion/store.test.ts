import { expect, test } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'

const CURRENT_DAY_NUMBER = 20_500
const NOW_MS = CURRENT_DAY_NUMBER * DAY_MS + 3_600_000

describeStores('promotions', (fixture) => {
  const store = () => fixture.storage.promotions
  const linksOf = (name: string) => ({
    youtube_channel: `https://www.youtube.com/@${name}`,
    youtube_share: 'https://youtu.be/dQw4w9WgXcQ',
  })
  const emailOf = (name: string) => `${name}@example.com`
  const save = (name: string, atMs = NOW_MS) => store().save(name, { email: emailOf(name), ...linksOf(name) }, atMs)
  const grant = (name: string, untilMs?: number) =>
    fixture.storage.roles.grant(emailOf(name), { role: 'subscriber', source: 'admin', untilMs })
  const listWaiting = async (atMs = NOW_MS + 9) =>
    (await store().listWaiting(atMs)).toSorted((a, b) => a.sinceMs - b.sinceMs).map(({ uid, sinceMs, lastDay }) => [uid, sinceMs, lastDay])

  test("a subscriber's promotion waits from its first save on", async () => {
    for (const name of ['ann', 'bob']) await grant(name)
    await grant('cem', NOW_MS)
    await save('ann')
    await save('ann', NOW_MS + 9)
    for (const name of ['bob', 'cem', 'dan']) await save(name, NOW_MS + 5)
    await fixture.reopen()
    expect(await listWaiting()).toEqual([
      ['ann', NOW_MS, undefined],
      ['bob', NOW_MS + 5, undefined],
    ])
    expect(await store().find('ann')).toEqual(linksOf('ann'))
    expect(await store().find('eve')).toBeUndefined()
  })

  test('a day that is assigned to a promotion stays assigned, even if several processes assign it at the same time; the promotion then waits again', async () => {
    for (const name of ['ann', 'bob', 'cem']) {
      await grant(name)
      await save(name)
    }
    expect(await store().findShown(CURRENT_DAY_NUMBER)).toBeUndefined()
    await Promise.all(['ann', 'bob', 'cem'].map((name) => store().takeDay(CURRENT_DAY_NUMBER, name, (CURRENT_DAY_NUMBER + 1) * DAY_MS)))
    const days = await Promise.all(['ann', 'bob', 'cem'].map((name) => store().listDays(name)))
    expect(days.flat()).toEqual([CURRENT_DAY_NUMBER])
    const shownName = ['ann', 'bob', 'cem'][days.findIndex((each) => each.length > 0)] ?? ''
    await store().takeDay(CURRENT_DAY_NUMBER, 'ann', 0)
    expect(await store().findShown(CURRENT_DAY_NUMBER)).toEqual({ uid: shownName, links: linksOf(shownName) })
    expect(await listWaiting()).toHaveLength(2)
    const waitingAgain = await listWaiting((CURRENT_DAY_NUMBER + 1) * DAY_MS)
    expect([waitingAgain.length, waitingAgain.at(-1)]).toEqual([3, [shownName, (CURRENT_DAY_NUMBER + 1) * DAY_MS, CURRENT_DAY_NUMBER]])
  })

  test('a promotion stops waiting when the role is lost, and waits again with a new role; its past days stay', async () => {
    await grant('ann')
    await grant('bob')
    await save('ann')
    await save('bob')
    await store().takeDay(CURRENT_DAY_NUMBER, 'bob', (CURRENT_DAY_NUMBER + 1) * DAY_MS)
    for (const name of ['ann', 'bob']) await fixture.storage.roles.revoke(emailOf(name), 'subscriber', 'admin')
    await store().updateWaiting(NOW_MS + DAY_MS)
    expect(await listWaiting()).toEqual([])
    expect(await store().listDays('bob')).toEqual([CURRENT_DAY_NUMBER])
    await grant('ann')
    await store().updateWaiting(NOW_MS + 2 * DAY_MS)
    await store().updateWaiting(NOW_MS + 3 * DAY_MS)
    expect(await listWaiting(NOW_MS + 3 * DAY_MS)).toEqual([['ann', NOW_MS + 2 * DAY_MS, undefined]])
  })

  test('the promotion of a disabled account is not shown and does not wait', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: emailOf('ann'), passwordHash: 'x', atMs: NOW_MS })
    await grant('ann')
    await save('ann')
    await store().takeDay(CURRENT_DAY_NUMBER, 'ann', (CURRENT_DAY_NUMBER + 1) * DAY_MS)
    await fixture.storage.accounts.setDisabled('ann', true)
    expect(await store().findShown(CURRENT_DAY_NUMBER)).toEqual({ uid: 'ann', links: undefined })
    expect(await listWaiting()).toEqual([])
  })

  test('removing an account, or only its data, deletes the promotion and frees its days', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: emailOf('ann'), passwordHash: 'x', atMs: NOW_MS })
    for (const [index, name] of ['ann', 'bob', 'cem'].entries()) {
      await grant(name)
      await save(name)
      await store().takeDay(CURRENT_DAY_NUMBER + index, name, 0)
    }
    await fixture.storage.accounts.remove('ann', 0)
    await fixture.storage.deleteBelongings({ uid: 'bob', verifiedEmail: undefined }, NOW_MS)
    for (const [index, name] of ['ann', 'bob'].entries()) {
      expect(await store().find(name)).toBeUndefined()
      expect(await store().listDays(name)).toEqual([])
      expect(await store().findShown(CURRENT_DAY_NUMBER + index)).toBeUndefined()
    }
    await store().takeDay(CURRENT_DAY_NUMBER, 'ann', 0)
    expect(await store().findShown(CURRENT_DAY_NUMBER)).toBeUndefined()
    expect(await store().listDays('cem')).toEqual([CURRENT_DAY_NUMBER + 2])
  })

  test('the revision changes only if the promotion that home pages show changes', async () => {
    await grant('ann')
    const revisionBefore = fixture.storage.revision()
    await save('ann')
    expect(fixture.storage.revision()).toBe(revisionBefore)
    await store().takeDay(CURRENT_DAY_NUMBER, 'ann', 0)
    const revisionOfDay = fixture.storage.revision()
    expect(revisionOfDay).not.toBe(revisionBefore)
    await save('ann', NOW_MS + 1)
    expect(fixture.storage.revision()).not.toBe(revisionOfDay)
  })
})
