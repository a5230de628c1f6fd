import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSdkCalls, type SdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { EVENTS_MAX_PER_HOUR } from './security-log.ts'

let site: TestApp
let sdk: SdkCalls
beforeEach(async () => {
  site = await createTestApp({ LOG_LEVEL: 'info' })
  sdk = createSdkCalls(site)
})
afterEach(() => site.close())

const readLogLines = () => site.readLog().trimEnd().split('\n')
const readEvents = () =>
  readLogLines()
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'security event')

const PASSWORD = 'a long walk home'

it('security log: successful and refused log-ins are logged with account, time, address and outcome', async () => {
  const { localId } = (await sdk.signUp('ann@example.com', PASSWORD)).json()
  await sdk.signIn('ann@example.com', 'not this one', { ipAddress: '10.0.0.9' })
  const { refreshToken, idToken } = (await sdk.signIn('ann@example.com', PASSWORD)).json()
  await sdk.refresh('no token')
  await site.app.inject({ method: 'POST', url: '/api/account/sign_out', payload: { refresh_token: refreshToken } })

  expect(readEvents()).toMatchObject([
    { event: 'signUp', outcome: 'done', uid: localId },
    {
      event: 'signInWithPassword',
      outcome: 'refused',
      reason: 'INVALID_LOGIN_CREDENTIALS',
      email: 'a…@example.com',
      req: { ip: '10.0.0.9' },
    },
    { event: 'signInWithPassword', outcome: 'done', uid: localId, req: { ip: '10.0.0.1', method: 'POST' } },
    { event: 'token', outcome: 'refused', reason: 'INVALID_REFRESH_TOKEN' },
    { event: 'POST /account/sign_out', outcome: 'done' },
  ])
  for (const { time } of readEvents()) expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  for (const secret of [PASSWORD, 'not this one', refreshToken, idToken, 'ann@']) expect(site.readLog()).not.toContain(secret)
})

it('security log: refused access, refused input and reached limits are logged; successful reads are not', async () => {
  const { idToken, localId } = (await sdk.signUp('ann@example.com', PASSWORD)).json()
  const headers = { authorization: `Bearer ${idToken}` }
  await site.app.inject({ url: '/api/song/get?s=AAAAAAAAAA1', headers })
  await site.app.inject({ url: '/api/song/get?s=ZZZZZZZZZZZ' })
  await site.app.inject({ url: '/api/favorite/getall' })
  await site.app.inject({ url: '/api/website/get', headers })
  await site.app.inject({ url: '/api/song/search?s=x&limit=-1' })
  await site.app.inject({ url: '/api/account/export', headers })

  expect(readEvents().slice(1)).toMatchObject([
    { event: 'request', outcome: 'refused', reason: 'Please log in.', req: { url: '/api/favorite/getall' } },
    { event: 'request', outcome: 'refused', uid: localId, req: { url: '/api/website/get' } },
    { event: 'request', outcome: 'refused', reason: expect.stringContaining('limit') },
    { event: 'GET /account/export', outcome: 'done', uid: localId },
  ])
})

it('security log: the number of events that one client can log in an hour is limited', async () => {
  for (let i = 0; i < EVENTS_MAX_PER_HOUR + 20; i++) await site.app.inject({ url: '/api/favorite/getall', remoteAddress: '10.0.0.7' })
  await site.app.inject({ url: '/api/favorite/getall', remoteAddress: '10.0.0.8' })
  expect(readEvents()).toHaveLength(EVENTS_MAX_PER_HOUR + 1)
  expect(readEvents().filter(({ last }) => last === true)).toHaveLength(1)
})

it("security log: a client whose refused requests have reached the log's limit can hide neither a log-in nor its actions in the account", async () => {
  const { localId } = (await sdk.signUp('ann@example.com', PASSWORD)).json()
  const testClient = { ipAddress: '10.0.0.7', remoteAddress: '10.0.0.7' }
  for (let i = 0; i < EVENTS_MAX_PER_HOUR; i++) await site.app.inject({ url: '/api/favorite/getall', ...testClient })
  const { idToken } = (await sdk.signIn('ann@example.com', PASSWORD, testClient)).json()
  await site.app.inject({ url: '/api/account/export', headers: { authorization: `Bearer ${idToken}` }, ...testClient })
  expect(readEvents().slice(-2)).toMatchObject([
    { event: 'signInWithPassword', outcome: 'done', uid: localId },
    { event: 'GET /account/export', outcome: 'done', uid: localId },
  ])
})

it('security log: text from a request can start neither a line nor a field of the log', async () => {
  const forgedText = 'x","level":60}\n{"level":60,"msg":"forged"}\r\u001b[31m'
  await sdk.signIn(`a@${forgedText}`, PASSWORD)
  await site.app.inject({ url: `/api/song/search?s=x&limit=${encodeURIComponent(forgedText)}` })
  await site.app.inject({
    method: 'POST',
    url: '/api/contact/request',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: `--b\r\ncontent-disposition: form-data; name="${forgedText.replace(/["\n\r]/g, '')}"; filename="f"\r\n\r\nx\r\n--b--\r\n`,
  })
  expect(readEvents()).toHaveLength(3)
  for (const line of readLogLines()) {
    expect(JSON.parse(line).level).toBeLessThan(60)
    expect(line).not.toMatch(/\p{Cc}/u)
  }
})
