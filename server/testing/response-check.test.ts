import { expect, it } from 'vitest'
import { createTestApp } from '../test-app.ts'
import { findResponseProblem } from './response-check.ts'

const song = { youtube_id: 'a', youtube_url: 'b', title: 'c', category_id: 'd' }
const findProblem = (
  statusCode: number,
  responseEnvelope: unknown,
  requestOverrides: { method?: string; url?: string; contentType?: string } = {},
) =>
  findResponseProblem({
    method: 'GET',
    url: '/api/song/random?p=rock',
    contentType: 'application/json; charset=utf-8',
    ...requestOverrides,
    status: statusCode,
    body: typeof responseEnvelope === 'string' ? responseEnvelope : JSON.stringify(responseEnvelope),
  })

it('response check: a response that matches the schema of its endpoint is accepted', () => {
  expect(findProblem(200, { code: 200, message: 'OK', data: song })).toBeUndefined()
  expect(findProblem(200, { code: 200, message: 'OK', data: song }, { method: 'HEAD' })).toBeUndefined()
  expect(findProblem(404, { code: 404, message: 'There is no such song.', data: null })).toBeUndefined()
  expect(findProblem(304, '')).toBeUndefined()
  expect(findProblem(200, '<html>', { url: '/api/docs' })).toBeUndefined()
  expect(findProblem(200, '<html>', { url: '/apiary' })).toBeUndefined()
})

it.each([
  ['an additional field of the data', 200, { code: 200, message: 'OK', data: { ...song, extra: 1 } }, {}],
  ['an additional field of the envelope', 200, { code: 200, message: 'OK', data: song, extra: 1 }, {}],
  ['a field of the wrong type', 200, { code: 200, message: 'OK', data: { ...song, title: 1 } }, {}],
  ['a missing field', 200, { code: 200, message: 'OK', data: { youtube_id: 'a' } }, {}],
  ['data of an error', 404, { code: 404, message: 'There is no such song.', data: song }, {}],
  ['an error that is not an envelope', 400, { error: 'no' }, {}],
  ['a code that differs from the status', 404, { code: 400, message: 'no', data: null }, {}],
  ['a body without JSON', 500, 'Internal Server Error', {}],
  ['another content type', 200, { code: 200, message: 'OK', data: song }, { contentType: 'text/html' }],
  ['a body of a 304', 304, 'x', {}],
  ['a path outside the endpoint table', 200, { code: 200, message: 'OK', data: song }, { url: '/api/song/unknown' }],
  ['an additional field of an item', 200, { code: 200, message: 'OK', data: [{ ...song, extra: 1 }] }, { url: '/api/song/search?s=a' }],
])('response check: %s is refused', (_name, status, envelope, change) => {
  expect(findProblem(status, envelope, change)).toContain(` answered ${status}`)
})

it('response check: a response with an additional field becomes a 500, and fails the test when the test app closes', async () => {
  const site = await createTestApp(
    {},
    {
      wrapStorage: (storage) => ({
        ...storage,
        songs: {
          ...storage.songs,
          pickRandom: async (...args) => Object.assign({}, await storage.songs.pickRandom(...args), { extra: 1 }),
        },
      }),
    },
  )
  expect((await site.app.inject('/api/song/get?s=AAAAAAAAAA1')).statusCode).toBe(200)
  expect((await site.app.inject('/api/song/random')).statusCode).toBe(500)
  await expect(site.close()).rejects.toThrow('GET /song/random answered 200')
})
