import { expect, test } from 'vitest'
import { socialFields, type WebsiteTexts, websiteMaxLengths } from '../../contract/website-rules.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, formatSongId, songReadOptions } from '../storage/testing/fixture.ts'
import { DELETED_NAME_RESERVED_MS, NAME_REDIRECT_MS } from './store.ts'
import { createWebsiteSongLister } from './videos.ts'

const NOW_MS = 20_500 * 86_400_000
// The cast is safe, because the names are the members of the type.
const emptyTexts = Object.fromEntries([...Object.keys(websiteMaxLengths), ...socialFields].map((field) => [field, ''])) as WebsiteTexts
const createWebsite = (uid: string, domain_name: string) => ({
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
const adminAct = { actor: 'ann', command: 'song hide', reason: 'A claim.', atMs: NOW_MS }

describeStores('websites', (fixture) => {
  const getStore = () => fixture.storage.websites
  const grantSubscription = (uid: string, untilMs?: number) =>
    fixture.storage.roles.grant(`${uid}@example.com`, { role: 'subscriber', source: 'admin', untilMs })

  test('a website is live while it is enabled and its owner is a subscriber', async () => {
    await grantSubscription('ann', NOW_MS + 1)
    expect(await getStore().save(createWebsite('ann', 'ann'), NOW_MS)).toBe('done')
    await fixture.reopen()
    expect(await getStore().resolve('ann', NOW_MS)).toEqual({ website: createWebsite('ann', 'ann'), isLive: true })
    expect((await getStore().resolve('ann', NOW_MS + 1))?.isLive).toBe(false)
    await getStore().save({ ...createWebsite('ann', 'ann'), enabled: 'no' }, NOW_MS)
    expect((await getStore().resolve('ann', NOW_MS))?.isLive).toBe(false)
    expect(await getStore().resolve('nobody', NOW_MS)).toBeUndefined()
  })

  test('a hidden song leaves the websites that have chosen it, with its picture, and is back in its place when it is shown again', async () => {
    await fixture.importRows({ songs: [createSongRow(1), createSongRow(2)] })
    const songs = [2, 1].map((n) => ({ youtube_id: formatSongId(n), title: '' }))
    await getStore().save({ ...createWebsite('ann', 'ann'), songs }, NOW_MS)
    const readWebsite = async () => {
      const { songs: chosenSongs = [], ...texts } = (await getStore().find('ann')) ?? {}
      const { videos } = await createWebsiteSongLister(fixture.storage)(
        chosenSongs,
        { ...createWebsite('ann', 'ann'), ...texts },
        songReadOptions,
      )
      return {
        titles: videos.map(({ title }) => title),
        picture: await fixture.storage.pictures.findSource('song', formatSongId(2), NOW_MS),
      }
    }
    const shownWebsite = { titles: ['Song 2', 'Song 1'], picture: { songId: formatSongId(2) } }
    expect(await readWebsite()).toEqual(shownWebsite)
    await fixture.storage.moderation.hideItem('song', formatSongId(2), { act: adminAct, isDryRun: false })
    expect(await readWebsite()).toEqual({ titles: ['Song 1'], picture: undefined })
    await fixture.storage.moderation.showItem('song', formatSongId(2), { act: adminAct, isDryRun: false })
    expect(await readWebsite()).toEqual(shownWebsite)
  })

  test('songs that are dated in the future do not fill up a website', async () => {
    await fixture.importRows({ songs: [createSongRow(1), createSongRow(2, { date_added: '2099-01-01' })] })
    const listSongs = createWebsiteSongLister(fixture.storage)
    const { videos } = await listSongs([], createWebsite('ann', 'ann'), { newSinceMs: 0, newUntilMs: Date.parse('2026-11-28') })
    expect(videos.map(({ title }) => title)).toEqual(['Song 1'])
  })

  test('if several accounts claim a domain name at the same time, one gets it; an earlier name becomes free after its time', async () => {
    const competingUids = Array.from({ length: 20 }, (_, index) => `uid${index}`)
    const saveOutcomes = await Promise.all(competingUids.map((uid) => getStore().save(createWebsite(uid, 'wanted'), NOW_MS)))
    expect(saveOutcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    const winnerUid = competingUids[saveOutcomes.indexOf('done')] ?? ''
    const loserUid = competingUids.find((uid) => uid !== winnerUid) ?? ''
    expect(await getStore().find(loserUid)).toBeUndefined()
    expect(await getStore().save(createWebsite(winnerUid, 'changed'), NOW_MS)).toBe('done')
    expect((await getStore().resolve('wanted', NOW_MS + NAME_REDIRECT_MS - 1))?.website.domain_name).toBe('changed')
    expect(await getStore().save(createWebsite(loserUid, 'wanted'), NOW_MS + NAME_REDIRECT_MS - 1)).toBe('taken')
    expect(await getStore().resolve('wanted', NOW_MS + NAME_REDIRECT_MS)).toBeUndefined()
    expect(await getStore().save(createWebsite(loserUid, 'wanted'), NOW_MS + NAME_REDIRECT_MS)).toBe('done')
  })

  test('pictures that one account uploads at the same time are all accepted, and one of them is stored', async () => {
    await getStore().save(createWebsite('ann', 'ann'), NOW_MS)
    const pictures = Array.from({ length: 8 }, (_, index) => Buffer.from(`picture ${index}`))
    for (let attempt = 0; attempt < 3; attempt++) {
      await Promise.all(pictures.map((picture) => getStore().savePicture('banner', 'ann', picture)))
      const hash = await getStore().pictureHashOf('banner', 'ann')
      expect(pictures).toContainEqual(await getStore().readPicture(hash ?? ''))
    }
    await getStore().savePicture('banner', 'ann', undefined)
    expect(await getStore().pictureHashOf('banner', 'ann')).toBeUndefined()
  })

  test('a picture that arrives while its account is deleted is not stored', async () => {
    for (const kind of ['banner', 'portrait'] as const) {
      await getStore().save(createWebsite('ann', `ann-${kind}`), NOW_MS)
      await Promise.all([
        getStore().savePicture(kind, 'ann', Buffer.from('picture')),
        fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS),
      ])
      expect(await getStore().pictureHashOf(kind, 'ann')).toBeUndefined()
      expect(await getStore().savePicture(kind, 'ann', Buffer.from('picture'))).toBe(false)
      expect(await getStore().pictureHashOf(kind, 'ann')).toBeUndefined()
    }
  })

  test('clicks are added up over days; a deleted account leaves neither clicks nor a website', async () => {
    await getStore().save(createWebsite('ann', 'ann'), NOW_MS)
    for (const day of [1, 2, 2]) await getStore().countClick('ann', 'visit', day)
    await getStore().countClick('ann', 'mail', 2)
    expect(await getStore().listClicks('ann', 2)).toEqual([
      { target: 'visit', count: 2 },
      { target: 'mail', count: 1 },
    ])
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS)
    expect(await getStore().listClicks('ann', 0)).toEqual([])
    expect(await getStore().resolve('ann', NOW_MS)).toBeUndefined()
  })

  test('for 90 days, nobody can get the domain names of a deleted account', async () => {
    await getStore().save(createWebsite('ann', 'earlier'), NOW_MS)
    await getStore().save(createWebsite('ann', 'current'), NOW_MS)
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS)
    for (const domainName of ['earlier', 'current']) {
      expect(await getStore().save(createWebsite('bob', domainName), NOW_MS + DELETED_NAME_RESERVED_MS - 1)).toBe('taken')
      expect(await getStore().resolve(domainName, NOW_MS)).toBeUndefined()
      expect(await fixture.storage.pictures.findSource('website', domainName, NOW_MS)).toBeUndefined()
      expect(await fixture.storage.pictures.findSource('supporter', domainName, NOW_MS)).toBeUndefined()
    }
    expect(await getStore().save(createWebsite('bob', 'current'), NOW_MS + DELETED_NAME_RESERVED_MS)).toBe('done')
  })
})
