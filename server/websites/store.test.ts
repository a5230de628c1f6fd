import { expect, test } from 'vitest'
import { socialFields, type WebsiteTexts, websiteMaxLengths } from '../../contract/website-rules.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { DELETED_NAME_RESERVED_MS, NAME_REDIRECT_MS } from './store.ts'

const NOW_MS = 20_500 * 86_400_000
// The cast is safe, because the names are the members of the type.
const emptyTexts = Object.fromEntries([...Object.keys(websiteMaxLengths), ...socialFields].map((field) => [field, ''])) as WebsiteTexts
const websiteOf = (uid: string, domain_name: string) => ({
  ...emptyTexts,
  uid,
  email: `${uid}@example.com`,
  name: uid,
  domain_name,
  enabled: 'yes' as const,
  links: [],
  accent: '' as const,
  songs: [],
})

describeStores('websites', (fixture) => {
  const store = () => fixture.storage.websites
  const grant = (uid: string, untilMs?: number) =>
    fixture.storage.roles.grant(`${uid}@example.com`, { role: 'subscriber', source: 'admin', untilMs })

  test('a website is live while it is enabled and its owner is a subscriber', async () => {
    await grant('ann', NOW_MS + 1)
    expect(await store().save(websiteOf('ann', 'ann'), NOW_MS)).toBe('done')
    await fixture.reopen()
    expect(await store().resolve('ann', NOW_MS)).toEqual({ website: websiteOf('ann', 'ann'), isLive: true })
    expect((await store().resolve('ann', NOW_MS + 1))?.isLive).toBe(false)
    await store().save({ ...websiteOf('ann', 'ann'), enabled: 'no' }, NOW_MS)
    expect((await store().resolve('ann', NOW_MS))?.isLive).toBe(false)
    expect(await store().resolve('nobody', NOW_MS)).toBeUndefined()
  })

  test('if several accounts claim a name at the same time, one gets it; an earlier name becomes free after its time', async () => {
    const uids = Array.from({ length: 20 }, (_, index) => `uid${index}`)
    const outcomes = await Promise.all(uids.map((uid) => store().save(websiteOf(uid, 'wanted'), NOW_MS)))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    const winnerUid = uids[outcomes.indexOf('done')] ?? ''
    const loserUid = uids.find((uid) => uid !== winnerUid) ?? ''
    expect(await store().find(loserUid)).toBeUndefined()
    expect(await store().save(websiteOf(winnerUid, 'changed'), NOW_MS)).toBe('done')
    expect((await store().resolve('wanted', NOW_MS + NAME_REDIRECT_MS - 1))?.website.domain_name).toBe('changed')
    expect(await store().save(websiteOf(loserUid, 'wanted'), NOW_MS + NAME_REDIRECT_MS - 1)).toBe('taken')
    expect(await store().resolve('wanted', NOW_MS + NAME_REDIRECT_MS)).toBeUndefined()
    expect(await store().save(websiteOf(loserUid, 'wanted'), NOW_MS + NAME_REDIRECT_MS)).toBe('done')
  })

  test('clicks are added up over days; a deleted account leaves neither clicks nor a website', async () => {
    await store().save(websiteOf('ann', 'ann'), NOW_MS)
    for (const day of [1, 2, 2]) await store().countClick('ann', 'visit', day)
    await store().countClick('ann', 'mail', 2)
    expect(await store().listClicks('ann', 2)).toEqual([
      { target: 'visit', count: 2 },
      { target: 'mail', count: 1 },
    ])
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS)
    expect(await store().listClicks('ann', 0)).toEqual([])
    expect(await store().resolve('ann', NOW_MS)).toBeUndefined()
  })

  test('for 90 days, nobody can get the names of a deleted account', async () => {
    await store().save(websiteOf('ann', 'earlier'), NOW_MS)
    await store().save(websiteOf('ann', 'current'), NOW_MS)
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS)
    for (const name of ['earlier', 'current']) {
      expect(await store().save(websiteOf('bob', name), NOW_MS + DELETED_NAME_RESERVED_MS - 1)).toBe('taken')
      expect(await store().resolve(name, NOW_MS)).toBeUndefined()
      expect(await fixture.storage.pictures.findSource('website', name, NOW_MS)).toBeUndefined()
      expect(await fixture.storage.pictures.findSource('supporter', name, NOW_MS)).toBeUndefined()
    }
    expect(await store().save(websiteOf('bob', 'current'), NOW_MS + DELETED_NAME_RESERVED_MS)).toBe('done')
  })
})
