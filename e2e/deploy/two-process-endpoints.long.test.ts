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
import { ENDPOINTS_NEEDING_MAIL_OR_YOUTUBE, LOGIN_ENDING_ENDPOINTS, PARSER_REFUSAL } from '../../server/testing/fuzz/endpoint-fuzz.ts'
import { createInputBranches } from '../../server/testing/fuzz/input-branches.ts'
import { findLeak } from '../../server/testing/fuzz/leaks.ts'
import { encodeRequest, type FormFile } from '../../server/testing/fuzz/requests.ts'
import { createUploadFiles, searchValues, usefulValues } from '../../server/testing/fuzz/useful-values.ts'
import { computeSeed, OWN_PLAYLIST_ID } from '../../server/testing/fuzz/world.ts'
import { findResponseProblem } from '../../server/testing/response-check.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { requestOverHttps } from './proxy-requests.ts'
import { createCredentials, createIdentityPath, HOST, startTwoProcessSite, type TwoProcessSite } from './two-process-site.ts'

// Calls every endpoint of the contract with valid and invalid inputs, through nginx, which sends requests alternately to two built servers on one
// PostgreSQL: each call reads rows that an earlier call has stored through the other process. Needs Debian's packages `postgresql`, `nginx` and
// `ffmpeg`.

const DATABASE_NAME = 'endpoints'
const SEED = 20_261_127
/** Several useful values are tried, because most of them look meaningful but name nothing that exists. */
const USEFUL_REPEAT_COUNT = 8
/**
 * Of the branches of the inputs, every twelfth is tried, and all structural branches. `fuzz/endpoints` tries all branches on the same parser of
 * inputs.
 */
const BRANCH_STRIDE = 12
const STRUCTURAL_BRANCHES = new Set(['useful', 'missing', 'given twice'])
const SUBSCRIBER_NAME = 'subscriber'
/** The size above which the server refuses a body that is no file. */
const BODY_MAX_BYTES = 262_144
/** The length above which nginx refuses an address. */
const URL_MAX_LENGTH = 8000
const PROXY_REFUSAL_STATUSES = [414, 502]
/**
 * Endpoints that answer 404 here, because this site has no member's website, no shared playlist, no favorites, no checkout and no Discord. `fuzz/endpoints`
 * calls them on a site that has these.
 */
const ENDPOINTS_NEEDING_CONTENT = new Set([
  'GET /host',
  'POST /account/end_login',
  'POST /account/checkout',
  'POST /account/discord_link',
  'GET /favorite/getlatest',
  'GET /favorite/random',
  'GET /list/get',
  'POST /list/report',
])

let workFolder = ''
let cluster: PostgresCluster
let site: TwoProcessSite
let agent: Agent
beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'varispeed-endpoints-'))
  cluster = await startPostgresCluster(workFolder)
  cluster.createDatabase(DATABASE_NAME)
  const rateLimits = Object.fromEntries(
    ['WRITES', 'SIGNUP', 'CONTACT', 'CONVERSIONS', 'LOGIN', 'LOGIN_ADDRESS'].map((name) => [`RATE_LIMIT_${name}`, '1000000']),
  )
  site = await startTwoProcessSite(workFolder, {
    DATABASE_URL: cluster.getUrl(DATABASE_NAME),
    VAPID_PRIVATE_KEY: createVapidPrivateKey(),
    ...rateLimits,
  })
  agent = new Agent({ keepAlive: true, ca: site.proxy.authority })
}, 120_000)
afterAll(async () => {
  agent?.destroy()
  await site?.stop()
  await cluster?.stop()
  await rm(workFolder, { recursive: true, force: true })
})

/** Logs the account in, which is created if an earlier call has deleted it, with the role and the playlist that calls need. */
async function logIn(): Promise<string> {
  const callIdentity = (action: string) =>
    site.call<{ idToken: string; localId: string }>(createIdentityPath(action), createCredentials(SUBSCRIBER_NAME))
  let signInAnswer = await callIdentity('signInWithPassword')
  if (signInAnswer.status === 200) return signInAnswer.body.idToken
  signInAnswer = await callIdentity('signUp')
  expect(signInAnswer.status, JSON.stringify(signInAnswer.body)).toBe(200)
  const { idToken, localId } = signInAnswer.body
  const grantStatement = `insert into roles (email, role, source, uid) select email, 'subscriber', 'admin', uid from accounts where uid = '${localId}'`
  cluster.query(DATABASE_NAME, grantStatement)
  const change = { id: OWN_PLAYLIST_ID, l: OWN_PLAYLIST_ID, at: new Date().toISOString(), device: OWN_PLAYLIST_ID, title: 'Mine' }
  expect((await site.call('/api/list/sync', { changes: [change] }, idToken)).status).toBe(200)
  return idToken
}

test('every endpoint answers valid and invalid calls, sent alternately to two processes, as the contract specifies', async () => {
  const problemTexts: string[] = []
  const statusesByEndpoint = new Map<string, number[]>()
  const songIds = cluster.query(DATABASE_NAME, 'select youtube_id from catalogue.songs limit 20').split('\n')
  const { body: listBody } = await site.call<{ data: Playlist[] }>('/api/playlist/all')
  const playlistIds = listBody.data.slice(0, 5).map(({ id }) => id)
  let idToken = await logIn()
  let callCount = 0

  async function callEndpoint(
    endpointKey: string,
    endpointInput: Record<string, unknown>,
    isJsonOnly: boolean | undefined,
    files: FormFile[] | undefined,
  ) {
    const [httpMethod = 'GET', urlPath = ''] = endpointKey.split(' ') as ['GET' | 'POST', string]
    const bodyEncoding = httpMethod === 'GET' ? 'query' : files !== undefined ? 'multipart' : 'json'
    if (isJsonOnly === true && bodyEncoding !== 'json') return undefined
    const requestCircumstances = {
      method: httpMethod,
      caller: 'subscriber',
      tokenPlace: 'header',
      host: HOST,
      headers: {},
      address: '',
    } as const
    const request = encodeRequest(`${API_PREFIX}${urlPath}`, endpointInput, bodyEncoding, requestCircumstances, idToken, files?.slice(0, 1))
    const { host: _host, ...headers } = request.headers as Record<string, string>
    const body = request.payload === undefined ? {} : { body: request.payload as string | Buffer }
    const url = String(request.url)
    const {
      status,
      headers: answerHeaders,
      ...answer
    } = await requestOverHttps(site.proxy, HOST, url, { agent, method: httpMethod, headers, ...body })
    callCount++
    if (LOGIN_ENDING_ENDPOINTS.has(endpointKey)) idToken = await logIn()
    const contentType = answerHeaders['content-type'] ?? ''
    // nginx refuses long addresses itself. The server refuses a large body before it has arrived, which nginx reports as 502.
    const isRequestTooLarge = url.length > URL_MAX_LENGTH || Buffer.byteLength(String(request.payload ?? '')) > BODY_MAX_BYTES
    if (isRequestTooLarge && PROXY_REFUSAL_STATUSES.includes(status)) return { status, body: '', isLarge: isRequestTooLarge }
    const problemText =
      findResponseProblem({ method: httpMethod, url, status, contentType, body: answer.body }) ??
      findLeak(answer.body, new Map()) ??
      (status >= 500 && answerHeaders['retry-after'] === undefined ? `${status}: ${answer.body.slice(0, 300)}` : undefined)
    if (problemText !== undefined) problemTexts.push(`${endpointKey} ${JSON.stringify(endpointInput).slice(0, 300)}: ${problemText}`)
    return { status, body: answer.body, isLarge: isRequestTooLarge }
  }

  for (const [endpointKey, { query, body }] of Object.entries<Endpoint>(endpoints)) {
    const uploadFiles = await createUploadFiles(endpointKey)
    const knownValues = {
      ...(endpointKey.includes('search') ? searchValues : usefulValues),
      ...(!endpointKey.includes('search') && { s: fc.constantFrom(...songIds) }),
      p: fc.constantFrom(...playlistIds),
    }
    const acceptedStatuses: number[] = []
    for (const [index, { field, name, isValid, isJsonOnly, inputs }] of createInputBranches(query ?? body, knownValues).entries()) {
      if (index % BRANCH_STRIDE !== 0 && !STRUCTURAL_BRANCHES.has(name)) continue
      for (let repetition = 0; repetition < (name === 'useful' ? USEFUL_REPEAT_COUNT : 1); repetition++) {
        const [sampledInput = {}] = fc.sample(inputs, { numRuns: 1, seed: computeSeed(SEED, endpointKey, index, repetition) })
        const endpointAnswer = await callEndpoint(endpointKey, sampledInput, isJsonOnly, uploadFiles)
        if (endpointAnswer === undefined || endpointAnswer.status === 429) continue
        const isParserRefusal =
          endpointAnswer.status === 400 && endpointAnswer.body.includes(`"message":"${field}`) && PARSER_REFUSAL.test(endpointAnswer.body)
        if (isValid === false && ![400, 413, ...(endpointAnswer.isLarge ? PROXY_REFUSAL_STATUSES : [])].includes(endpointAnswer.status))
          problemTexts.push(`${endpointKey} ${field}: ${name}: ${endpointAnswer.status}`)
        if (isValid === true && isParserRefusal) problemTexts.push(`${endpointKey} ${field}: ${name}: ${endpointAnswer.body.slice(0, 300)}`)
        if (isValid !== false) acceptedStatuses.push(endpointAnswer.status)
      }
    }
    if (acceptedStatuses.length === 0) acceptedStatuses.push((await callEndpoint(endpointKey, {}, false, uploadFiles))?.status ?? 0)
    statusesByEndpoint.set(endpointKey, acceptedStatuses)
  }
  process.stdout.write(`${callCount} calls of ${statusesByEndpoint.size} endpoints through two processes\n`)
  expect(problemTexts.slice(0, 20)).toEqual([])
  const neverAcceptedEndpoints = [...statusesByEndpoint].filter(
    ([key, codes]) =>
      !ENDPOINTS_NEEDING_MAIL_OR_YOUTUBE.has(key) && !ENDPOINTS_NEEDING_CONTENT.has(key) && !codes.some((status) => status < 300),
  )
  expect(neverAcceptedEndpoints.map(([key]) => key)).toEqual([])
})
