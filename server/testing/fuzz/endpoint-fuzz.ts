import { readdirSync } from 'node:fs'
import { maxHeaderSize } from 'node:http'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Endpoint, type EndpointAccess, endpoints } from '../../../contract/endpoints.ts'
import { HOUR_MS } from '../../durations.ts'
import { API_PREFIX } from '../../http/endpoint.ts'
import { countRows, readTables } from '../../storage/testing/read-tables.ts'
import { createInputBranches, type InputBranch, type UsefulValues } from './input-branches.ts'
import {
  type BodyEncoding,
  bodyEncodings,
  type CallerKind,
  createCircumstancesArbitrary,
  encodeRequest,
  type FormFile,
  hostHeaders,
  type RequestCircumstances,
} from './requests.ts'
import { findOversizedTables, findRemainingRows } from './row-bounds.ts'
import type { FuzzRun } from './run.ts'
import { createUploadFiles, identityInputs, identityValues, searchValues, usefulValues } from './useful-values.ts'
import { CPU_MAX_MS, computeSeed, type FuzzSite, measureFolderBytes, openFuzzSite } from './world.ts'

const THREE_YEARS_MS = 3 * 365 * 24 * HOUR_MS
/**
 * The memory and disk space that a run may leave in use, however long it is: the server's caches are bounded, and so is the data that
 * visitors can make it store.
 */
const HEAP_GROWTH_MAX_BYTES = 200 * 1024 * 1024
const DATA_MAX_BYTES = 600 * 1024 * 1024
/**
 * How often a long run calls each writing endpoint with valid input. It is more often than the number of rows that an account may have in
 * any table.
 */
const FLOOD_CALL_COUNT = 1500
/** The number of calls with different inputs. After them, accepted inputs are repeated. */
const FLOOD_INPUT_COUNT = 100
/** The number of calls, in place of `FLOOD_CALL_COUNT`, of endpoints that take lists of 500 changes. */
const FLOOD_LONG_LIST_CALL_COUNT = 15
/** The catalogue of `createTestApp`. */
const CATALOGUE_SIZE = { songs: 4, playlists: 2 }
/** The calls that may store the id of a change. */
const CHANGE_URLS = /\/(?:song\/play|contact\/request)\b/

/** Returns the size of the objects in use in bytes, after a garbage collection. */
function readUsedHeapBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
/** The status with which Node refuses a request whose headers exceed its limit, before the server sees the request. */
const HEADERS_TOO_LARGE_STATUS = 431
/** The calls after which the caller has to log in again. */
export const LOGIN_ENDING_ENDPOINTS = new Set(['POST /account/end_logins', 'POST /account/delete'])
/** The first call needs a code from a mail; `account-life.ts` reads such codes. The second one needs YouTube. */
export const ENDPOINTS_NEEDING_MAIL_OR_YOUTUBE = new Set([
  'POST /account/confirm_email',
  'POST /list/find-videos',
  'POST /list/import-youtube',
])
/** For each kind of access, a caller that has access to the endpoint. */
const authorisedCallers: Record<EndpointAccess, CallerKind> = {
  public: 'nobody',
  optional: 'subscriber',
  user: 'user',
  subscriber: 'subscriber',
}
/** The text with which the parser of inputs refuses a value. Handlers use other texts. */
export const PARSER_REFUSAL =
  / (?:must have at most \d+ (?:characters|entries)|must not (?:be empty|hold a null character)|must be (?:given once|one of|a whole number|a number from|a string|a boolean|a list|an object)|has the wrong format)/

const malformedBodies: readonly [contentType: string, body: string | Buffer][] = [
  ...[
    '[]',
    '"x"',
    'null',
    '1',
    '{',
    '',
    `{"a":${'['.repeat(50_000)}`,
    '{"__proto__":{"s":"x"}}',
    '{"constructor":{"prototype":{"s":1}}}',
    '\ufeff{}',
  ].map((body): [string, string] => ['application/json', body]),
  ['application/json; charset=utf-16', Buffer.from('{"s":"x"}', 'utf16le')],
  ['application/x-www-form-urlencoded', `${'a&'.repeat(20_000)}s=%zz&s[]=1&s[a]=2&%ff=%ff`],
  ['multipart/form-data', 'no boundary'],
  ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="s"\r\n\r\nbroken off'],
  ['multipart/form-data; boundary=x', `--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--\r\n`],
  ['multipart/form-data; boundary=x', `${'--x\r\ncontent-disposition: form-data; name="s"\r\n\r\n1\r\n'.repeat(500)}--x--\r\n`],
  ['text/plain', 's=x'],
  ['application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['\u00ff/;;', 's=x'],
]
const malformedQueries = [
  'a&&&=',
  's[]=1',
  's[a]=1',
  's=%',
  's=%ff%fe',
  '__proto__=1&constructor=2',
  `${'a=1&'.repeat(5000)}`,
  `s=${'%25'.repeat(20_000)}`,
]

interface RequestSample {
  request: InjectOptions
  caller: CallerKind
  /** The field that the parser of inputs checks, and whether the parser must accept the field's value; undefined if both outcomes are correct. */
  expected?: { field: string; isValid: boolean } | undefined
  label: string
}

/** Returns a function that sends a request and adds the problems of the response to `problemTexts`, and the statistics of all requests. */
function createRequestChecker(getWorld: () => FuzzSite, problemTexts: string[]) {
  function describeRequest({ label, caller, request }: RequestSample): string {
    const { method, url, headers, payload, remoteAddress } = request
    const shownRequest = { method, url, headers, payload: String(payload ?? '').slice(0, 500), remoteAddress }
    return `${label}, as ${caller}: ${JSON.stringify(shownRequest)
      .replace(/eyJ[\w-]+\.[\w.-]+/g, 'TOKEN')
      .slice(0, 1200)}`
  }

  function findResponseProblem({ request, caller, expected }: RequestSample, response: LightMyRequestResponse): string | undefined {
    const { statusCode, body, headers } = response
    if (statusCode >= 500 && !(statusCode === 503 && headers['retry-after'] !== undefined)) return `${statusCode} ${body.slice(0, 300)}`
    const leakText = getWorld().leakOf(response, caller, request)
    if (leakText !== undefined) return `the answer has ${leakText}: ${body.slice(0, 300)}`
    if (expected === undefined || statusCode === 429) return undefined
    const { field, isValid } = expected
    if (!isValid) return statusCode === 400 || statusCode === 413 ? undefined : `${statusCode} for an invalid ${field}`
    const isRefused = statusCode === 400 && body.includes(`"message":"${field}`) && PARSER_REFUSAL.test(body)
    return isRefused ? `a valid ${field} was refused: ${body.slice(0, 300)}` : undefined
  }

  /** Measures an expensive request again on new sites. The smallest measurement counts, because it contains no garbage collection. */
  async function measureLeastCpuMs(request: InjectOptions, caller: CallerKind): Promise<number> {
    let leastCpuMs = Number.POSITIVE_INFINITY
    for (let attemptIndex = 0; attemptIndex < 3 && leastCpuMs > CPU_MAX_MS; attemptIndex++) {
      const fuzzSite = await openFuzzSite()
      const idToken = fuzzSite.tokenOf(caller, 0)
      const headers = { ...request.headers, ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }) }
      leastCpuMs = Math.min(leastCpuMs, (await fuzzSite.send({ ...request, headers })).cpuMs)
      await fuzzSite.close()
    }
    return leastCpuMs
  }

  let slowestRequest = { cpuMs: 0, label: '' }
  let requestCount = 0
  const acceptedCounts = { signUps: 0, deletions: 0, changes: 0 }
  function countAcceptedCall(url: string): void {
    if (url.includes('accounts:signUp')) acceptedCounts.signUps++
    if (/account\/delete|accounts:delete/.test(url)) acceptedCounts.deletions++
    if (CHANGE_URLS.test(url)) acceptedCounts.changes++
  }
  return {
    accepted: acceptedCounts,
    statistics: () => ({ requestCount, slowest: slowestRequest }),
    async judge(sample: RequestSample): Promise<number> {
      if (String(sample.request.url).length > maxHeaderSize) return HEADERS_TOO_LARGE_STATUS
      const fuzzSite = getWorld()
      fuzzSite.clock.nowMs += 100
      requestCount++
      const { response, cpuMs } = await fuzzSite.send(sample.request)
      if (response.statusCode === 200) countAcceptedCall(String(sample.request.url))
      const responseProblem = findResponseProblem(sample, response)
      if (responseProblem !== undefined) problemTexts.push(`${responseProblem}\n  ${describeRequest(sample)}`)
      const leastCpuMs = cpuMs > CPU_MAX_MS ? await measureLeastCpuMs(sample.request, sample.caller) : cpuMs
      if (leastCpuMs > slowestRequest.cpuMs) slowestRequest = { cpuMs: leastCpuMs, label: sample.label }
      if (leastCpuMs > CPU_MAX_MS) problemTexts.push(`${Math.round(leastCpuMs)} ms of the processor\n  ${describeRequest(sample)}`)
      return response.statusCode
    },
  }
}

const createPlainCircumstances = (method: 'GET' | 'POST', caller: CallerKind, address: string): RequestCircumstances => ({
  ...{ method, caller, address, tokenPlace: 'header', host: hostHeaders[0], headers: {} },
})

/**
 * Registers a test that calls every endpoint with every branch of its input: once as a caller with access, for which the schema says
 * whether the value is accepted, and then with every encoding, caller, host and header.
 */
export function describeEndpointFuzz({ seed, minutes }: FuzzRun): void {
  describe('fuzzed endpoints', () => {
    let fuzzWorld: FuzzSite
    let initialRowCountByTable: Record<string, number>
    beforeAll(async () => {
      fuzzWorld = await openFuzzSite()
      initialRowCountByTable = countRows(fuzzWorld.site.dataDir)
    })
    afterAll(() => fuzzWorld.close())
    const problemTexts: string[] = []
    const { judge, statistics, accepted } = createRequestChecker(() => fuzzWorld, problemTexts)
    const isLongRun = minutes !== undefined

    /** The statuses of the responses to calls with valid and with invalid values, by endpoint and branch. */
    const statusesByBranch = new Map<string, Set<number>>()
    const noteStatus = (key: string, status: number) => statusesByBranch.set(key, (statusesByBranch.get(key) ?? new Set()).add(status))

    async function fuzzBranch(
      endpointKey: string,
      branch: InputBranch,
      access: EndpointAccess,
      files: FormFile[] | undefined,
      seedValues: number[],
    ) {
      const [httpMethod = 'GET', urlPath] = endpointKey.split(' ') as ['GET' | 'POST', string]
      const url = `${API_PREFIX}${urlPath}`
      const branchLabel = `${endpointKey} ${branch.field}: ${branch.name}`
      const [inputSeed = 0, circumstanceSeed = 0] = seedValues
      const [sampledInput = {}] = fc.sample(branch.inputs, { numRuns: 1, seed: inputSeed })
      const authorisedCaller = authorisedCallers[access]
      const usableEncodings: BodyEncoding[] =
        httpMethod === 'GET'
          ? ['query']
          : files !== undefined
            ? ['multipart']
            : branch.isJsonOnly
              ? ['json']
              : ['json', 'urlencoded', 'multipart']
      for (const bodyEncoding of isLongRun ? usableEncodings : usableEncodings.slice(0, 1)) {
        if (branch.isJsonOnly && bodyEncoding !== 'json') continue
        const idToken = fuzzWorld.tokenOf(authorisedCaller, 0)
        const callCircumstances = createPlainCircumstances(
          httpMethod,
          authorisedCaller,
          `10.${(inputSeed >>> 16) & 127}.${(inputSeed >>> 8) & 255}.${inputSeed & 255}`,
        )
        const request = encodeRequest(url, sampledInput, bodyEncoding, callCircumstances, idToken, files?.slice(0, 1))
        const expected = branch.isValid === undefined ? undefined : { field: branch.field, isValid: branch.isValid }
        noteStatus(
          `${endpointKey} ${branch.isValid !== false}`,
          await judge({ request, caller: authorisedCaller, expected, label: branchLabel }),
        )
      }
      for (const sampledCircumstances of fc.sample(createCircumstancesArbitrary(httpMethod), {
        numRuns: isLongRun ? 3 : 1,
        seed: circumstanceSeed,
      })) {
        const bodyEncoding = bodyEncodings[(circumstanceSeed >>> 4) % bodyEncodings.length] ?? 'json'
        const idToken = fuzzWorld.tokenOf(sampledCircumstances.caller, circumstanceSeed >>> 3)
        const formFile = files?.[(circumstanceSeed >>> 5) % files.length]
        const request = encodeRequest(
          url,
          sampledInput,
          bodyEncoding,
          sampledCircumstances,
          idToken,
          formFile && [formFile, ...(files ?? []).slice(0, circumstanceSeed & 1)],
        )
        await judge({ request, caller: sampledCircumstances.caller, label: branchLabel })
      }
    }

    async function fuzzMalformed(endpointKey: string, access: EndpointAccess): Promise<void> {
      const [httpMethod, urlPath] = endpointKey.split(' ') as ['GET' | 'POST', string]
      const authorisedCaller = authorisedCallers[access]
      const idToken = fuzzWorld.tokenOf(authorisedCaller, 0)
      const headers = { host: hostHeaders[0], ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }) }
      for (const malformedQuery of malformedQueries)
        await judge({
          request: { method: httpMethod, url: `${API_PREFIX}${urlPath}?${malformedQuery}`, headers },
          caller: authorisedCaller,
          label: `${endpointKey} ?${malformedQuery.slice(0, 20)}`,
        })
      for (const [contentType, malformedPayload] of httpMethod === 'POST' ? malformedBodies : []) {
        const request = {
          method: httpMethod,
          url: `${API_PREFIX}${urlPath}`,
          headers: { ...headers, 'content-type': contentType },
          payload: malformedPayload,
        }
        await judge({ request, caller: authorisedCaller, label: `${endpointKey} ${contentType}` })
      }
    }

    async function fuzzUploads(endpointKey: string, files: readonly FormFile[]): Promise<void> {
      const [, urlPath = ''] = endpointKey.split(' ')
      for (const [index, formFile] of files.entries()) {
        await fuzzWorld.restore()
        const caller: CallerKind = index % 3 === 2 ? 'nobody' : 'subscriber'
        const uploadCircumstances = createPlainCircumstances('POST', caller, `10.200.0.${index}`)
        const request = encodeRequest(
          `${API_PREFIX}${urlPath}`,
          { speed: 25 },
          'multipart',
          uploadCircumstances,
          fuzzWorld.tokenOf(caller, 0),
          [formFile],
        )
        noteStatus(`${endpointKey} true`, await judge({ request, caller, label: `${endpointKey} file ${index}` }))
      }
    }

    async function listUsefulValues(endpointKey: string): Promise<UsefulValues> {
      if (endpointKey === 'POST /account/end_login') return { id: fc.constant(await fuzzWorld.spareLoginId()) }
      if (endpointKey === 'GET /list/get' || endpointKey === 'POST /list/report')
        return { ...usefulValues, l: fc.constant(fuzzWorld.sharedToken()) }
      return endpointKey.includes('search') ? searchValues : usefulValues
    }

    /**
     * Calls every endpoint once with each branch. A short run takes every twelfth branch, and all structural branches. It sends malformed
     * requests to every fourth endpoint, because one parser reads the inputs of all of them.
     */
    async function runRound(roundIndex: number): Promise<void> {
      for (const [endpointIndex, [endpointKey, { query, body, access }]] of Object.entries<Endpoint>(endpoints).entries()) {
        await fuzzWorld.restore()
        const uploadFiles = await createUploadFiles(endpointKey)
        const testedBranches = createInputBranches(query ?? body, await listUsefulValues(endpointKey))
        const branchStride = isLongRun ? 1 : 12
        for (const [index, inputBranch] of testedBranches.entries()) {
          const isStructural = ['useful', 'missing', 'given twice'].includes(inputBranch.name)
          if (index % branchStride !== 0 && !isStructural) continue
          // Several useful values are tried, because most of them look meaningful but name nothing that exists on the server.
          for (let repetition = 0; repetition < (inputBranch.name === 'useful' ? 8 : 1); repetition++) {
            if (LOGIN_ENDING_ENDPOINTS.has(endpointKey)) await fuzzWorld.restore()
            const seeds = ['input', 'around'].map((part) => computeSeed(seed, roundIndex, endpointKey, index, repetition, part))
            await fuzzBranch(endpointKey, inputBranch, access, uploadFiles, seeds)
          }
        }
        const noInput: InputBranch = {
          field: '',
          name: 'no input',
          isValid: true,
          values: fc.constant(undefined),
          inputs: fc.constant({ unknown: 'x', constructor: 'y' }),
        }
        if (testedBranches.length === 0)
          await fuzzBranch(endpointKey, noInput, access, uploadFiles, [
            computeSeed(seed, roundIndex, endpointKey),
            computeSeed(seed, roundIndex, endpointKey, 'around'),
          ])
        await fuzzWorld.restore()
        if (isLongRun || endpointIndex % 4 === 0) await fuzzMalformed(endpointKey, access)
        if (uploadFiles !== undefined) await fuzzUploads(endpointKey, uploadFiles)
        problemTexts.push(...fuzzWorld.takeLogProblems())
      }
      await fuzzIdentity(roundIndex)
      await endDay()
    }

    /** For each day, the number of changes that had been accepted by its end. */
    const changeCountByDay: number[] = []
    /** Ends a day of the site: deletes expired data, as the server does every hour, and checks that the remaining data are bounded. */
    async function endDay(): Promise<void> {
      fuzzWorld.clock.nowMs += 25 * HOUR_MS
      const { dataDir, storage } = fuzzWorld.site
      await storage.deleteExpired(fuzzWorld.clock.nowMs)
      changeCountByDay.push(accepted.changes)
      const changes = accepted.changes - (changeCountByDay.at(-8) ?? 0)
      const extent = { firstRows: initialRowCountByTable, ...CATALOGUE_SIZE, ...accepted, days: changeCountByDay.length, changes }
      problemTexts.push(...findOversizedTables(readTables(dataDir), extent))
    }

    /** Calls every writing endpoint until each limit on the rows of an account, or on the rows of all visitors in a day, is reached. */
    async function floodEndpoints(): Promise<void> {
      for (const [endpointKey, { body, access }] of Object.entries<Endpoint>(endpoints)) {
        if (
          !endpointKey.startsWith('POST') ||
          LOGIN_ENDING_ENDPOINTS.has(endpointKey) ||
          (await createUploadFiles(endpointKey)) !== undefined
        )
          continue
        const bodyBranches = createInputBranches(body, usefulValues)
        const mostItemsBranch = bodyBranches.find(({ name }) => name === 'most items')
        const floodInputs = (mostItemsBranch ?? bodyBranches.find(({ name }) => name === 'useful'))?.inputs ?? fc.constant({})
        const callCount = mostItemsBranch === undefined ? FLOOD_CALL_COUNT : FLOOD_LONG_LIST_CALL_COUNT
        const drawnInputs = fc.sample(floodInputs, { numRuns: FLOOD_INPUT_COUNT, seed: computeSeed(seed, endpointKey, 'flood') })
        const changeIds = fc.sample(fc.uuid(), { numRuns: callCount, seed: computeSeed(seed, endpointKey, 'ids') })
        const acceptedInputs: Record<string, unknown>[] = []
        await fuzzWorld.restore()
        for (const [index, changeId] of changeIds.entries()) {
          const repeatedInput = { ...acceptedInputs[index % acceptedInputs.length], change_id: changeId }
          const drawnInput = drawnInputs[index] ?? repeatedInput
          const authorisedCaller = authorisedCallers[access]
          const floodCircumstances = createPlainCircumstances('POST', authorisedCaller, `10.220.${index % 40}.1`)
          const request = encodeRequest(
            `${API_PREFIX}${endpointKey.slice('POST '.length)}`,
            drawnInput,
            'json',
            floodCircumstances,
            fuzzWorld.tokenOf(authorisedCaller, 0),
          )
          const status = await judge({ request, caller: authorisedCaller, label: `${endpointKey} again and again` })
          if (status === 200) acceptedInputs.push(drawnInput)
        }
        problemTexts.push(...fuzzWorld.takeLogProblems())
      }
      await endDay()
    }

    async function fuzzIdentity(roundIndex: number): Promise<void> {
      for (const [urlPath, inputSchema] of Object.entries(identityInputs)) {
        for (const [index, inputBranch] of createInputBranches(inputSchema, identityValues).entries()) {
          if (!isLongRun && index % 4 !== 0) continue
          const inputSeed = computeSeed(seed, roundIndex, urlPath, index)
          const [sampledInput = {}] = fc.sample(inputBranch.inputs, { numRuns: 1, seed: inputSeed })
          const callCircumstances = createPlainCircumstances(
            'POST',
            'nobody',
            `10.${128 + ((inputSeed >>> 16) & 63)}.${(inputSeed >>> 8) & 255}.${inputSeed & 255}`,
          )
          await judge({
            request: encodeRequest(`${urlPath}?key=any`, sampledInput, 'json', callCircumstances, undefined),
            caller: 'nobody',
            label: `${urlPath} ${inputBranch.field}: ${inputBranch.name}`,
          })
        }
      }
      await fuzzWorld.restore()
      problemTexts.push(...fuzzWorld.takeLogProblems())
    }

    it('every kind of value of every input is answered without an error, a leak, or much processor time', {
      timeout: 4 * HOUR_MS,
    }, async () => {
      const endMs = performance.now() + (minutes ?? 0) * 60_000
      let round = 0
      let firstHeapBytes = 0
      do {
        await runRound(round++)
        if (round === 1) firstHeapBytes = readUsedHeapBytes()
      } while (performance.now() < endMs && problemTexts.length === 0)
      if (isLongRun && problemTexts.length === 0) await floodEndpoints()
      const heapGrowthBytes = readUsedHeapBytes() - firstHeapBytes
      const { dataDir, storage } = fuzzWorld.site
      const dataBytes = measureFolderBytes(dataDir)
      const rowCounts = countRows(dataDir)
      console.info(JSON.stringify({ seed, rounds: round, ...statistics(), heapGrowthBytes, dataBytes, rows: rowCounts }))
      expect(problemTexts.slice(0, 20)).toEqual([])
      for (const [endpointKey, { query, body }] of Object.entries<Endpoint>(endpoints)) {
        const acceptedStatuses = [...(statusesByBranch.get(`${endpointKey} true`) ?? [])]
        if (!ENDPOINTS_NEEDING_MAIL_OR_YOUTUBE.has(endpointKey))
          expect([endpointKey, acceptedStatuses.some((status) => status < 300)]).toEqual([endpointKey, true])
        if (createInputBranches(query ?? body, usefulValues).some(({ isValid }) => isValid === false))
          expect([endpointKey, statusesByBranch.get(`${endpointKey} false`)?.has(400)]).toEqual([endpointKey, true])
      }
      expect(heapGrowthBytes).toBeLessThan(HEAP_GROWTH_MAX_BYTES)
      expect(dataBytes).toBeLessThan(DATA_MAX_BYTES)
      expect(readdirSync(join(dataDir, 'conversions')).filter((name) => name.endsWith('.upload'))).toEqual([])
      for (const { uid } of await storage.accounts.list({ limit: 100_000, offset: 0 }))
        await storage.accounts.remove(uid, fuzzWorld.clock.nowMs)
      // The mails of the last requests are stored and sent in the background, after a random delay.
      await vi.waitFor(
        async () => {
          await storage.deleteExpired(fuzzWorld.clock.nowMs + THREE_YEARS_MS)
          expect(findRemainingRows(readTables(dataDir))).toEqual([])
        },
        { timeout: 10_000, interval: 200 },
      )
    })
  })
}
