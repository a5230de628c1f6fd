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
import { type InputBranch, inputBranches, type UsefulValues } from './input-branches.ts'
import {
  type Caller,
  type Encoding,
  encodeRequest,
  encodings,
  type FormFile,
  hosts,
  type RequestCircumstances,
  requestCircumstances,
} from './requests.ts'
import { findOversizedTables, findRemainingRows } from './row-bounds.ts'
import type { FuzzRun } from './run.ts'
import { identityInputs, identityValues, searchValues, uploadFilesOf, usefulValues } from './useful-values.ts'
import { CPU_MAX_MS, type FuzzSite, folderBytes, openFuzzSite, seedOf } from './world.ts'

const YEARS_3_MS = 3 * 365 * 24 * HOUR_MS
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
const FLOOD_LIST_COUNT = 15
/** The catalogue of `createTestApp`. */
const CATALOGUE_SIZE = { songs: 4, playlists: 2 }
/** The calls that may store the id of a change. */
const CHANGE_URLS = /\/(?:song\/play|contact\/request)\b/

/** Returns the size of the objects in use in bytes, after a garbage collection. */
function usedHeapBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
/** The status with which Node refuses a request whose headers exceed its limit, before the server sees the request. */
const TOO_LONG_HEAD_STATUS = 431
/** The calls after which the caller has to log in again. */
export const LOGIN_ENDS = new Set(['POST /account/end_logins', 'POST /account/delete'])
/** The first call needs a code from a mail; `account-life.ts` reads such codes. The second one needs YouTube. */
export const NEEDS_OTHERS = new Set(['POST /account/confirm_email', 'POST /list/import-youtube'])
/** A caller that has access to the endpoint. */
const authorisedCallers: Record<EndpointAccess, Caller> = {
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

interface Sample {
  request: InjectOptions
  caller: Caller
  /** The field that the parser of inputs checks, and whether the parser must accept the field's value; undefined if both outcomes are correct. */
  expected?: { field: string; isValid: boolean } | undefined
  label: string
}

/** Sends requests of an endpoint. Collects the problems of the responses. */
function createJudge(getWorld: () => FuzzSite, problems: string[]) {
  function describeRequest({ label, caller, request }: Sample): string {
    const { method, url, headers, payload, remoteAddress } = request
    const shownRequest = { method, url, headers, payload: String(payload ?? '').slice(0, 500), remoteAddress }
    return `${label}, as ${caller}: ${JSON.stringify(shownRequest)
      .replace(/eyJ[\w-]+\.[\w.-]+/g, 'TOKEN')
      .slice(0, 1200)}`
  }

  function problemOf({ request, caller, expected }: Sample, response: LightMyRequestResponse): string | undefined {
    const { statusCode, body, headers } = response
    if (statusCode >= 500 && !(statusCode === 503 && headers['retry-after'] !== undefined)) return `${statusCode} ${body.slice(0, 300)}`
    const leak = getWorld().leakOf(response, caller, request)
    if (leak !== undefined) return `the answer has ${leak}: ${body.slice(0, 300)}`
    if (expected === undefined || statusCode === 429) return undefined
    const { field, isValid } = expected
    if (!isValid) return statusCode === 400 || statusCode === 413 ? undefined : `${statusCode} for an invalid ${field}`
    const isRefused = statusCode === 400 && body.includes(`"message":"${field}`) && PARSER_REFUSAL.test(body)
    return isRefused ? `a valid ${field} was refused: ${body.slice(0, 300)}` : undefined
  }

  /** Measures an expensive request again on new sites. The smallest measurement counts, because it contains no garbage collection. */
  async function leastCpuMs(request: InjectOptions, caller: Caller): Promise<number> {
    let leastMs = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 3 && leastMs > CPU_MAX_MS; attempt++) {
      const world = await openFuzzSite()
      const token = world.tokenOf(caller, 0)
      const headers = { ...request.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
      leastMs = Math.min(leastMs, (await world.send({ ...request, headers })).cpuMs)
      await world.close()
    }
    return leastMs
  }

  let slowestRequest = { cpuMs: 0, label: '' }
  let requestCount = 0
  const accepted = { signUps: 0, deletions: 0, changes: 0 }
  function noteAccepted(url: string): void {
    if (url.includes('accounts:signUp')) accepted.signUps++
    if (/account\/delete|accounts:delete/.test(url)) accepted.deletions++
    if (CHANGE_URLS.test(url)) accepted.changes++
  }
  return {
    accepted,
    statistics: () => ({ requestCount, slowest: slowestRequest }),
    async judge(sample: Sample): Promise<number> {
      if (String(sample.request.url).length > maxHeaderSize) return TOO_LONG_HEAD_STATUS
      const world = getWorld()
      world.clock.nowMs += 100
      requestCount++
      const { response, cpuMs } = await world.send(sample.request)
      if (response.statusCode === 200) noteAccepted(String(sample.request.url))
      const problem = problemOf(sample, response)
      if (problem !== undefined) problems.push(`${problem}\n  ${describeRequest(sample)}`)
      const leastMs = cpuMs > CPU_MAX_MS ? await leastCpuMs(sample.request, sample.caller) : cpuMs
      if (leastMs > slowestRequest.cpuMs) slowestRequest = { cpuMs: leastMs, label: sample.label }
      if (leastMs > CPU_MAX_MS) problems.push(`${Math.round(leastMs)} ms of the processor\n  ${describeRequest(sample)}`)
      return response.statusCode
    },
  }
}

const plainCircumstances = (method: 'GET' | 'POST', caller: Caller, address: string): RequestCircumstances => ({
  ...{ method, caller, address, tokenPlace: 'header', host: hosts[0], headers: {} },
})

/**
 * Registers a test that calls every endpoint with every branch of its input: once as a caller with access, for which the schema says
 * whether the value is accepted, and then with every encoding, caller, host and header.
 */
export function describeEndpointFuzz({ seed, minutes }: FuzzRun): void {
  describe('fuzzed endpoints', () => {
    let world: FuzzSite
    let firstRows: Record<string, number>
    beforeAll(async () => {
      world = await openFuzzSite()
      firstRows = countRows(world.site.dataDir)
    })
    afterAll(() => world.close())
    const problems: string[] = []
    const { judge, statistics, accepted } = createJudge(() => world, problems)
    const isLong = minutes !== undefined

    /** The statuses of the responses to calls with valid and with invalid values, by endpoint and branch. */
    const seenStatuses = new Map<string, Set<number>>()
    const note = (key: string, status: number) => seenStatuses.set(key, (seenStatuses.get(key) ?? new Set()).add(status))

    async function fuzzBranch(key: string, branch: InputBranch, access: EndpointAccess, files: FormFile[] | undefined, seeds: number[]) {
      const [method = 'GET', urlPath] = key.split(' ') as ['GET' | 'POST', string]
      const url = `${API_PREFIX}${urlPath}`
      const label = `${key} ${branch.field}: ${branch.name}`
      const [inputSeed = 0, circumstanceSeed = 0] = seeds
      const [input = {}] = fc.sample(branch.inputs, { numRuns: 1, seed: inputSeed })
      const caller = authorisedCallers[access]
      const usableEncodings: Encoding[] =
        method === 'GET'
          ? ['query']
          : files !== undefined
            ? ['multipart']
            : branch.isJsonOnly
              ? ['json']
              : ['json', 'urlencoded', 'multipart']
      for (const encoding of isLong ? usableEncodings : usableEncodings.slice(0, 1)) {
        if (branch.isJsonOnly && encoding !== 'json') continue
        const token = world.tokenOf(caller, 0)
        const circumstances = plainCircumstances(
          method,
          caller,
          `10.${(inputSeed >>> 16) & 127}.${(inputSeed >>> 8) & 255}.${inputSeed & 255}`,
        )
        const request = encodeRequest(url, input, encoding, circumstances, token, files?.slice(0, 1))
        const expected = branch.isValid === undefined ? undefined : { field: branch.field, isValid: branch.isValid }
        note(`${key} ${branch.isValid !== false}`, await judge({ request, caller, expected, label }))
      }
      for (const circumstances of fc.sample(requestCircumstances(method), { numRuns: isLong ? 3 : 1, seed: circumstanceSeed })) {
        const encoding = encodings[(circumstanceSeed >>> 4) % encodings.length] ?? 'json'
        const token = world.tokenOf(circumstances.caller, circumstanceSeed >>> 3)
        const file = files?.[(circumstanceSeed >>> 5) % files.length]
        const request = encodeRequest(
          url,
          input,
          encoding,
          circumstances,
          token,
          file && [file, ...(files ?? []).slice(0, circumstanceSeed & 1)],
        )
        await judge({ request, caller: circumstances.caller, label })
      }
    }

    async function fuzzMalformed(key: string, access: EndpointAccess): Promise<void> {
      const [method, urlPath] = key.split(' ') as ['GET' | 'POST', string]
      const caller = authorisedCallers[access]
      const token = world.tokenOf(caller, 0)
      const headers = { host: hosts[0], ...(token !== undefined && { authorization: `Bearer ${token}` }) }
      for (const query of malformedQueries)
        await judge({
          request: { method, url: `${API_PREFIX}${urlPath}?${query}`, headers },
          caller,
          label: `${key} ?${query.slice(0, 20)}`,
        })
      for (const [contentType, payload] of method === 'POST' ? malformedBodies : []) {
        const request = { method, url: `${API_PREFIX}${urlPath}`, headers: { ...headers, 'content-type': contentType }, payload }
        await judge({ request, caller, label: `${key} ${contentType}` })
      }
    }

    async function fuzzUploads(key: string, files: readonly FormFile[]): Promise<void> {
      const [, urlPath = ''] = key.split(' ')
      for (const [index, file] of files.entries()) {
        await world.restore()
        const caller: Caller = index % 3 === 2 ? 'nobody' : 'subscriber'
        const around = plainCircumstances('POST', caller, `10.200.0.${index}`)
        const request = encodeRequest(`${API_PREFIX}${urlPath}`, { speed: 25 }, 'multipart', around, world.tokenOf(caller, 0), [file])
        note(`${key} true`, await judge({ request, caller, label: `${key} file ${index}` }))
      }
    }

    async function usefulValuesOf(key: string): Promise<UsefulValues> {
      if (key === 'POST /account/end_login') return { id: fc.constant(await world.spareLoginId()) }
      if (key === 'GET /list/get' || key === 'POST /list/report') return { ...usefulValues, l: fc.constant(world.sharedToken()) }
      return key.includes('search') ? searchValues : usefulValues
    }

    /**
     * Calls every endpoint once with each branch. A short run takes every twelfth branch, and all structural branches. It sends malformed
     * requests to every fourth endpoint, because one parser reads the inputs of all of them.
     */
    async function runRound(round: number): Promise<void> {
      for (const [endpointIndex, [key, { query, body, access }]] of Object.entries<Endpoint>(endpoints).entries()) {
        await world.restore()
        const files = await uploadFilesOf(key)
        const branches = inputBranches(query ?? body, await usefulValuesOf(key))
        const stride = isLong ? 1 : 12
        for (const [index, branch] of branches.entries()) {
          const isStructural = ['useful', 'missing', 'given twice'].includes(branch.name)
          if (index % stride !== 0 && !isStructural) continue
          // Several useful values are tried, because most of them look meaningful but name nothing that exists on the server.
          for (let repeat = 0; repeat < (branch.name === 'useful' ? 8 : 1); repeat++) {
            if (LOGIN_ENDS.has(key)) await world.restore()
            const seeds = ['input', 'around'].map((part) => seedOf(seed, round, key, index, repeat, part))
            await fuzzBranch(key, branch, access, files, seeds)
          }
        }
        const noInput: InputBranch = {
          field: '',
          name: 'no input',
          isValid: true,
          values: fc.constant(undefined),
          inputs: fc.constant({ unknown: 'x', constructor: 'y' }),
        }
        if (branches.length === 0)
          await fuzzBranch(key, noInput, access, files, [seedOf(seed, round, key), seedOf(seed, round, key, 'around')])
        await world.restore()
        if (isLong || endpointIndex % 4 === 0) await fuzzMalformed(key, access)
        if (files !== undefined) await fuzzUploads(key, files)
        problems.push(...world.takeLogProblems())
      }
      await fuzzIdentity(round)
      await endDay()
    }

    /** For each day, the number of changes that had been accepted by its end. */
    const changesByDay: number[] = []
    /** Ends a day of the site: deletes expired data, as the server does every hour, and checks that the remaining data are bounded. */
    async function endDay(): Promise<void> {
      world.clock.nowMs += 25 * HOUR_MS
      const { dataDir, storage } = world.site
      await storage.deleteExpired(world.clock.nowMs)
      changesByDay.push(accepted.changes)
      const changes = accepted.changes - (changesByDay.at(-8) ?? 0)
      const extent = { firstRows, ...CATALOGUE_SIZE, ...accepted, days: changesByDay.length, changes }
      problems.push(...findOversizedTables(readTables(dataDir), extent))
    }

    /** Calls every writing endpoint until each limit on the rows of an account, or on the rows of all visitors in a day, is reached. */
    async function flood(): Promise<void> {
      for (const [key, { body, access }] of Object.entries<Endpoint>(endpoints)) {
        if (!key.startsWith('POST') || LOGIN_ENDS.has(key) || (await uploadFilesOf(key)) !== undefined) continue
        const branches = inputBranches(body, usefulValues)
        const fullList = branches.find(({ name }) => name === 'most items')
        const inputs = (fullList ?? branches.find(({ name }) => name === 'useful'))?.inputs ?? fc.constant({})
        const calls = fullList === undefined ? FLOOD_CALL_COUNT : FLOOD_LIST_COUNT
        const drawnInputs = fc.sample(inputs, { numRuns: FLOOD_INPUT_COUNT, seed: seedOf(seed, key, 'flood') })
        const changeIds = fc.sample(fc.uuid(), { numRuns: calls, seed: seedOf(seed, key, 'ids') })
        const acceptedInputs: Record<string, unknown>[] = []
        await world.restore()
        for (const [index, changeId] of changeIds.entries()) {
          const repeatedInput = { ...acceptedInputs[index % acceptedInputs.length], change_id: changeId }
          const input = drawnInputs[index] ?? repeatedInput
          const caller = authorisedCallers[access]
          const circumstances = plainCircumstances('POST', caller, `10.220.${index % 40}.1`)
          const request = encodeRequest(`${API_PREFIX}${key.slice('POST '.length)}`, input, 'json', circumstances, world.tokenOf(caller, 0))
          const status = await judge({ request, caller, label: `${key} again and again` })
          if (status === 200) acceptedInputs.push(input)
        }
        problems.push(...world.takeLogProblems())
      }
      await endDay()
    }

    async function fuzzIdentity(round: number): Promise<void> {
      for (const [urlPath, schema] of Object.entries(identityInputs)) {
        for (const [index, branch] of inputBranches(schema, identityValues).entries()) {
          if (!isLong && index % 4 !== 0) continue
          const inputSeed = seedOf(seed, round, urlPath, index)
          const [input = {}] = fc.sample(branch.inputs, { numRuns: 1, seed: inputSeed })
          const circumstances = plainCircumstances(
            'POST',
            'nobody',
            `10.${128 + ((inputSeed >>> 16) & 63)}.${(inputSeed >>> 8) & 255}.${inputSeed & 255}`,
          )
          await judge({
            request: encodeRequest(`${urlPath}?key=any`, input, 'json', circumstances, undefined),
            caller: 'nobody',
            label: `${urlPath} ${branch.field}: ${branch.name}`,
          })
        }
      }
      await world.restore()
      problems.push(...world.takeLogProblems())
    }

    it('every branch of every input is answered without an error, a leak, or much processor time', { timeout: 4 * HOUR_MS }, async () => {
      const endMs = performance.now() + (minutes ?? 0) * 60_000
      let round = 0
      let firstHeapBytes = 0
      do {
        await runRound(round++)
        if (round === 1) firstHeapBytes = usedHeapBytes()
      } while (performance.now() < endMs && problems.length === 0)
      if (isLong && problems.length === 0) await flood()
      const heapGrowthBytes = usedHeapBytes() - firstHeapBytes
      const { dataDir, storage } = world.site
      const dataBytes = folderBytes(dataDir)
      const rowCounts = countRows(dataDir)
      console.info(JSON.stringify({ seed, rounds: round, ...statistics(), heapGrowthBytes, dataBytes, rows: rowCounts }))
      expect(problems.slice(0, 20)).toEqual([])
      for (const [key, { query, body }] of Object.entries<Endpoint>(endpoints)) {
        const accepted = [...(seenStatuses.get(`${key} true`) ?? [])]
        if (!NEEDS_OTHERS.has(key)) expect([key, accepted.some((status) => status < 300)]).toEqual([key, true])
        if (inputBranches(query ?? body, usefulValues).some(({ isValid }) => isValid === false))
          expect([key, seenStatuses.get(`${key} false`)?.has(400)]).toEqual([key, true])
      }
      expect(heapGrowthBytes).toBeLessThan(HEAP_GROWTH_MAX_BYTES)
      expect(dataBytes).toBeLessThan(DATA_MAX_BYTES)
      expect(readdirSync(join(dataDir, 'conversions')).filter((name) => name.endsWith('.upload'))).toEqual([])
      for (const { uid } of await storage.accounts.list({ limit: 100_000, offset: 0 }))
        await storage.accounts.remove(uid, world.clock.nowMs)
      // The mails of the last requests are stored and sent in the background, after a random delay.
      await vi.waitFor(
        async () => {
          await storage.deleteExpired(world.clock.nowMs + YEARS_3_MS)
          expect(findRemainingRows(readTables(dataDir))).toEqual([])
        },
        { timeout: 10_000, interval: 200 },
      )
    })
  })
}
