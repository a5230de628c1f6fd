import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FavoriteChange, FavoriteSynced } from '../../../contract/favorite.ts'
import { FAVORITE_CHANGES_MAX } from '../../../contract/favorite-limits.ts'

const ACCOUNTS = 4
const DEVICES = 3
const SONGS = 40
const AT_ONCE = 64
const program = fileURLToPath(new URL('../../main.ts', import.meta.url))

interface Call {
  account: number
  changes: FavoriteChange[]
  answered: boolean
}
type Sent = { since?: string; changes?: readonly FavoriteChange[] }

/** The server's program over `dataDir`, once it can serve. */
async function startServer(dataDir: string, children: ChildProcess[]) {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let written = ''
  for await (const chunk of child.stdout) {
    written += String(chunk)
    const port = /http:\/\/localhost:(\d+)/.exec(written)?.[1]
    if (port === undefined) continue
    const post = async (path: string, payload: object, token = ''): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(payload) })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return answer.json()
    }
    return {
      sync: async (token: string, body: Sent) => ((await post('/api/favorite/sync', body, token)) as { data: FavoriteSynced }).data,
      signUp: async (name: string) => {
        const credentials = { email: `${name}@example.com`, password: 'secret-1', returnSecureToken: true }
        return ((await post('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any', credentials)) as { idToken: string }).idToken
      },
      songIds: async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/playlist/get?p=new&limit=${SONGS}`)
        const { data } = (await answer.json()) as { data: { songs: { youtube_id: string }[] } }
        return data.songs.map(({ youtube_id }) => youtube_id)
      },
      kill: async () => {
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
    }
  }
  throw new Error(`The server ended before it could serve: ${written}`)
}
type Server = Awaited<ReturnType<typeof startServer>>

/** Sends the calls, some of them at once, until all are done or the server is gone. */
async function sendAll(server: Server, tokens: readonly string[], calls: readonly Call[], onAnswer: () => void): Promise<void> {
  const waiting = calls.values()
  let isGone = false
  const sender = async () => {
    for (const call of waiting) {
      if (isGone) return
      try {
        const { refused } = await server.sync(tokens[call.account] ?? '', { changes: call.changes })
        expect(refused).toEqual([])
      } catch (error) {
        // Of what was under way nobody knows whether it was applied.
        if (!(error instanceof TypeError)) throw error
        isGone = true
        return
      }
      call.answered = true
      onAnswer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
}

/** By song, the last of the taps: what must stand where all of them were applied, in whatever order. */
function lastTaps(calls: readonly Call[], account: number): Map<string, FavoriteChange> {
  const last = new Map<string, FavoriteChange>()
  for (const each of calls.flatMap((call) => (call.account === account ? call.changes : []))) {
    const known = last.get(each.s)
    if (known === undefined || [known.at, known.device].join() < [each.at, each.device].join()) last.set(each.s, each)
  }
  return last
}

/** All states of an account's list, removals too, and the list's version. */
async function listOf(server: Server, token: string) {
  const { cursor } = await server.sync(token, {})
  const [epoch, version] = cursor.split('.')
  const { favorites } = await server.sync(token, { since: `${epoch}.0` })
  return { cursor, version: Number(version), states: new Map(favorites.map(({ s, favorite, at }) => [s, { favorite, at }])) }
}

/** Tests that the server's program keeps what it acknowledged, and applies nothing twice, when it is killed among `syncs` calls. */
export function describeFavoritesCrash(syncs: number): void {
  describe(`favorites when the server is killed among ${syncs} syncs`, () => {
    const children: ChildProcess[] = []
    let dataDir: string
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'varispeed-crash-'))
    })
    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL')
      await rm(dataDir, { recursive: true, force: true })
    })

    test('what was acknowledged is there, and nothing was applied twice', async () => {
      const first = await startServer(dataDir, children)
      const tokens = await Promise.all(Array.from({ length: ACCOUNTS }, (_, i) => first.signUp(`person-${i}`)))
      const songs = await first.songIds()
      expect(songs).toHaveLength(SONGS)
      const devices = Array.from({ length: ACCOUNTS * DEVICES }, () => randomUUID())
      const begin = Date.now() - 10 * syncs
      const calls: Call[] = Array.from({ length: syncs }, (_, index) => {
        const account = randomInt(ACCOUNTS)
        const tap = (_tap: unknown, i: number): FavoriteChange => ({
          ...{ id: randomUUID(), s: songs[randomInt(SONGS)] ?? '', favorite: randomInt(2) === 1 },
          ...{ at: new Date(begin + 3 * index + i).toISOString(), device: devices[account * DEVICES + randomInt(DEVICES)] ?? '' },
        })
        return { account, changes: Array.from({ length: randomInt(1, 4) }, tap), answered: false }
      })
      // In another order than they were tapped in; no two at one time, so that it is known which one is the last.
      calls.sort((a, b) => ((a.changes[0]?.id ?? '') < (b.changes[0]?.id ?? '') ? -1 : 1))

      let answers = 0
      let killed: Promise<void> | undefined
      await sendAll(first, tokens, calls, () => {
        answers += 1
        if (answers === Math.floor(syncs / 2)) killed = first.kill()
      })
      await killed
      const acknowledged = calls.filter(({ answered }) => answered)
      expect(acknowledged.length).toBeGreaterThanOrEqual(Math.floor(syncs / 2))
      expect(acknowledged.length).toBeLessThan(syncs)

      const second = await startServer(dataDir, children)
      for (const [account, token] of tokens.entries()) {
        const { states } = await listOf(second, token)
        for (const [s, { at }] of lastTaps(acknowledged, account)) expect((states.get(s)?.at ?? '') >= at, `${s} at ${at}`).toBe(true)
      }
      // What had no answer, and some that had one.
      await sendAll(
        second,
        tokens,
        [...calls.filter(({ answered }) => !answered), ...acknowledged.filter(() => randomInt(4) === 0)],
        () => {},
      )
      expect(calls.every(({ answered }) => answered)).toBe(true)
      const after = await Promise.all(tokens.map((token) => listOf(second, token)))
      for (const [account, { states, version }] of after.entries()) {
        const expected = [...lastTaps(calls, account)].map(([s, { favorite, at }]) => [s, { favorite, at }])
        expect([...states].sort()).toEqual(expected.sort())
        const told = calls.filter((call) => call.account === account).flatMap(({ changes }) => changes)
        expect(version).toBeLessThanOrEqual(told.length)
        expect(version).toBeGreaterThanOrEqual(states.size)
      }
      // All of it again moves no list.
      const again = tokens.flatMap((_, account) => {
        const changes = calls.flatMap((call) => (call.account === account ? call.changes : []))
        const parts = Math.ceil(changes.length / FAVORITE_CHANGES_MAX)
        return Array.from({ length: parts }, (_part, i) => ({
          ...{ account, answered: false },
          changes: changes.slice(i * FAVORITE_CHANGES_MAX, (i + 1) * FAVORITE_CHANGES_MAX),
        }))
      })
      await sendAll(second, tokens, again, () => {})
      expect(again.every(({ answered }) => answered)).toBe(true)
      expect(await Promise.all(tokens.map((token) => listOf(second, token)))).toEqual(after)
      await second.kill()
    })
  })
}
