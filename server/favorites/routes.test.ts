import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FAVORITES_MAX } from '../../contract/favorite-limits.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { SqliteFile } from '../storage/sqlite-driver.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { countEventLoopTurns } from '../testing/count-turns.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const DEVICE_ID = '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c'
const [FIRST_SONG_ID, SECOND_SONG_ID, THIRD_SONG_ID, OTHER_SONG_ID] = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'BBBBBBBBBB1'] as const

let site: TestApp
let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  site = await createTestApp({}, { nowMs: () => nowMs })
})
afterEach(() => site.close())

const createToken = async (name: string) => (await createSdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken as string
const createBearerHeader = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` })
const getAs = async (token: string | undefined, path: string) =>
  (await site.app.inject({ url: `/api${path}`, headers: createBearerHeader(token) })).json()
const postAs = async (token: string | undefined, path: string, payload: Record<string, unknown> = {}) =>
  (await site.app.inject({ method: 'POST', url: `/api${path}`, headers: createBearerHeader(token), payload })).json()
const createChange = (songId: string | undefined, changeOverrides: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  s: songId,
  favorite: true,
  at: new Date(nowMs).toISOString(),
  device: DEVICE_ID,
  ...changeOverrides,
})
const okAnswer = { code: 200, message: 'OK', data: null }
const createNotFoundEnvelope = (message: string) => ({ code: 404, message, data: null })

it('favorites: songs can be added, read, listed and removed', async () => {
  const annToken = await createToken('ann')
  expect(await getAs(annToken, '/favorite/getlatest')).toEqual(createNotFoundEnvelope('There are no songs in your favorites.'))
  expect(await getAs(annToken, '/favorite/random')).toEqual(createNotFoundEnvelope('There is no song to choose from.'))
  expect(await postAs(annToken, '/favorite/add', { s: FIRST_SONG_ID })).toEqual(okAnswer)
  nowMs += 1000
  expect(await postAs(annToken, '/favorite/add', { s: `https://youtu.be/${OTHER_SONG_ID}` })).toEqual(okAnswer)
  expect((await getAs(annToken, `/favorite/get?s=${FIRST_SONG_ID}`)).data).toEqual({ favorite: true })
  expect((await getAs(annToken, `/favorite/get?s=${SECOND_SONG_ID}`)).data).toEqual({ favorite: false })
  const allFavorites = (await getAs(annToken, '/favorite/getall')).data
  expect(allFavorites.map((song: { youtube_id: string }) => song.youtube_id)).toEqual([OTHER_SONG_ID, FIRST_SONG_ID])
  expect(allFavorites[0]).toMatchObject({ title: 'Stone', author_name: 'Rocker', new: expect.any(String) })
  expect((await getAs(annToken, '/favorite/getall?limit=1&offset=1')).data).toEqual([allFavorites[1]])
  const latestFavorite = {
    youtube_id: OTHER_SONG_ID,
    youtube_url: `https://www.youtube.com/watch?v=${OTHER_SONG_ID}`,
    title: 'Stone',
    category_id: 'rock',
  }
  expect((await getAs(annToken, '/favorite/getlatest')).data).toEqual(latestFavorite)
  expect((await getAs(annToken, `/favorite/random?not=${FIRST_SONG_ID}`)).data).toEqual(latestFavorite)
  expect(await postAs(annToken, '/favorite/remove', { s: OTHER_SONG_ID })).toEqual(okAnswer)
  expect(await postAs(annToken, '/favorite/remove', { s: OTHER_SONG_ID })).toEqual(okAnswer)
  expect(await postAs(annToken, '/favorite/remove', { s: 'ZZZZZZZZZZZ' })).toEqual(okAnswer)
  for (const s of ['ZZZZZZZZZZZ', 'nonsense'])
    expect(await postAs(annToken, '/favorite/add', { s })).toEqual(createNotFoundEnvelope('There is no such song.'))
  expect((await getAs(annToken, '/favorite/getall')).data).toHaveLength(1)
  expect((await getAs(await createToken('bob'), '/favorite/getall')).data).toEqual([])
})

it('favorites: forms with the token in the body are accepted', async () => {
  const token = await createToken('ann')
  const formRequest = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } } as const
  const payload = new URLSearchParams({ firebase_auth_token: token, s: FIRST_SONG_ID }).toString()
  expect((await site.app.inject({ ...formRequest, url: '/api/favorite/add', payload })).json()).toEqual(okAnswer)
  expect((await getAs(undefined, `/favorite/getall?firebase_auth_token=${token}`)).data).toHaveLength(1)
})

it('favorites: a valid token is required', async () => {
  for (const idToken of [undefined, 'nonsense']) {
    for (const path of ['getlatest', 'getall', 'random', `get?s=${FIRST_SONG_ID}`])
      expect(await getAs(idToken, `/favorite/${path}`)).toMatchObject({ code: 401 })
    for (const path of ['add', 'remove', 'sync'])
      expect(await postAs(idToken, `/favorite/${path}`, { s: FIRST_SONG_ID })).toMatchObject({ code: 401 })
    expect(await getAs(idToken, `/song/get?s=${FIRST_SONG_ID}&p=favorite`)).toMatchObject({ code: 401 })
    expect(await getAs(idToken, '/song/random?p=favorite')).toMatchObject({ code: 401 })
    expect((await getAs(idToken, `/song/get?s=${FIRST_SONG_ID}`)).data.favorite).toBe(false)
  }
})

it('favorites: with p=favorite, the favorites are the context of a song; the responses are never cached', async () => {
  const [annToken, bobToken] = [await createToken('ann'), await createToken('bob')]
  const getSong = (token: string | undefined, s: string = FIRST_SONG_ID, p = 'favorite') => getAs(token, `/song/get?s=${s}&p=${p}`)
  expect((await getSong(undefined, FIRST_SONG_ID, 'rock')).data.favorite).toBe(false)
  for (const s of [OTHER_SONG_ID, THIRD_SONG_ID, FIRST_SONG_ID]) {
    await postAs(annToken, '/favorite/add', { s })
    nowMs += 1000
  }
  expect((await getSong(annToken)).data).toMatchObject({
    favorite: true,
    context_id: 'favorite',
    context_title: 'Favorites',
    next: THIRD_SONG_ID,
  })
  expect((await getSong(annToken, OTHER_SONG_ID)).data).toMatchObject({
    previous: THIRD_SONG_ID,
    next: FIRST_SONG_ID,
    first_song: FIRST_SONG_ID,
  })
  expect((await getSong(bobToken)).data).toMatchObject({ favorite: false, context_id: 'nightcore' })
  expect((await getSong(annToken, FIRST_SONG_ID, 'rock')).data).toMatchObject({ favorite: true, context_id: 'nightcore' })
  await postAs(annToken, '/favorite/remove', { s: FIRST_SONG_ID })
  expect((await getSong(annToken)).data).toMatchObject({ favorite: false, context_id: 'nightcore' })
  const queryTokenResponse = await site.app.inject(`/api/song/get?s=${THIRD_SONG_ID}&p=favorite&firebase_auth_token=${annToken}`)
  expect([queryTokenResponse.json().data.context_id, queryTokenResponse.headers['cache-control'], queryTokenResponse.headers.etag]).toEqual(
    ['favorite', 'no-store', undefined],
  )
  expect((await getAs(annToken, `/song/random?p=favorite&not=${OTHER_SONG_ID}`)).data.youtube_id).toBe(THIRD_SONG_ID)
  expect(await getAs(bobToken, '/song/random?p=favorite')).toEqual(createNotFoundEnvelope('There is no song to choose from.'))
})

it('favorites: sync returns each changed song once', async () => {
  const annToken = await createToken('ann')
  const singleChange = createChange(FIRST_SONG_ID)
  const { data: syncData } = await postAs(annToken, '/favorite/sync', { changes: [singleChange, createChange('ZZZZZZZZZZZ')] })
  expect(syncData).toMatchObject({ whole: true, more: false, refused: [{ message: 'There is no such song.' }] })
  expect(syncData.favorites).toEqual([
    { s: FIRST_SONG_ID, favorite: true, at: singleChange.at, song: (await getAs(annToken, '/favorite/getall')).data[0] },
  ])
  const { data: repeatedSync } = await postAs(annToken, '/favorite/sync', { since: syncData.cursor, changes: [singleChange] })
  expect(repeatedSync).toEqual({ cursor: syncData.cursor, whole: false, more: false, favorites: [], refused: [] })
  expect((await postAs(annToken, '/favorite/sync')).data).toMatchObject({
    cursor: syncData.cursor,
    whole: true,
    favorites: syncData.favorites,
  })
})

it('favorites: sync accepts 500 changes with the longest URLs, and names an invalid field', async () => {
  const annToken = await createToken('ann')
  const url = `https://www.youtube.com/watch?v=${FIRST_SONG_ID}&list=`.padEnd(500, 'x')
  const { code, data } = await postAs(annToken, '/favorite/sync', { changes: Array.from({ length: 500 }, () => createChange(url)) })
  expect([code, data.refused, data.favorites.length]).toEqual([200, [], 1])
  for (const [body, expectedMessage] of [
    [{ changes: Array.from({ length: 501 }, () => createChange(FIRST_SONG_ID)) }, 'changes must have at most 500 entries'],
    [{ changes: {} }, 'changes must be a list'],
    [{ changes: [createChange(FIRST_SONG_ID), 7] }, 'changes[1] must be an object'],
    [{ changes: [createChange(FIRST_SONG_ID), createChange(undefined)] }, 'changes[1].s is required'],
    [{ changes: [createChange('')] }, 'changes[0].s must not be empty'],
    [{ changes: [createChange(FIRST_SONG_ID, { id: '1' })] }, 'changes[0].id has the wrong format'],
    [{ changes: [createChange(FIRST_SONG_ID, { device: '' })] }, 'changes[0].device has the wrong format'],
    [{ changes: [createChange(FIRST_SONG_ID, { at: 'yesterday' })] }, 'changes[0].at has the wrong format'],
    [{ changes: [createChange(FIRST_SONG_ID, { favorite: 'true' })] }, 'changes[0].favorite must be a boolean'],
    [{ since: 'x'.repeat(201) }, 'since must have at most 200 characters'],
  ] as const)
    expect(await postAs(annToken, '/favorite/sync', body), expectedMessage).toEqual({ code: 400, message: expectedMessage, data: null })
  expect(await postAs(annToken, '/favorite/add')).toEqual({ code: 400, message: 's is required', data: null })
})

it('favorites: the list is exported, and deleted with the account', async () => {
  const annToken = await createToken('ann')
  await postAs(annToken, '/favorite/sync', {
    changes: [
      createChange(FIRST_SONG_ID, { at: '2026-02-01T00:00:00Z' }),
      createChange(OTHER_SONG_ID),
      createChange(SECOND_SONG_ID, { favorite: false }),
    ],
  })
  const { uid, favorites } = (await getAs(annToken, '/account/export')).data
  expect(favorites).toEqual([
    { s: OTHER_SONG_ID, at: '2026-03-01T12:00:00.000Z' },
    { s: FIRST_SONG_ID, at: '2026-02-01T00:00:00.000Z' },
  ])
  expect(await postAs(annToken, '/account/delete')).toEqual(okAnswer)
  expect(await site.storage.favorites.exportPage(uid, { limit: 9, offset: 0 })).toEqual([])
})

it('favorites: an export with 50,000 favorites is read in batches, and other requests are answered between the batches', {
  tags: ['long'],
}, async () => {
  const annToken = await createToken('ann')
  await postAs(annToken, '/favorite/add', { s: FIRST_SONG_ID })
  const { uid } = (await getAs(annToken, '/account/export')).data
  const database = new SqliteFile(join(site.dataDir, 'varispeed.sqlite'))
  database.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${FAVORITES_MAX - 1})
    insert into favorites select '${uid}', 'old-' || i, 1, ${START_MS} - i, '', 0, i from n`)
  database.close()
  const { result, eventLoopTurnCount } = await countEventLoopTurns(() => getAs(annToken, '/account/export'))
  const ids = new Set(result.data.favorites.map(({ s }: { s: string }) => s))
  expect([ids.size, result.data.favorites.length, result.data.favorites[0].s]).toEqual([FAVORITES_MAX, FAVORITES_MAX, FIRST_SONG_ID])
  expect(eventLoopTurnCount).toBeGreaterThan(FAVORITES_MAX / 1000)
})

it('favorites sync: forms can send the changes as JSON text, either all in one field or each in a field of its own', async () => {
  const annToken = await createToken('ann')
  const postForm = async (formFields: [string, string][]) => {
    const headers = { ...createBearerHeader(annToken), 'content-type': 'application/x-www-form-urlencoded' }
    const payload = new URLSearchParams(formFields).toString()
    return (await site.app.inject({ method: 'POST', url: '/api/favorite/sync', headers, payload })).json()
  }
  expect(await postForm([['changes', JSON.stringify([createChange(FIRST_SONG_ID), createChange(SECOND_SONG_ID)])]])).toMatchObject({
    code: 200,
  })
  expect(
    await postForm(
      [createChange(THIRD_SONG_ID), createChange(OTHER_SONG_ID)].map((change): [string, string] => ['changes', JSON.stringify(change)]),
    ),
  ).toMatchObject({
    code: 200,
  })
  expect((await getAs(annToken, '/favorite/getall')).data).toHaveLength(4)
  for (const text of ['{', '[1', 'x']) expect(await postForm([['changes', text]])).toMatchObject({ code: 400 })
})
