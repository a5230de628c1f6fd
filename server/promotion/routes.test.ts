import { afterEach, beforeEach, expect, it } from 'vitest'
import { CONTENT_LOCKED_MESSAGE } from '../../contract/errors.ts'
import { DAY_MS } from '../durations.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')

let site: TestApp
let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  tokenByName.clear()
  site = await createTestApp({}, { nowMs: () => nowMs, prerender: { renderPage: async () => '<h1>Home</h1>', renderShell: () => '' } })
})
afterEach(() => site.close())

const createDate = (days: number) => ({ date: `2026-03-${String(1 + days).padStart(2, '0')}T00:00:00.000Z` })
const createLinks = (channelName: string) => ({
  youtube_channel: `https://www.youtube.com/@${channelName}`,
  youtube_share: 'https://youtu.be/dQw4w9WgXcQ',
})
/** Sets the clock to noon of a day, counted from the start of the test. */
async function setClockToDay(dayCount: number) {
  nowMs = START_MS + dayCount * DAY_MS
  for (const accountName of tokenByName.keys()) {
    // The test requests a new token, because tokens are valid for an hour.
    const response = await createSdkCalls(site).signIn(`${accountName}@example.com`, 'secret-1')
    tokenByName.set(accountName, response.json().idToken)
  }
}

const tokenByName = new Map<string, string>()
async function signUp(accountName: string) {
  const token = (await createSdkCalls(site).signUp(`${accountName}@example.com`, 'secret-1')).json().idToken as string
  tokenByName.set(accountName, token)
  return token
}
const grantSubscription = (name: string) =>
  site.storage.roles.grant(`${name}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
const createHeaders = (name: string) => ({ authorization: `Bearer ${tokenByName.get(name) ?? name}` })
const getPromotion = async (name: string) => (await site.app.inject({ url: '/api/promotion/get', headers: createHeaders(name) })).json()
const readCalendar = async (name: string) => (await getPromotion(name)).data.promotion_calendar
const savePromotion = async (name: string, links: Record<string, unknown> = createLinks(name)) =>
  (await site.app.inject({ method: 'POST', url: '/api/promotion/save', headers: createHeaders(name), payload: links })).json()
const readToday = async () => (await site.app.inject('/api/promotion/today')).json().data
/** Returns the promotion in the initial data in a home page's HTML. */
async function readHome(host = 'localhost') {
  const { body } = await site.app.inject({ url: '/', headers: { host } })
  const json = /"promotion":(null|\{[^}]*\})/.exec(body)?.[1]
  return json === undefined ? undefined : JSON.parse(json.replaceAll('\\u002f', '/'))
}
async function subscribe(...personNames: string[]) {
  for (const accountName of personNames) {
    await signUp(accountName)
    await grantSubscription(accountName)
    expect(await savePromotion(accountName)).toEqual({ code: 200, message: 'OK', data: null })
    nowMs += 1000
  }
}

it('promotion: a promotion gets the earliest free day, and the home pages of both brands show it on that day', async () => {
  expect(await readHome()).toBeNull()
  expect(await readToday()).toBeNull()
  await subscribe('ann', 'bob', 'cem')
  expect(await getPromotion('ann')).toEqual({
    code: 200,
    message: 'OK',
    data: { ...createLinks('ann'), promotion_calendar: [createDate(0)] },
  })
  expect([await readCalendar('bob'), await readCalendar('cem')]).toEqual([[createDate(1)], [createDate(2)]])
  for (const [dayIndex, accountName] of ['ann', 'bob', 'cem'].entries()) {
    await setClockToDay(dayIndex)
    const promotion = { ...createDate(dayIndex), ...createLinks(accountName) }
    expect(await readToday()).toEqual(promotion)
    for (const host of ['localhost', 'slowedreverb.localhost']) expect(await readHome(host)).toEqual(promotion)
  }
})

it('promotion: the promotion of the day changes at midnight UTC, also in cached responses', async () => {
  await subscribe('ann', 'bob')
  nowMs = Date.parse('2026-03-01T23:59:59.999Z')
  expect([(await readToday()).date, (await readHome()).date]).toEqual([createDate(0).date, createDate(0).date])
  nowMs++
  expect([(await readToday()).date, (await readHome()).date]).toEqual([createDate(1).date, createDate(1).date])
})

it("promotion: after its day, a subscriber's promotion waits again, and for 30 days it waits behind new promotions", async () => {
  await subscribe('ann')
  await subscribe('bob', 'cem')
  expect(await readCalendar('ann')).toEqual([createDate(0)])
  await setClockToDay(1)
  expect(await readCalendar('ann')).toEqual([createDate(0), createDate(3)])
  await subscribe('dan')
  expect(await readCalendar('ann')).toEqual([createDate(0), createDate(4)])
  await setClockToDay(2)
  expect(await readCalendar('bob')).toEqual([createDate(1), createDate(5)])
})

it('promotion: a promotion keeps its day if its address is changed; if that day is the current one, the new address is shown immediately', async () => {
  await subscribe('ann', 'bob')
  nowMs += 1000
  for (const name of ['ann', 'bob']) await savePromotion(name, createLinks(`new-${name}`))
  expect(await getPromotion('bob')).toMatchObject({ data: { ...createLinks('new-bob'), promotion_calendar: [createDate(1)] } })
  expect(await readToday()).toEqual({ ...createDate(0), ...createLinks('new-ann') })
})

it("promotion: the card has the name, address and picture of the owner's website while visitors see it; the shared video has a picture", async () => {
  await subscribe('ann')
  const postJson = async (path: string, payload: object) =>
    (await site.app.inject({ method: 'POST', url: `/api${path}`, headers: createHeaders('ann'), payload })).json().code
  const channelUrl = 'https://www.youtube.com/@ann'
  expect(await postJson('/website/activate', { domain_name: 'ann' })).toBe(200)
  expect(await postJson('/website/save', { domain_name: 'ann', name: 'Ann & Co', youtube: channelUrl })).toBe(200)
  const promotionCard = { site_name: 'Ann & Co', domain_name: 'ann', profile_pic: '/img/supporter/ann' }
  nowMs += 2000
  expect(await readToday()).toEqual({ ...createDate(0), ...createLinks('ann'), ...promotionCard })
  expect((await getPromotion('ann')).data).toMatchObject(promotionCard)
  expect(await postJson('/website/save', { domain_name: 'ann', name: 'Ann & Co', youtube: channelUrl, enabled: 'no' })).toBe(200)
  nowMs += 2000
  expect(await readToday()).toEqual({ ...createDate(0), ...createLinks('ann') })
  for (const [playlistId, expectedStatus] of [
    ['dQw4w9WgXcQ', 200],
    ['DQW4W9WGXCQ', 404],
    ['__________Q', 404],
  ] as const)
    expect((await site.app.inject(`/img/song/${playlistId}/160`)).statusCode, playlistId).toBe(expectedStatus)
})

it('promotion: while an admin hides the shared video, no page shows the promotion, it gets no day, and its owner learns why', async () => {
  const hiddenId = 'AAAAAAAAAA2'
  const hiddenLinks = { ...createLinks('ann'), youtube_share: `https://www.youtube.com/watch?v=${hiddenId}` }
  const act = { actor: 'admin', command: 'song hide', reason: 'A claim.', atMs: START_MS }
  const readPictureStatus = async () => (await site.app.inject(`/img/song/${hiddenId}/160`)).statusCode
  for (const name of ['ann', 'bob']) {
    await signUp(name)
    await grantSubscription(name)
    await savePromotion(name, name === 'ann' ? hiddenLinks : createLinks(name))
    nowMs += 1000
  }
  const shownPromotion = { ...createDate(0), ...hiddenLinks }
  expect([await readToday(), await readHome(), await readPictureStatus()]).toEqual([shownPromotion, shownPromotion, 200])
  await site.storage.moderation.hideItem('song', hiddenId, { act, isDryRun: false })
  expect([await readToday(), await readHome(), await readPictureStatus()]).toEqual([null, null, 404])
  expect((await getPromotion('ann')).data).toEqual({ ...hiddenLinks, video_hidden: true, promotion_calendar: [createDate(0)] })
  await setClockToDay(1)
  expect([(await readToday()).youtube_channel, await readCalendar('bob')]).toEqual([createLinks('bob').youtube_channel, [createDate(1)]])
  await site.storage.moderation.showItem('song', hiddenId, { act, isDryRun: false })
  expect((await getPromotion('ann')).data).toEqual({ ...hiddenLinks, promotion_calendar: [createDate(0), createDate(2)] })
})

it('promotion: losing the role of a subscriber frees the planned day, and past days stay', async () => {
  await subscribe('ann', 'bob', 'cem')
  for (const name of ['bob', 'ann']) await site.storage.roles.revoke(`${name}@example.com`, 'subscriber', 'admin')
  expect(await readCalendar('cem')).toEqual([createDate(1)])
  nowMs += 2000
  expect(await readToday()).toEqual({ ...createDate(0), ...createLinks('ann') })
  await setClockToDay(1)
  expect(await readToday()).toEqual({ ...createDate(1), ...createLinks('cem') })
  await setClockToDay(2)
  await grantSubscription('ann')
  expect(await readCalendar('ann')).toEqual([createDate(0), createDate(3)])
})

it('promotion: users who are not subscribers get 403, and requests without a token 401', async () => {
  await signUp('ann')
  for (const call of [getPromotion, savePromotion]) {
    expect(await call('ann')).toEqual({ code: 403, message: CONTENT_LOCKED_MESSAGE, data: null })
    expect(await call('nonsense')).toMatchObject({ code: 401 })
  }
  expect(await readToday()).toBeNull()
})

it('promotion: other accounts can neither read nor change a promotion', async () => {
  await subscribe('ann')
  await signUp('bob')
  await grantSubscription('bob')
  expect((await getPromotion('bob')).data).toEqual({ youtube_channel: '', youtube_share: '', promotion_calendar: [] })
  await savePromotion('bob', { ...createLinks('bob'), uid: 'ann', email: 'ann@example.com' })
  expect((await getPromotion('ann')).data).toMatchObject(createLinks('ann'))
})

it('promotion: forms with the token in the body are accepted', async () => {
  await signUp('ann')
  await grantSubscription('ann')
  const response = await site.app.inject({
    method: 'POST',
    url: '/api/promotion/save',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...createLinks('ann'), firebase_auth_token: tokenByName.get('ann') ?? '' }).toString(),
  })
  expect(response.json()).toMatchObject({ code: 200 })
  expect((await getPromotion('ann')).data).toMatchObject(createLinks('ann'))
})

it('promotion: a handle and addresses without https:// are stored as complete addresses', async () => {
  await signUp('ann')
  await grantSubscription('ann')
  expect(await savePromotion('ann', { youtube_channel: ' @ann ', youtube_share: 'youtu.be/dQw4w9WgXcQ' })).toMatchObject({ code: 200 })
  expect((await getPromotion('ann')).data).toMatchObject(createLinks('ann'))
})

it('promotion: an address on another site than YouTube is refused, and nothing is stored', async () => {
  await signUp('ann')
  await grantSubscription('ann')
  const { youtube_channel, youtube_share } = createLinks('ann')
  for (const [invalidLinks, expectedMessage] of [
    [{ youtube_share }, 'youtube_channel is required'],
    [{ youtube_channel }, 'youtube_share is required'],
    [{ youtube_channel: '', youtube_share }, 'youtube_channel must not be empty'],
    [{ youtube_channel: `${youtube_channel}${'a'.repeat(500)}`, youtube_share }, 'youtube_channel must have at most 500 characters'],
    // This channel name is short enough, but the URL that is made of it is too long.
    [{ youtube_channel: 'a'.repeat(490), youtube_share }, 'youtube_channel must be a web address of YouTube'],
    ...[
      'aria',
      'javascript:alert(1)',
      'https://evil.example/youtube.com',
      'https://youtube.com@evil.example/',
      'https://youtube.com.evil.example/',
    ].map((url) => [{ youtube_channel, youtube_share: url }, 'youtube_share must be a web address of YouTube'] as const),
  ] as const)
    expect(await savePromotion('ann', invalidLinks), expectedMessage).toEqual({ code: 400, message: expectedMessage, data: null })
  expect((await getPromotion('ann')).data.promotion_calendar).toEqual([])
})

it('promotion: the promotion is exported, and deleted with the account, which frees its day', async () => {
  await subscribe('ann', 'bob')
  const exportedData = (await site.app.inject({ url: '/api/account/export', headers: createHeaders('ann') })).json().data
  expect(exportedData.promotion).toEqual((await getPromotion('ann')).data)
  await site.app.inject({ method: 'POST', url: '/api/account/delete', headers: createHeaders('ann') })
  nowMs += 61_000
  expect(await readToday()).toEqual({ ...createDate(0), ...createLinks('bob') })
  expect(await site.storage.promotions.find(exportedData.uid)).toBeUndefined()
})
