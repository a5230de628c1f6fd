import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FavoriteChange, FavoriteSyncResult } from '../../../contract/favorite.ts'
import { FAVORITE_CHANGES_MAX } from '../../../contract/favorite-limits.ts'
import { bundleProgram } from '../../testing/bundle-program.ts'

const ACCOUNT_COUNT = 4
const DEVICES_PER_ACCOUNT = 3
const SONG_COUNT = 40
const CONCURRENT_REQUEST_COUNT = 64

interface SyncCall {
  accountIndex: number
  changes: FavoriteChange[]
  answered: boolean
}
type SyncBody = { since?: string; changes?: readonly FavoriteChange[] }

/** Starts the server's bundle at `programPath` on `dataDir`. When the server listens, returns a client of its API. */
async function startServer(programPath: string, dataDir: string, childProcesses: ChildProcess[]) {
  const { PATH, HOME, TMPDIR } = process.env
  const serverProcess = spawn(process.execPath, [programPath], {
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  childProcesses.push(serverProcess)
  let serverOutput = ''
  for await (const outputChunk of serverProcess.stdout) {
    serverOutput += String(outputChunk)
    const portText = /http:\/\/localhost:(\d+)/.exec(serverOutput)?.[1]
    if (portText === undefined) continue
    const postJson = async (urlPath: string, requestBody: object, token = ''): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const response = await fetch(`http://127.0.0.1:${portText}${urlPath}`, { method: 'POST', headers, body: JSON.stringify(requestBody) })
      if (!response.ok) throw new Error(`${urlPath}: ${response.status} ${await response.text()}`)
      return response.json()
    }
    return {
      sync: async (token: string, body: SyncBody) =>
        ((await postJson('/api/favorite/sync', body, token)) as { data: FavoriteSyncResult }).data,
      signUp: async (personName: string) => {
        const credentials = { email: `${personName}@example.com`, password: 'secret-1', returnSecureToken: true }
        return ((await postJson('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any', credentials)) as { idToken: string }).idToken
      },
      songIds: async () => {
        const response = await fetch(`http://127.0.0.1:${portText}/api/playlist/get?p=new&limit=${SONG_COUNT}`)
        const { data } = (await response.json()) as { data: { songs: { youtube_id: string }[] } }
        return data.songs.map(({ youtube_id }) => youtube_id)
      },
      kill: async () => {
        serverProcess.kill('SIGKILL')
        await once(serverProcess, 'exit')
      },
    }
  }
  throw new Error(`The server ended before it could serve: ${serverOutput}`)
}
type ServerProcess = Awaited<ReturnType<typeof startServer>>

/** Sends the requests, up to CONCURRENT_REQUEST_COUNT at a time, until all have a response or the server is killed. */
async function sendAllCalls(
  server: ServerProcess,
  idTokens: readonly string[],
  calls: readonly SyncCall[],
  onAnswer: () => void,
): Promise<void> {
  const waitingCalls = calls.values()
  let isServerGone = false
  const sendRequests = async () => {
    for (const waitingCall of waitingCalls) {
      if (isServerGone) return
      try {
        const { refused } = await server.sync(idTokens[waitingCall.accountIndex] ?? '', { changes: waitingCall.changes })
        expect(refused).toEqual([])
      } catch (error) {
        // A request interrupted by the kill may or may not have been applied.
        if (!(error instanceof TypeError)) throw error
        isServerGone = true
        return
      }
      waitingCall.answered = true
      onAnswer()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_REQUEST_COUNT }, sendRequests))
}

/** Returns the latest change of each song of an account: the expected state after all changes, in any order. */
function findLatestChanges(calls: readonly SyncCall[], accountIndex: number): Map<string, FavoriteChange> {
  const latestChangeBySong = new Map<string, FavoriteChange>()
  for (const favoriteChange of calls.flatMap((call) => (call.accountIndex === accountIndex ? call.changes : []))) {
    const knownChange = latestChangeBySong.get(favoriteChange.s)
    if (knownChange === undefined || [knownChange.at, knownChange.device].join() < [favoriteChange.at, favoriteChange.device].join())
      latestChangeBySong.set(favoriteChange.s, favoriteChange)
  }
  return latestChangeBySong
}

/** Reads all states of an account's list, including removals, and the list's version. */
async function readList(server: ServerProcess, token: string) {
  const { cursor } = await server.sync(token, {})
  const [epoch, version] = cursor.split('.')
  const { favorites } = await server.sync(token, { since: `${epoch}.0` })
  return { cursor, version: Number(version), states: new Map(favorites.map(({ s, favorite, at }) => [s, { favorite, at }])) }
}

/** Tests a server that is killed during `syncCount` requests: it has stored all acknowledged changes, and applies no change twice. */
export function describeFavoritesCrashTests(syncCount: number): void {
  describe(`favorites when the server is killed among ${syncCount} syncs`, () => {
    const childProcesses: ChildProcess[] = []
    let dataDir: string
    let programPath: string
    beforeAll(async () => {
      programPath = await bundleProgram(new URL('../../main.ts', import.meta.url))
      // The server reads the template of its pages from the folder of the built client, which must be beside the server's own folder.
      await cp(fileURLToPath(new URL('../../../client/index.html', import.meta.url)), join(programPath, '../../client/index.html'))
      dataDir = await mkdtemp(join(tmpdir(), 'varispeed-crash-'))
    })
    afterAll(async () => {
      for (const child of childProcesses) child.kill('SIGKILL')
      await rm(dataDir, { recursive: true, force: true })
    })

    test('acknowledged changes are stored, and no change is applied twice', async () => {
      const firstServer = await startServer(programPath, dataDir, childProcesses)
      const idTokens = await Promise.all(Array.from({ length: ACCOUNT_COUNT }, (_, i) => firstServer.signUp(`person-${i}`)))
      const songIds = await firstServer.songIds()
      expect(songIds).toHaveLength(SONG_COUNT)
      const deviceIds = Array.from({ length: ACCOUNT_COUNT * DEVICES_PER_ACCOUNT }, () => randomUUID())
      const firstChangeAtMs = Date.now() - 10 * syncCount
      const syncCalls: SyncCall[] = Array.from({ length: syncCount }, (_, index) => {
        const accountIndex = randomInt(ACCOUNT_COUNT)
        const createChange = (_empty: unknown, changeIndex: number): FavoriteChange => ({
          id: randomUUID(),
          s: songIds[randomInt(SONG_COUNT)] ?? '',
          favorite: randomInt(2) === 1,
          at: new Date(firstChangeAtMs + 3 * index + changeIndex).toISOString(),
          device: deviceIds[accountIndex * DEVICES_PER_ACCOUNT + randomInt(DEVICES_PER_ACCOUNT)] ?? '',
        })
        return { accountIndex, changes: Array.from({ length: randomInt(1, 4) }, createChange), answered: false }
      })
      // Sends the requests in random order. All times differ, so that the latest change is unique.
      syncCalls.sort((a, b) => ((a.changes[0]?.id ?? '') < (b.changes[0]?.id ?? '') ? -1 : 1))

      let responseCount = 0
      let killPromise: Promise<void> | undefined
      await sendAllCalls(firstServer, idTokens, syncCalls, () => {
        responseCount += 1
        if (responseCount === Math.floor(syncCount / 2)) killPromise = firstServer.kill()
      })
      await killPromise
      const acknowledgedCalls = syncCalls.filter(({ answered: isAnswered }) => isAnswered)
      expect(acknowledgedCalls.length).toBeGreaterThanOrEqual(Math.floor(syncCount / 2))
      expect(acknowledgedCalls.length).toBeLessThan(syncCount)

      const secondServer = await startServer(programPath, dataDir, childProcesses)
      for (const [accountIndex, idToken] of idTokens.entries()) {
        const { states } = await readList(secondServer, idToken)
        for (const [s, { at }] of findLatestChanges(acknowledgedCalls, accountIndex))
          expect((states.get(s)?.at ?? '') >= at, `${s} at ${at}`).toBe(true)
      }
      // Repeats the requests that got no response, and some of those that got one.
      await sendAllCalls(
        secondServer,
        idTokens,
        [...syncCalls.filter(({ answered: isAnswered }) => !isAnswered), ...acknowledgedCalls.filter(() => randomInt(4) === 0)],
        () => {},
      )
      expect(syncCalls.every(({ answered: isAnswered }) => isAnswered)).toBe(true)
      const listsAfterRestart = await Promise.all(idTokens.map((token) => readList(secondServer, token)))
      for (const [accountIndex, { states, version }] of listsAfterRestart.entries()) {
        const expectedStates = [...findLatestChanges(syncCalls, accountIndex)].map(([s, { favorite, at }]) => [s, { favorite, at }])
        expect([...states].sort()).toEqual(expectedStates.sort())
        const accountChanges = syncCalls.filter((call) => call.accountIndex === accountIndex).flatMap(({ changes }) => changes)
        expect(version).toBeLessThanOrEqual(accountChanges.length)
        expect(version).toBeGreaterThanOrEqual(states.size)
      }
      // Sending all changes again does not change any list.
      const repeatedCalls = idTokens.flatMap((_, accountIndex) => {
        const accountChanges = syncCalls.flatMap((call) => (call.accountIndex === accountIndex ? call.changes : []))
        const batchCount = Math.ceil(accountChanges.length / FAVORITE_CHANGES_MAX)
        return Array.from({ length: batchCount }, (_batch, batchIndex) => ({
          accountIndex,
          answered: false,
          changes: accountChanges.slice(batchIndex * FAVORITE_CHANGES_MAX, (batchIndex + 1) * FAVORITE_CHANGES_MAX),
        }))
      })
      await sendAllCalls(secondServer, idTokens, repeatedCalls, () => {})
      expect(repeatedCalls.every(({ answered: isAnswered }) => isAnswered)).toBe(true)
      expect(await Promise.all(idTokens.map((token) => readList(secondServer, token)))).toEqual(listsAfterRestart)
      await secondServer.kill()
    })
  })
}
