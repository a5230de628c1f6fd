import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const DEVICE = '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c'
const [FIRST, SECOND, THIRD, STONE] = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'BBBBBBBBBB1'] as const

let site: TestApp
let now = START
beforeEach(async () => {
  now = START
  site = await createTestApp({}, { nowMs: () => now })
})
afterEach(() => site.close())

const tokenOf = async (name: string) => (await sdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken as string
const bearer = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` })
const get = async (token: string | undefined, path: string) =>
  (await site.app.inject({ url: `/api${path}`, headers: bearer(token) })).json()
const post = async (token: string | undefined, path: string, payload: Record<string, unknown> = {}) =>
  (await site.app.inject({ method: 'POST', url: `/api${path}`, headers: bearer(token), payload })).json()
const change = (s: string | undefined, over: Record<string, unknown> = {}) => ({
  ...{ id: randomUUID(), s, favorite: true, at: new Date(now).toISOString(), device: DEVICE },
  ...over,
})
const ok = { code: 200, message: 'OK', data: null }
const missing = (message: string) => ({ code: 404, message, data: null })

it('adds, tells, lists, and takes out', async () => {
  const ann = await tokenOf('ann')
  expect(await get(ann, '/favorite/getlatest')).toEqual(missing('There are no songs in your favorites.'))
  expect(await get(ann, '/favorite/random')).toEqual(missing('There is no song to choose from.'))
  expect(await post(ann, '/favorite/add', { s: FIRST })).toEqual(ok)
  now += 1000
  expect(await post(ann, '/favorite/add', { s: `https://youtu.be/${STONE}` })).toEqual(ok)
  expect((await get(ann, `/favorite/get?s=${FIRST}`)).data).toEqual({ favorite: true })
  expect((await get(ann, `/favorite/get?s=${SECOND}`)).data).toEqual({ favorite: false })
  const all = (await get(ann, '/favorite/getall')).data
  expect(all.map((song: { youtube_id: string }) => song.youtube_id)).toEqual([STONE, FIRST])
  expect(all[0]).toMatchObject({ title: 'Stone', author_name: 'Rocker', new: expect.any(String) })
  expect((await get(ann, '/favorite/getall?limit=1&offset=1')).data).toEqual([all[1]])
  const latest = { youtube_id: STONE, youtube_url: `https://www.youtube.com/watch?v=${STONE}`, title: 'Stone', category_id: 'rock' }
  expect((await get(ann, '/favorite/getlatest')).data).toEqual(latest)
  expect((await get(ann, `/favorite/random?not=${FIRST}`)).data).toEqual(latest)
  expect(await post(ann, '/favorite/remove', { s: STONE })).toEqual(ok)
  expect(await post(ann, '/favorite/remove', { s: STONE })).toEqual(ok)
  expect(await post(ann, '/favorite/remove', { s: 'ZZZZZZZZZZZ' })).toEqual(ok)
  for (const s of ['ZZZZZZZZZZZ', 'nonsense']) expect(await post(ann, '/favorite/add', { s })).toEqual(missing('There is no such song.'))
  expect((await get(ann, '/favorite/getall')).data).toHaveLength(1)
  expect((await get(await tokenOf('bob'), '/favorite/getall')).data).toEqual([])
})

it('takes forms, with the token in them', async () => {
  const token = await tokenOf('ann')
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } } as const
  const payload = new URLSearchParams({ firebase_auth_token: token, s: FIRST }).toString()
  expect((await site.app.inject({ ...form, url: '/api/favorite/add', payload })).json()).toEqual(ok)
  expect((await get(undefined, `/favorite/getall?firebase_auth_token=${token}`)).data).toHaveLength(1)
})

it('asks who it is of those who say nothing, or nothing that counts', async () => {
  for (const token of [undefined, 'nonsense']) {
    for (const path of ['getlatest', 'getall', 'random', `get?s=${FIRST}`])
      expect(await get(token, `/favorite/${path}`)).toMatchObject({ code: 401 })
    for (const path of ['add', 'remove', 'sync']) expect(await post(token, `/favorite/${path}`, { s: FIRST })).toMatchObject({ code: 401 })
    expect(await get(token, `/song/get?s=${FIRST}&p=favorite`)).toMatchObject({ code: 401 })
    expect(await get(token, '/song/random?p=favorite')).toMatchObject({ code: 401 })
    expect((await get(token, `/song/get?s=${FIRST}`)).data.favorite).toBe(false)
  }
})

it('are what is played with p=favorite, and never out of a cache', async () => {
  const [ann, bob] = [await tokenOf('ann'), await tokenOf('bob')]
  const song = (token: string | undefined, s: string = FIRST, p = 'favorite') => get(token, `/song/get?s=${s}&p=${p}`)
  expect((await song(undefined, FIRST, 'rock')).data.favorite).toBe(false)
  for (const s of [STONE, THIRD, FIRST]) {
    await post(ann, '/favorite/add', { s })
    now += 1000
  }
  expect((await song(ann)).data).toMatchObject({ favorite: true, context_id: 'favorite', context_title: 'Favorites', next: THIRD })
  expect((await song(ann, STONE)).data).toMatchObject({ previous: THIRD, next: FIRST, first_song: FIRST })
  expect((await song(bob)).data).toMatchObject({ favorite: false, context_id: 'nightcore' })
  expect((await song(ann, FIRST, 'rock')).data).toMatchObject({ favorite: true, context_id: 'nightcore' })
  await post(ann, '/favorite/remove', { s: FIRST })
  expect((await song(ann)).data).toMatchObject({ favorite: false, context_id: 'nightcore' })
  const byQuery = await site.app.inject(`/api/song/get?s=${THIRD}&p=favorite&firebase_auth_token=${ann}`)
  expect([byQuery.json().data.context_id, byQuery.headers['cache-control'], byQuery.headers.etag]).toEqual([
    'favorite',
    'no-store',
    undefined,
  ])
  expect((await get(ann, `/song/random?p=favorite&not=${STONE}`)).data.youtube_id).toBe(THIRD)
  expect(await get(bob, '/song/random?p=favorite')).toEqual(missing('There is no song to choose from.'))
})

it('syncs: what is told comes back with the song, once', async () => {
  const ann = await tokenOf('ann')
  const one = change(FIRST)
  const { data: told } = await post(ann, '/favorite/sync', { changes: [one, change('ZZZZZZZZZZZ')] })
  expect(told).toMatchObject({ whole: true, more: false, refused: [{ message: 'There is no such song.' }] })
  expect(told.favorites).toEqual([{ s: FIRST, favorite: true, at: one.at, song: (await get(ann, '/favorite/getall')).data[0] }])
  const { data: again } = await post(ann, '/favorite/sync', { since: told.cursor, changes: [one] })
  expect(again).toEqual({ cursor: told.cursor, whole: false, more: false, favorites: [], refused: [] })
  expect((await post(ann, '/favorite/sync')).data).toMatchObject({ cursor: told.cursor, whole: true, favorites: told.favorites })
})

it('takes 500 changes in a call, with the longest URLs, and says which field is wrong', async () => {
  const ann = await tokenOf('ann')
  const url = `https://www.youtube.com/watch?v=${FIRST}&list=`.padEnd(500, 'x')
  const { code, data } = await post(ann, '/favorite/sync', { changes: Array.from({ length: 500 }, () => change(url)) })
  expect([code, data.refused, data.favorites.length]).toEqual([200, [], 1])
  for (const [body, message] of [
    [{ changes: Array.from({ length: 501 }, () => change(FIRST)) }, 'changes must have at most 500 entries'],
    [{ changes: {} }, 'changes must be a list'],
    [{ changes: [change(FIRST), 7] }, 'changes[1] must be an object'],
    [{ changes: [change(FIRST), change(undefined)] }, 'changes[1].s is required'],
    [{ changes: [change('')] }, 'changes[0].s must not be empty'],
    [{ changes: [change(FIRST, { id: '1' })] }, 'changes[0].id has the wrong format'],
    [{ changes: [change(FIRST, { device: '' })] }, 'changes[0].device has the wrong format'],
    [{ changes: [change(FIRST, { at: 'yesterday' })] }, 'changes[0].at has the wrong format'],
    [{ changes: [change(FIRST, { favorite: 'true' })] }, 'changes[0].favorite must be a boolean'],
    [{ since: 'x'.repeat(201) }, 'since must have at most 200 characters'],
  ] as const)
    expect(await post(ann, '/favorite/sync', body), message).toEqual({ code: 400, message, data: null })
  expect(await post(ann, '/favorite/add')).toEqual({ code: 400, message: 's is required', data: null })
})

it('are among one’s own data, and gone with the account', async () => {
  const ann = await tokenOf('ann')
  await post(ann, '/favorite/sync', {
    changes: [change(FIRST, { at: '2026-02-01T00:00:00Z' }), change(STONE), change(SECOND, { favorite: false })],
  })
  const { uid, favorites } = (await get(ann, '/account/export')).data
  expect(favorites).toEqual([
    { s: STONE, at: '2026-03-01T12:00:00.000Z' },
    { s: FIRST, at: '2026-02-01T00:00:00.000Z' },
  ])
  expect(await post(ann, '/account/delete')).toEqual(ok)
  expect(await site.storage.favorites.export(uid)).toEqual([])
})
