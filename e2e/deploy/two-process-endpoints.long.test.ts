import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Endpoint, endpoints } from '../../contract/endpoints.ts'
import type { Playlist } from '../../contract/playlist.ts'
import { API_PREFIX } from '../../server/http/endpoint.ts'
import { createVapidPrivateKey } from '../../server/push/web-push.ts'
import { LOGIN_ENDS, NEEDS_OTHERS, PARSER_REFUSAL } from '../../server/testing/fuzz/endpoint-fuzz.ts'
import { inputBranches } from '../../server/testing/fuzz/input-branches.ts'
import { findLeak } from '../../server/testing/fuzz/leaks.ts'
import { encodeRequest, type FormFile } from '../../server/testing/fuzz/requests.ts'
import { searchValues, uploadFilesOf, usefulValues } from '../../server/testing/fuzz/useful-values.ts'
import { OWN_PLAYLIST_ID, seedOf } from '../../server/testing/fuzz/world.ts'
import { findResponseProblem } from '../../server/testing/response-check.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { requestOverHttps } from './proxy-requests.ts'
import { credentials, HOST, identityPath, startTwoProcessSite, type TwoProcessSite } from './two-process-site.ts'

// Calls every endpoint of the contract with valid and invalid inputs, through nginx, which sends requests alternately to two built servers on one
// PostgreSQL: each call reads rows that an earlier call has stored through the other process. Needs Debian's packages `postgresql`, `nginx` and
// `ffmpeg`.

const DATABASE_NAME = 'endpoints'
const SEED = 20_261_127
/** Several useful values are tried, because most of them look meaningful but name nothing that exists. */
const USEFUL_REPEAT_COUNT = 8
/** Every twelfth branch is tried, and all structural ones: the inputs of both processes are read by one parser, which `fuzz/endpoints` tries with all. */
const BRANCH_STRIDE = 12
const STRUCTURAL_BRANCHES = new Set(['useful', 'missing', 'given twice'])
const SUBSCRIBER = 'subscriber'
/** The size above which the server refuses a body that is no file. */
const BODY_MAX_BYTES = 262_144
/** The length above which nginx refuses an address. */
const URL_MAX_LENGTH = 8000
const PROXY_REFUSALS = [414, 502]
/**
 * Endpoints that answer 404 here, because this site has no member's website, no shared playlist, no favorites, no checkout and no Discord. `fuzz/endpoints`
 * calls them on a site that has these.
 */
const NEEDS_CONTENT = new Set([
  'GET /host',
  'POST /account/end_login',
  'POST /account/checkout',
  'POST /account/discord_link',
  'GET /favorite/getlatest',
  'GET /favorite/random',
  'GET /list/get',
  'POST /list/report',
])

let folder = ''
let cluster: PostgresCluster
let site: TwoProcessSite
let agent: Agent
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'varispeed-endpoints-'))
  cluster = await startPostgresCluster(folder)
  cluster.createDatabase(DATABASE_NAME)
  const limits = Object.fromEntries(
    ['WRITES', 'SIGNUP', 'CONTACT', 'CONVERSIONS', 'LOGIN', 'LOGIN_ADDRESS'].map((name) => [`RATE_LIMIT_${name}`, '1000000']),
  )
  site = await startTwoProcessSite(folder, {
    DATABASE_URL: cluster.urlOf(DATABASE_NAME),
    VAPID_PRIVATE_KEY: createVapidPrivateKey(),
    ...limits,
  })
  agent = new Agent({ keepAlive: true, ca: site.proxy.authority })
}, 120_000)
afterAll(async () => {
  agent?.destroy()
  await site?.stop()
  await cluster?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Logs the account in, which is created if an earlier call has deleted it, with the role and the playlist that calls need. */
async function logIn(): Promise<string> {
  const enter = (action: string) => site.call<{ idToken: string; localId: string }>(identityPath(action), credentials(SUBSCRIBER))
  let answer = await enter('signInWithPassword')
  if (answer.status === 200) return answer.body.idToken
  answer = await enter('signUp')
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const { idToken, localId } = answer.body
  const grant = `insert into roles (email, role, source, uid) select email, 'subscriber', 'admin', uid from accounts where uid = '${localId}'`
  cluster.query(DATABASE_NAME, grant)
  const change = { id: OWN_PLAYLIST_ID, l: OWN_PLAYLIST_ID, at: new Date().toISOString(), device: OWN_PLAYLIST_ID, title: 'Mine' }
  expect((await site.call('/api/list/sync', { changes: [change] }, idToken)).status).toBe(200)
  return idToken
}

test('every endpoint answers valid and invalid calls, sent alternately to two processes, as the contract specifies', async () => {
  const problems: string[] = []
  const statuses = new Map<string, number[]>()
  const songs = cluster.query(DATABASE_NAME, 'select youtube_id from catalogue.songs limit 20').split('\n')
  const { body: listBody } = await site.call<{ data: Playlist[] }>('/api/playlist/all')
  const playlists = listBody.data.slice(0, 5).map(({ id }) => id)
  let token = await logIn()
  let calls = 0

  async function call(key: string, input: Record<string, unknown>, isJsonOnly: boolean | undefined, files: FormFile[] | undefined) {
    const [method = 'GET', urlPath = ''] = key.split(' ') as ['GET' | 'POST', string]
    const encoding = method === 'GET' ? 'query' : files !== undefined ? 'multipart' : 'json'
    if (isJsonOnly === true && encoding !== 'json') return undefined
    const circumstances = { method, caller: 'subscriber', tokenPlace: 'header', host: HOST, headers: {}, address: '' } as const
    const request = encodeRequest(`${API_PREFIX}${urlPath}`, input, encoding, circumstances, token, files?.slice(0, 1))
    const { host: _host, ...headers } = request.headers as Record<string, string>
    const body = request.payload === undefined ? {} : { body: request.payload as string | Buffer }
    const url = String(request.url)
    const { status, headers: answerHeaders, ...answer } = await requestOverHttps(site.proxy, HOST, url, { agent, method, headers, ...body })
    calls++
    if (LOGIN_ENDS.has(key)) token = await logIn()
    const contentType = answerHeaders['content-type'] ?? ''
    // nginx refuses long addresses itself. The server refuses a large body before it has arrived, which nginx reports as 502.
    const isLarge = url.length > URL_MAX_LENGTH || Buffer.byteLength(String(request.payload ?? '')) > BODY_MAX_BYTES
    if (isLarge && PROXY_REFUSALS.includes(status)) return { status, body: '', isLarge }
    const problem =
      findResponseProblem({ method, url, status, contentType, body: answer.body }) ??
      findLeak(answer.body, new Map()) ??
      (status >= 500 && answerHeaders['retry-after'] === undefined ? `${status}: ${answer.body.slice(0, 300)}` : undefined)
    if (problem !== undefined) problems.push(`${key} ${JSON.stringify(input).slice(0, 300)}: ${problem}`)
    return { status, body: answer.body, isLarge }
  }

  for (const [key, { query, body }] of Object.entries<Endpoint>(endpoints)) {
    const files = await uploadFilesOf(key)
    const knownValues = {
      ...(key.includes('search') ? searchValues : usefulValues),
      ...(!key.includes('search') && { s: fc.constantFrom(...songs) }),
      p: fc.constantFrom(...playlists),
    }
    const accepted: number[] = []
    for (const [index, { field, name, isValid, isJsonOnly, inputs }] of inputBranches(query ?? body, knownValues).entries()) {
      if (index % BRANCH_STRIDE !== 0 && !STRUCTURAL_BRANCHES.has(name)) continue
      for (let repeat = 0; repeat < (name === 'useful' ? USEFUL_REPEAT_COUNT : 1); repeat++) {
        const [input = {}] = fc.sample(inputs, { numRuns: 1, seed: seedOf(SEED, key, index, repeat) })
        const answer = await call(key, input, isJsonOnly, files)
        if (answer === undefined || answer.status === 429) continue
        const isRefused = answer.status === 400 && answer.body.includes(`"message":"${field}`) && PARSER_REFUSAL.test(answer.body)
        if (isValid === false && ![400, 413, ...(answer.isLarge ? PROXY_REFUSALS : [])].includes(answer.status))
          problems.push(`${key} ${field}: ${name}: ${answer.status}`)
        if (isValid === true && isRefused) problems.push(`${key} ${field}: ${name}: ${answer.body.slice(0, 300)}`)
        if (isValid !== false) accepted.push(answer.status)
      }
    }
    if (accepted.length === 0) accepted.push((await call(key, {}, false, files))?.status ?? 0)
    statuses.set(key, accepted)
  }
  process.stdout.write(`${calls} calls of ${statuses.size} endpoints through two processes\n`)
  expect(problems.slice(0, 20)).toEqual([])
  const neverAccepted = [...statuses].filter(
    ([key, codes]) => !NEEDS_OTHERS.has(key) && !NEEDS_CONTENT.has(key) && !codes.some((status) => status < 300),
  )
  expect(neverAccepted.map(([key]) => key)).toEqual([])
})
