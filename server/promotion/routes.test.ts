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
  tokens.clear()
  site = await createTestApp({}, { nowMs: () => nowMs, prerender: { renderPage: async () => '<h1>Home</h1>', renderShell: () => '' } })
})
afterEach(() => site.close())

const dateOf = (days: number) => ({ date: `2026-03-${String(1 + days).padStart(2, '0')}T00:00:00.000Z` })
const linksOf = (name: string) => ({ youtube_channel: `https://www.youtube.com/@${name}`, youtube_share: 'https://youtu.be/dQw4w9WgXcQ' })
/** Sets the clock to noon of a day, counted from the start of the test. */
async function goToDay(days: number) {
  nowMs = START_MS + days * DAY_MS
  for (const name of tokens.keys()) {
    // The test requests a new token, because tokens are valid for an hour.
    const response = await createSdkCalls(site).signIn(`${name}@example.com`, 'secret-1')
    tokens.set(name, response.json().idToken)
  }
}

const tokens = new Map<string, string>()
async function signUp(name: string) {
  const token = (await createSdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken as string
  tokens.set(name, token)
  return token
}
const grant = (name: string) => site.storage.roles.grant(`${name}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
const headersOf = (name: string) => ({ authorization: `Bearer ${tokens.get(name) ?? name}` })
const get = async (name: string) => (await site.app.inject({ url: '/api/promotion/get', headers: headersOf(name) })).json()
const calendarOf = async (name: string) => (await get(name)).data.promotion_calendar
const save = async (name: string, links: Record<string, unknown> = linksOf(name)) =>
  (await site.app.inject({ method: 'POST', url: '/api/promotion/save', headers: headersOf(name), payload: links })).json()
const readToday = async () => (await site.app.inject('/api/promotion/today')).json().data
/** Returns the promotion in the initial data in a home page's HTML. */
async function readHome(host = 'localhost') {
  const { body } = await site.app.inject({ url: '/', headers: { host } })
  const json = /"promotion":(null|\{[^}]*\})/.exec(body)?.[1]
  return json === undefined ? undefined : JSON.parse(json.replaceAll('\\u002f', '/'))
}
async function subscribe(...personNames: string[]) {
  for (const name of personNames) {
    await signUp(name)
    await grant(name)
    expect(await save(name)).toEqual({ code: 200, message: 'OK', data: null })
    nowMs += 1000
  }
}

it('promotion: a promotion gets the earliest free day, and the home pages of both brands show it on that day', async () => {
  expect(await readHome()).toBeNull()
  expect(await readToday()).toBeNull()
  await subscribe('ann', 'bob', 'cem')
  expect(await get('ann')).toEqual({ code: 200, message: 'OK', data: { ...linksOf('ann'), promotion_calendar: [dateOf(0)] } })
  expect([await calendarOf('bob'), await calendarOf('cem')]).toEqual([[dateOf(1)], [dateOf(2)]])
  for (const [day, name] of ['ann', 'bob', 'cem'].entries()) {
    await goToDay(day)
    const promotion = { ...dateOf(day), ...linksOf(name) }
    expect(await readToday()).toEqual(promotion)
    for (const host of ['localhost', 'slowedreverb.localhost']) expect(await readHome(host)).toEqual(promotion)
  }
})

it('promotion: the promotion of the day changes at midnight UTC, also in cached responses', async () => {
  await subscribe('ann', 'bob')
  nowMs = Date.parse('2026-03-01T23:59:59.999Z')
  expect([(await readToday()).date, (await readHome()).date]).toEqual([dateOf(0).date, dateOf(0).date])
  nowMs++
  expect([(await readToday()).date, (await readHome()).date]).toEqual([dateOf(1).date, dateOf(1).date])
})

it("promotion: after its day, a subscriber's promotion waits again, and for 30 days it waits behind new promotions", async () => {
  await subscribe('ann')
  await subscribe('bob', 'cem')
  expect(await calendarOf('ann')).toEqual([dateOf(0)])
  await goToDay(1)
  expect(await calendarOf('ann')).toEqual([dateOf(0), dateOf(3)])
  await subscribe('dan')
  expect(await calendarOf('ann')).toEqual([dateOf(0), dateOf(4)])
  await goToDay(2)
  expect(await calendarOf('bob')).toEqual([dateOf(1), dateOf(5)])
})

it('promotion: a promotion keeps its day if its address is changed; if that day is the current one, the new address is shown immediately', async () => {
  await subscribe('ann', 'bob')
  nowMs += 1000
  for (const name of ['ann', 'bob']) await save(name, linksOf(`new-${name}`))
  expect(await get('bob')).toMatchObject({ data: { ...linksOf('new-bob'), promotion_calendar: [dateOf(1)] } })
  expect(await readToday()).toEqual({ ...dateOf(0), ...linksOf('new-ann') })
})

it("promotion: the card has the name, address and picture of the owner's website while visitors see it; the shared video has a picture", async () => {
  await subscribe('ann')
  const call = async (path: string, payload: object) =>
    (await site.app.inject({ method: 'POST', url: `/api${path}`, headers: headersOf('ann'), payload })).json().code
  const youtube = 'https://www.youtube.com/@ann'
  expect(await call('/website/activate', { domain_name: 'ann' })).toBe(200)
  expect(await call('/website/save', { domain_name: 'ann', name: 'Ann & Co', youtube })).toBe(200)
  const card = { site_name: 'Ann & Co', domain_name: 'ann', profile_pic: '/img/supporter/ann' }
  nowMs += 2000
  expect(await readToday()).toEqual({ ...dateOf(0), ...linksOf('ann'), ...card })
  expect((await get('ann')).data).toMatchObject(card)
  expect(await call('/website/save', { domain_name: 'ann', name: 'Ann & Co', youtube, enabled: 'no' })).toBe(200)
  nowMs += 2000
  expect(await readToday()).toEqual({ ...dateOf(0), ...linksOf('ann') })
  for (const [id, status] of [
    ['dQw4w9WgXcQ', 200],
    ['DQW4W9WGXCQ', 404],
    ['__________Q', 404],
  ] as const)
    expect((await site.app.inject(`/img/song/${id}/160`)).statusCode, id).toBe(status)
})

it('promotion: losing the role frees the planned day, and past days stay', async () => {
  await subscribe('ann', 'bob', 'cem')
  for (const name of ['bob', 'ann']) await site.storage.roles.revoke(`${name}@example.com`, 'subscriber', 'admin')
  expect(await calendarOf('cem')).toEqual([dateOf(1)])
  nowMs += 2000
  expect(await readToday()).toEqual({ ...dateOf(0), ...linksOf('ann') })
  await goToDay(1)
  expect(await readToday()).toEqual({ ...dateOf(1), ...linksOf('cem') })
  await goToDay(2)
  await grant('ann')
  expect(await calendarOf('ann')).toEqual([dateOf(0), dateOf(3)])
})

it('promotion: users who are not subscribers get 403, and requests without a token 401', async () => {
  await signUp('ann')
  for (const call of [get, save]) {
    expect(await call('ann')).toEqual({ code: 403, message: CONTENT_LOCKED_MESSAGE, data: null })
    expect(await call('nonsense')).toMatchObject({ code: 401 })
  }
  expect(await readToday()).toBeNull()
})

it('promotion: other accounts can neither read nor change a promotion', async () => {
  await subscribe('ann')
  await signUp('bob')
  await grant('bob')
  expect((await get('bob')).data).toEqual({ youtube_channel: '', youtube_share: '', promotion_calendar: [] })
  await save('bob', { ...linksOf('bob'), uid: 'ann', email: 'ann@example.com' })
  expect((await get('ann')).data).toMatchObject(linksOf('ann'))
})

it('promotion: forms with the token in the body are accepted', async () => {
  await signUp('ann')
  await grant('ann')
  const response = await site.app.inject({
    method: 'POST',
    url: '/api/promotion/save',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...linksOf('ann'), firebase_auth_token: tokens.get('ann') ?? '' }).toString(),
  })
  expect(response.json()).toMatchObject({ code: 200 })
  expect((await get('ann')).data).toMatchObject(linksOf('ann'))
})

it('promotion: a handle and addresses without https:// are stored as complete addresses', async () => {
  await signUp('ann')
  await grant('ann')
  expect(await save('ann', { youtube_channel: ' @ann ', youtube_share: 'youtu.be/dQw4w9WgXcQ' })).toMatchObject({ code: 200 })
  expect((await get('ann')).data).toMatchObject(linksOf('ann'))
})

it('promotion: an address on another site than YouTube is refused, and nothing is stored', async () => {
  await signUp('ann')
  await grant('ann')
  const { youtube_channel, youtube_share } = linksOf('ann')
  for (const [links, message] of [
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
    expect(await save('ann', links), message).toEqual({ code: 400, message, data: null })
  expect((await get('ann')).data.promotion_calendar).toEqual([])
})

it('promotion: the promotion is exported, and deleted with the account, which frees its day', async () => {
  await subscribe('ann', 'bob')
  const exportedData = (await site.app.inject({ url: '/api/account/export', headers: headersOf('ann') })).json().data
  expect(exportedData.promotion).toEqual((await get('ann')).data)
  await site.app.inject({ method: 'POST', url: '/api/account/delete', headers: headersOf('ann') })
  nowMs += 61_000
  expect(await readToday()).toEqual({ ...dateOf(0), ...linksOf('bob') })
  expect(await site.storage.promotions.find(exportedData.uid)).toBeUndefined()
})
