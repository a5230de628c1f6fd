import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
beforeEach(async () => {
  site = await createTestApp({ RATE_LIMIT_WRITES: '3' })
})
afterEach(() => site.close())

const postJson = async (urlPath: string, requestBody: Record<string, unknown>, token?: string) =>
  (
    await site.app.inject({
      ...{ method: 'POST', url: `/api${urlPath}`, payload: requestBody },
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  ).json()
const createFollowChange = (artist: string) => ({
  ...{ id: randomUUID(), artist, follow: true, at: '2026-03-01T12:00:00.000Z', device: '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c' },
})
const readKnownArtist = async () => (await postJson('/list/match', { ids: ['AAAAAAAAAA1'] })).data.songs[0].author_name as string

it('followed artists: an account syncs and exports them; calls without changes do not count as writes', async () => {
  const idToken = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json().idToken as string
  const artist = await readKnownArtist()
  const answer = await postJson('/follow/sync', { changes: [createFollowChange(artist)] }, idToken)
  expect(answer).toMatchObject({ code: 200, data: { artists: [{ artist }], refused: [] } })
  for (let call = 0; call < 5; call += 1) expect((await postJson('/follow/sync', { since: answer.data.cursor }, idToken)).code).toBe(200)
  const exported = await site.app.inject({ url: '/api/account/export', headers: { authorization: `Bearer ${idToken}` } })
  expect(exported.json().data.followed_artists).toEqual([{ artist, at: '2026-03-01T12:00:00.000Z' }])
  expect(await postJson('/follow/sync', {})).toEqual({ code: 401, message: 'Please log in.', data: null })
})

it('followed artists: everyone gets the songs of named artists, and reading does not count as writing', async () => {
  const artist = await readKnownArtist()
  for (let call = 0; call < 5; call += 1) {
    const { code, data } = await postJson('/follow/songs', { artists: [artist.toUpperCase(), artist, '…', 'nobody'] })
    expect([code, new Set(data.map(({ author_name }: { author_name: string }) => author_name))]).toEqual([200, new Set([artist])])
  }
  expect(await postJson('/follow/songs', { artists: [] })).toMatchObject({ code: 200, data: [] })
  for (const artists of [['x'.repeat(301)], [''], Array.from({ length: 501 }, () => 'a'), 'a', ['\0']])
    expect(await postJson('/follow/songs', { artists }), JSON.stringify(artists).slice(0, 30)).toMatchObject({ code: 400 })
})
