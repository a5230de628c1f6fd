import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RadioProgramme } from '../../contract/radio.ts'
import { describeFailure, runCommand } from '../admin/run-command.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
let site: TestApp
let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  site = await createTestApp({}, { nowMs: () => nowMs })
})
afterEach(() => site.close())

const getRadio = async (query = '', call = 'get', host = 'localhost') =>
  (await site.app.inject({ url: `/api/radio/${call}${query}`, headers: { host } })).json()
const fetchProgramme = async (query?: string, call?: string, host?: string): Promise<RadioProgramme> =>
  (await getRadio(query, call, host)).data
const parseTimeMs = (text: string) => Date.parse(text)
const runAdmin = (commandLine: string) => runCommand(commandLine.split(' '), { env: site.environment })

it('radio: all listeners hear the same song from the same time, and the next songs follow without a gap', async () => {
  const firstAnswer = await fetchProgramme()
  expect(firstAnswer).toMatchObject({
    start_time: '2026-03-01T12:00:00.000Z',
    server_time: '2026-03-01T12:00:00.000Z',
    station: 'main',
    history: [],
  })
  expect(firstAnswer.youtube_url).toContain(firstAnswer.youtube_id)
  expect(firstAnswer.upcoming).toHaveLength(5)
  expect(firstAnswer.upcoming[0]).toEqual(firstAnswer.next)
  const firstAirings = [firstAnswer, ...firstAnswer.upcoming]
  for (const [index, airing] of firstAnswer.upcoming.entries()) {
    const before = firstAirings[index]
    expect(parseTimeMs(airing.start_time)).toBe(parseTimeMs(before?.start_time ?? '') + 1000 * (before?.duration ?? 0))
  }
  nowMs += 60_000
  expect(await fetchProgramme()).toEqual({ ...firstAnswer, server_time: '2026-03-01T12:01:00.000Z' })
  nowMs = parseTimeMs(firstAnswer.next.start_time) - 1
  expect((await fetchProgramme()).youtube_id).toBe(firstAnswer.youtube_id)
  nowMs += 1
  expect(await fetchProgramme()).toMatchObject({
    ...firstAnswer.next,
    history: [{ youtube_id: firstAnswer.youtube_id, start_time: firstAnswer.start_time }],
  })
})

it('radio: a server that was down for a day plays the same song as without the downtime', { tags: ['long'] }, async () => {
  const firstAnswer = await fetchProgramme()
  const secondSite = await createTestApp({}, { nowMs: () => nowMs })
  try {
    const readSecondSiteProgramme = async (): Promise<RadioProgramme> =>
      (await secondSite.app.inject({ url: '/api/radio/get' })).json().data
    expect(await readSecondSiteProgramme()).toEqual(firstAnswer)
    for (const end = START_MS + 86_400_000; nowMs < end; nowMs += 100_000) await readSecondSiteProgramme()
    const { history, ...currentAiring } = await fetchProgramme()
    expect(currentAiring).toEqual({ ...(await readSecondSiteProgramme()), history: undefined })
    expect(history).toHaveLength(20)
    expect(nowMs - parseTimeMs(currentAiring.start_time)).toBeLessThan(1000 * currentAiring.duration)
  } finally {
    await secondSite.close()
  }
})

it('radio: requests to change the song do not shorten it; the song changes once, at its end', { tags: ['long'] }, async () => {
  const firstAnswer = await fetchProgramme()
  for (let call = 0; call < 10_000; call++) {
    nowMs = Math.min(nowMs + 10, parseTimeMs(firstAnswer.next.start_time) - 1)
    expect((await fetchProgramme(`?s=${firstAnswer.youtube_id}`, 'setnewsong')).youtube_id).toBe(firstAnswer.youtube_id)
  }
  nowMs = parseTimeMs(firstAnswer.next.start_time)
  for (let call = 0; call < 20; call++)
    expect(await fetchProgramme(`?s=${firstAnswer.youtube_id}`, 'setnewsong')).toMatchObject(firstAnswer.next)
})

it("radio: each brand has its own station; the newcomers' station plays the Academy's songs, or else the main station plays", async () => {
  expect(await fetchProgramme('?newcomers_id=1')).toEqual(await fetchProgramme())
  await site.storage.settings.set('RADIO_NEWCOMERS', 'category:rock', undefined)
  expect(await fetchProgramme('?newcomers_id=1')).toMatchObject({
    station: 'newcomers',
    youtube_id: 'BBBBBBBBBB1',
    next: { youtube_id: 'BBBBBBBBBB1' },
  })
  await site.storage.settings.set('RADIO_NEWCOMERS', undefined, undefined)
  await site.storage.settings.set('RADIO_MAIN', 'playlist:nothing', undefined)
  nowMs += 600_000
  expect(await getRadio()).toEqual({ code: 404, message: 'The radio has no songs yet.', data: null })
})

it("radio: the main station plays the brand's own music, or the sources that the setting names", async () => {
  const listVideoIds = (radio: RadioProgramme) => new Set([radio, ...radio.upcoming].map(({ youtube_id }) => youtube_id))
  expect(listVideoIds(await fetchProgramme())).toEqual(new Set(['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3']))
  await site.storage.settings.set('RADIO_MAIN', 'category:rock,playlist:night-drive', undefined)
  nowMs += 3_600_000
  expect(listVideoIds(await fetchProgramme())).toEqual(new Set(['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'BBBBBBBBBB1']))
})

it('radio: a brand without its own music plays all songs', async () => {
  const radio = await fetchProgramme('', 'get', 'slowedreverb.localhost')
  expect(radio.upcoming.map(({ youtube_id }) => youtube_id)).toContain('BBBBBBBBBB1')
})

it('radio: a song that cannot be played is skipped', async () => {
  const { next } = await fetchProgramme()
  for (const ip of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
    await site.storage.songs.reportUnplayable({ songId: next.youtube_id, reason: 'error 100', clientId: ip, atMs: nowMs })
  nowMs += 2000
  const { upcoming } = await fetchProgramme()
  expect(upcoming.map(({ youtube_id }) => youtube_id)).not.toContain(next.youtube_id)
})

it('radio: the ETag does not depend on the server’s time; a 304 has the time in a header', async () => {
  const firstAnswer = await site.app.inject({ url: '/api/radio/get' })
  expect(firstAnswer.headers).toMatchObject({ 'x-server-time': '2026-03-01T12:00:00.000Z', 'cache-control': 'no-cache' })
  nowMs += 5000
  const headers = { 'if-none-match': String(firstAnswer.headers.etag) }
  const secondAnswer = await site.app.inject({ url: '/api/radio/get', headers })
  expect([secondAnswer.statusCode, secondAnswer.body, secondAnswer.headers['x-server-time']]).toEqual([304, '', '2026-03-01T12:00:05.000Z'])
  nowMs = parseTimeMs(firstAnswer.json().data.next.start_time)
  expect((await site.app.inject({ url: '/api/radio/get', headers })).statusCode).toBe(200)
})

it('radio: listeners are counted if the site shows their number; the ETag does not depend on the number, and a 304 has it in a header', async () => {
  const pollRadio = async (address: string, query = '', etag = '') =>
    site.app.inject({ url: `/api/radio/get${query}`, remoteAddress: address, headers: { 'if-none-match': etag } })
  const firstAnswer = await pollRadio('192.0.2.1')
  expect([firstAnswer.json().data.listeners, firstAnswer.headers['x-listeners']]).toEqual([undefined, undefined])
  await site.storage.settings.set('SHOW_LISTENERS', 'true', undefined)
  expect((await pollRadio('192.0.2.1')).json().data.listeners).toBe(1)
  expect((await pollRadio('192.0.2.2', '?listening=false')).json().data.listeners).toBe(1)
  expect((await pollRadio('192.0.2.2', '?newcomers_id=1')).json().data.listeners).toBe(1)
  const secondAnswer = await pollRadio('192.0.2.2', '', String(firstAnswer.headers.etag))
  expect([secondAnswer.statusCode, secondAnswer.headers['x-listeners']]).toEqual([304, '2'])
  expect((await fetchProgramme(`?s=${firstAnswer.json().data.youtube_id}`, 'setnewsong')).listeners).toBe(2)
  nowMs += 15_000
  expect((await fetchProgramme('?listening=false')).listeners).toBe(0)
})

it('radio skip: within a second, the server plays the next song', async () => {
  // The test follows the system clock, because the admin command uses it.
  nowMs = Date.now()
  const firstAnswer = await fetchProgramme()
  expect(await runAdmin('radio skip --brand nightcore-meridian --station main')).toContain('nightcore-meridian plays ')
  nowMs = Date.now() + 1000
  const secondAnswer = await fetchProgramme()
  expect(secondAnswer.youtube_id).toBe(firstAnswer.next.youtube_id)
  expect(secondAnswer.history[0]?.youtube_id).toBe(firstAnswer.youtube_id)
  expect(await runAdmin('radio skip --station night').catch((error: unknown) => describeFailure(error).message)).toBe(
    "There is no station 'night'; the stations are main, newcomers",
  )
})
