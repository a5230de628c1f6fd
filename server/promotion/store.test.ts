import { expect, test } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, formatSongId } from '../storage/testing/fixture.ts'

const CURRENT_DAY_NUMBER = 20_500
const NOW_MS = CURRENT_DAY_NUMBER * DAY_MS + 3_600_000

describeStores('promotions', (fixture) => {
  const getStore = () => fixture.storage.promotions
  const createLinks = (accountName: string) => ({
    youtube_channel: `https://www.youtube.com/@${accountName}`,
    youtube_share: 'https://youtu.be/dQw4w9WgXcQ',
  })
  const createEmail = (name: string) => `${name}@example.com`
  const savePromotion = (name: string, atMs = NOW_MS) => getStore().save(name, { email: createEmail(name), ...createLinks(name) }, atMs)
  const grantSubscription = (name: string, untilMs?: number) =>
    fixture.storage.roles.grant(createEmail(name), { role: 'subscriber', source: 'admin', untilMs })
  const listWaiting = async (atMs = NOW_MS + 9) =>
    (await getStore().listWaiting(atMs))
      .toSorted((a, b) => a.sinceMs - b.sinceMs)
      .map(({ uid, sinceMs, lastDay }) => [uid, sinceMs, lastDay])

  test("a subscriber's promotion waits from its first save on", async () => {
    for (const name of ['ann', 'bob']) await grantSubscription(name)
    await grantSubscription('cem', NOW_MS)
    await savePromotion('ann')
    await savePromotion('ann', NOW_MS + 9)
    for (const name of ['bob', 'cem', 'dan']) await savePromotion(name, NOW_MS + 5)
    await fixture.reopen()
    expect(await listWaiting()).toEqual([
      ['ann', NOW_MS, undefined],
      ['bob', NOW_MS + 5, undefined],
    ])
    expect(await getStore().find('ann')).toEqual(createLinks('ann'))
    expect(await getStore().find('eve')).toBeUndefined()
  })

  test('a day that is assigned to a promotion stays assigned, even if several processes assign it at the same time; the promotion then waits again', async () => {
    for (const name of ['ann', 'bob', 'cem']) {
      await grantSubscription(name)
      await savePromotion(name)
    }
    expect(await getStore().findShown(CURRENT_DAY_NUMBER)).toBeUndefined()
    await Promise.all(['ann', 'bob', 'cem'].map((name) => getStore().takeDay(CURRENT_DAY_NUMBER, name, (CURRENT_DAY_NUMBER + 1) * DAY_MS)))
    const dayLists = await Promise.all(['ann', 'bob', 'cem'].map((name) => getStore().listDays(name)))
    expect(dayLists.flat()).toEqual([CURRENT_DAY_NUMBER])
    const shownName = ['ann', 'bob', 'cem'][dayLists.findIndex((each) => each.length > 0)] ?? ''
    await getStore().takeDay(CURRENT_DAY_NUMBER, 'ann', 0)
    expect(await getStore().findShown(CURRENT_DAY_NUMBER)).toEqual({ uid: shownName, links: createLinks(shownName) })
    expect(await listWaiting()).toHaveLength(2)
    const waitingAgain = await listWaiting((CURRENT_DAY_NUMBER + 1) * DAY_MS)
    expect([waitingAgain.length, waitingAgain.at(-1)]).toEqual([3, [shownName, (CURRENT_DAY_NUMBER + 1) * DAY_MS, CURRENT_DAY_NUMBER]])
  })

  test('a promotion stops waiting when the role of a subscriber is lost, and waits again with a new role; its past days stay', async () => {
    await grantSubscription('ann')
    await grantSubscription('bob')
    await savePromotion('ann')
    await savePromotion('bob')
    await getStore().takeDay(CURRENT_DAY_NUMBER, 'bob', (CURRENT_DAY_NUMBER + 1) * DAY_MS)
    for (const name of ['ann', 'bob']) await fixture.storage.roles.revoke(createEmail(name), 'subscriber', 'admin')
    await getStore().updateWaiting(NOW_MS + DAY_MS)
    expect(await listWaiting()).toEqual([])
    expect(await getStore().listDays('bob')).toEqual([CURRENT_DAY_NUMBER])
    await grantSubscription('ann')
    await getStore().updateWaiting(NOW_MS + 2 * DAY_MS)
    await getStore().updateWaiting(NOW_MS + 3 * DAY_MS)
    expect(await listWaiting(NOW_MS + 3 * DAY_MS)).toEqual([['ann', NOW_MS + 2 * DAY_MS, undefined]])
  })

  test('the promotion of a disabled account is not shown and does not wait', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: createEmail('ann'), passwordHash: 'x', atMs: NOW_MS })
    await grantSubscription('ann')
    await savePromotion('ann')
    await getStore().takeDay(CURRENT_DAY_NUMBER, 'ann', (CURRENT_DAY_NUMBER + 1) * DAY_MS)
    await fixture.storage.accounts.setDisabled('ann', true)
    expect(await getStore().findShown(CURRENT_DAY_NUMBER)).toEqual({ uid: 'ann', links: undefined })
    expect(await listWaiting()).toEqual([])
  })

  test('a promotion whose video an admin has hidden is not shown and does not wait, until the video is shown again or replaced', async () => {
    await fixture.importRows({ songs: [createSongRow(1), createSongRow(2)] })
    const act = { actor: 'admin', command: 'song hide', reason: 'A claim.', atMs: NOW_MS }
    const links = { ...createLinks('ann'), youtube_share: `https://youtu.be/${formatSongId(2)}` }
    await grantSubscription('ann')
    await getStore().save('ann', { email: createEmail('ann'), ...links }, NOW_MS)
    await getStore().takeDay(CURRENT_DAY_NUMBER, 'ann', NOW_MS)
    const readShown = async () => [(await getStore().findShown(CURRENT_DAY_NUMBER))?.links, (await listWaiting()).length]
    await fixture.storage.moderation.hideItem('song', formatSongId(2), { act, isDryRun: false })
    expect(await readShown()).toEqual([undefined, 0])
    await fixture.storage.moderation.showItem('song', formatSongId(2), { act, isDryRun: false })
    expect(await readShown()).toEqual([links, 1])
    await fixture.storage.moderation.hideItem('song', formatSongId(2), { act, isDryRun: false })
    await savePromotion('ann')
    expect(await readShown()).toEqual([createLinks('ann'), 1])
  })

  test('removing an account, or only its data, deletes the promotion and frees its days', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: createEmail('ann'), passwordHash: 'x', atMs: NOW_MS })
    for (const [index, accountName] of ['ann', 'bob', 'cem'].entries()) {
      await grantSubscription(accountName)
      await savePromotion(accountName)
      await getStore().takeDay(CURRENT_DAY_NUMBER + index, accountName, 0)
    }
    await fixture.storage.accounts.remove('ann', 0)
    await fixture.storage.deleteBelongings({ uid: 'bob', verifiedEmail: undefined }, NOW_MS)
    for (const [index, accountName] of ['ann', 'bob'].entries()) {
      expect(await getStore().find(accountName)).toBeUndefined()
      expect(await getStore().listDays(accountName)).toEqual([])
      expect(await getStore().findShown(CURRENT_DAY_NUMBER + index)).toBeUndefined()
    }
    await getStore().takeDay(CURRENT_DAY_NUMBER, 'ann', 0)
    expect(await getStore().findShown(CURRENT_DAY_NUMBER)).toBeUndefined()
    expect(await getStore().listDays('cem')).toEqual([CURRENT_DAY_NUMBER + 2])
  })

  test('the revision changes only if the promotion that home pages show changes', async () => {
    await grantSubscription('ann')
    const revisionBefore = fixture.storage.revision()
    await savePromotion('ann')
    expect(fixture.storage.revision()).toBe(revisionBefore)
    await getStore().takeDay(CURRENT_DAY_NUMBER, 'ann', 0)
    const revisionOfDay = fixture.storage.revision()
    expect(revisionOfDay).not.toBe(revisionBefore)
    await savePromotion('ann', NOW_MS + 1)
    expect(fixture.storage.revision()).not.toBe(revisionOfDay)
  })
})
