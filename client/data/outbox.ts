import type { Data } from '../../contract/endpoints.ts'
import { type Api, ApiFailure, inNameOf } from '../platform/api.ts'
import type { Connection } from '../platform/connection.ts'
import type { Identity } from '../platform/identity.ts'
import { isTap, type TapRow } from './favorite-rows.ts'
import type { FavoriteSync } from './favorite-sync.ts'
import { createLive, type Live } from './live.ts'
import { readOnce } from './memory-store.ts'
import { type CatalogueStore, NOBODY, type OutboxCall, type OutboxRow, type OutboxRowOf, type Tables } from './store.ts'

/** Calls that tell of one change each. Taps on favorites go together, as `FavoriteSync` says. */
export type SingleCall = Exclude<OutboxCall, 'POST /favorite/sync'>
type SingleRow = Exclude<OutboxRow, TapRow>
type Added<C extends OutboxCall> = Pick<OutboxRowOf<C>, 'id' | 'uid' | 'call' | 'body'>

/** Changes that are made on this device first, and told to the site when it can be reached. */
export interface Outbox {
  /** Resolves once it is on this device; `id` is what the site applies it once by. */
  add(change: { [C in SingleCall]: Added<C> }[SingleCall]): Promise<void>
  /** What of an account's, and of nobody's, is not sent yet or was refused, oldest first. */
  rows(uid: string): Live<OutboxRow[]>
  /** Sends once more what was refused. */
  retry(id: string): Promise<void>
  discard(ids: readonly string[]): Promise<void>
  /** Takes away all of an account. */
  forget(uid: string): Promise<void>
  /** Sends what waits. Never rejects. */
  drain(): Promise<void>
  /** As `drain`; then hears what other devices have changed. */
  sync(): Promise<void>
  close(): void
}

/** What of the window is needed: when to look again, and the locks that all tabs share. */
export interface OutboxPage {
  addEventListener(type: 'focus' | 'online' | 'pageshow', listener: () => void, options: { signal: AbortSignal }): void
  /** Absent outside of secure contexts, whatever the types say. */
  readonly navigator: {
    readonly locks?: { request(name: string, options: { signal: AbortSignal }, work: () => Promise<void>): Promise<unknown> }
  }
}

interface OutboxDeps {
  store: CatalogueStore
  api: Api
  identity: Pick<Identity, 'getSnapshot' | 'subscribe' | 'token'>
  connection: Pick<Connection, 'offline' | 'subscribe'>
  favorites: FavoriteSync
  /** What the site's answer changes on this device, in the same change that takes the row out. */
  applied(tables: Tables, row: SingleRow, data: Data<'POST /make/history'> | null): Promise<void>
  page?: OutboxPage
}

/** One tab sends at a time. A killed one lets go by itself. */
const LOCK = 'outbox'
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 16 * 60_000
/** Refusals that say nothing of the change: log in first, too slow, too many. */
const PASSING = [401, 408, 429]
const BAD_INPUT = [400, 413, 422]
/** A connection that comes and goes is tried less and less often. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** The site has said no to the change itself. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code >= 400 && error.code < 500 && !PASSING.includes(error.code)

/** ... as it stands: too much of it, or in a wrong form. */
const isBadInput = (error: unknown): boolean => error instanceof ApiFailure && BAD_INPUT.includes(error.code)

/** How long to wait after so many attempts that failed. */
export const waitMs = (attempts: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1))

/** It starts at once to send what waits, and goes on whenever the site may have become reachable. */
export function createOutbox({ store, api, identity, connection, favorites, applied, page = window }: OutboxDeps): Outbox {
  const lives = new Map<string, Live<OutboxRow[]>>()
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let draining: Promise<void> | undefined
  let again = false
  /** Other devices may have changed something. */
  let listening = false
  /** Calls that failed since one that did not, and when the last one did, by the page's own clock. */
  let failures = 0
  let failedAtMs = 0

  const rowsOf = async (tables: Tables, uid: string | undefined) =>
    (await tables.outbox.all()).filter((row) => row.uid === uid || row.uid === NOBODY).sort((a, b) => a.createdAtMs - b.createdAtMs)

  /** A row that was discarded meanwhile stays away. */
  const patch = (id: string, change: Partial<Pick<OutboxRow, 'attempts' | 'lastError' | 'state'>>) =>
    store.change(async (tables) => {
      const row = await tables.outbox.get(id)
      if (row) await tables.outbox.put([{ ...row, ...change }])
    })

  /** Calls in the name of `uid` alone, whoever has signed in meanwhile, here or in another tab. */
  const apiOf = (uid: string) =>
    inNameOf(
      {
        async token(refused) {
          const token = await identity.token(refused)
          if (token === undefined || uidOf(token) !== uid) throw new TypeError('Somebody else is signed in.')
          return token
        },
      },
      api,
    )

  /** Gives whether the next one may be sent. */
  async function send(row: SingleRow): Promise<boolean> {
    try {
      const data = row.call === 'POST /make/history' ? await apiOf(row.uid).call(row.call, row.body) : await api.call(row.call, row.body)
      await store.change(async (tables) => {
        await tables.outbox.remove([row.id])
        await applied(tables, row, data)
      })
      failures = 0
      return true
    } catch (error) {
      return failed([row], error)
    }
  }

  function noteFailure() {
    failures += 1
    failedAtMs = performance.now()
  }

  /** Notes why they were not sent, and when that is tried again. Gives whether something else may be sent now. */
  async function failed(rows: readonly OutboxRow[], error: unknown): Promise<boolean> {
    const isFinal = isRefusal(error)
    const lastError = error instanceof Error ? error.message : ''
    for (const { id, attempts } of rows) await patch(id, { attempts: attempts + 1, lastError, state: isFinal ? 'failed' : 'waiting' })
    if (isFinal) return true
    again = false
    noteFailure()
    timer = setTimeout(drain, waitMs((rows[0]?.attempts ?? 0) + 1))
    return false
  }

  /** All that was tapped, in order; then, if asked for, what else has changed. Gives whether something else may be sent now. */
  async function syncFavorites(uid: string): Promise<boolean> {
    const site = apiOf(uid)
    for (let limit: number | undefined; ; ) {
      const taps = await favorites.waiting(uid, limit)
      const listened = listening
      if (taps.length === 0 && !listened) return true
      try {
        listening = false
        if (await favorites.exchange(site, uid, taps)) listening = true
        failures = 0
        if (limit !== undefined) limit *= 2
      } catch (error) {
        listening ||= listened
        // One bad change must not hold up the others: which one it is shows when they are sent one by one.
        if (isBadInput(error) && taps.length > 1) {
          limit = 1
          continue
        }
        if (taps.length > 0) {
          if (!(await failed(taps, error))) return false
          continue
        }
        // The next occasion.
        noteFailure()
        return true
      }
    }
  }

  async function sendAll() {
    clearTimeout(timer)
    for (;;) {
      const uid = identity.getSnapshot()?.uid
      // What was added before now is among what is read.
      again = false
      // When the site is back, it goes on.
      if (connection.offline || ended.signal.aborted) return
      if (uid !== undefined && !(await syncFavorites(uid))) return
      const waiting = (await readOnce(store, (tables) => rowsOf(tables, uid))).filter((row) => row.state === 'waiting')
      const next = waiting.find((row): row is SingleRow => !isTap(row))
      if (next ? !(await send(next)) : !waiting.some((row) => row.uid === uid)) return
    }
  }

  const alone = async (work: () => Promise<void>) => {
    const { locks } = page.navigator
    // The site applies each change once in any case.
    await (locks ? locks.request(LOCK, { signal: ended.signal }, work) : work())
  }

  function drain(): Promise<void> {
    if (draining) {
      again = true
      return draining
    }
    draining = alone(sendAll)
      .catch(() => {
        // The store gave or took nothing: all is as it was, until the next occasion.
      })
      .then(() => {
        draining = undefined
        if (!again) return
        again = false
        return drain()
      })
    return draining
  }

  function sync(): Promise<void> {
    listening = true
    return drain()
  }

  const onOccasion = () => void sync()
  const onConnection = () => {
    const pauseMs = failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
    const leftMs = failedAtMs + pauseMs - performance.now()
    if (leftMs <= 0) return onOccasion()
    clearTimeout(timer)
    timer = setTimeout(onOccasion, leftMs)
  }
  const stops = [identity.subscribe(onOccasion), connection.subscribe(onConnection)]
  page.addEventListener('focus', onOccasion, { signal: ended.signal })
  page.addEventListener('online', onOccasion, { signal: ended.signal })
  page.addEventListener('pageshow', onOccasion, { signal: ended.signal })
  onOccasion()

  return {
    async add(change) {
      const row: SingleRow = { ...change, createdAtMs: Date.now(), attempts: 0, lastError: '', state: 'waiting' }
      await store.change((tables) => tables.outbox.put([row]))
      void drain()
    },
    rows(uid) {
      const live = lives.get(uid) ?? createLive(store, (tables) => rowsOf(tables, uid))
      lives.set(uid, live)
      return live
    },
    async retry(id) {
      await patch(id, { state: 'waiting', lastError: '' })
      void drain()
    },
    discard: (ids) => store.change((tables) => tables.outbox.remove(ids)),
    forget: (uid) =>
      store.change(async (tables) => {
        const rows = (await tables.outbox.all()).filter((row) => row.uid === uid)
        await tables.outbox.remove(rows.map(({ id }) => id))
      }),
    drain,
    sync,
    close() {
      ended.abort()
      clearTimeout(timer)
      for (const stop of stops) stop()
    },
  }
}

/** Whom a token is for: the claim `sub` (RFC 7519, 4.1.2). The site checks the token; here it only must not be another's. */
function uidOf(token: string): string | undefined {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const claims: { sub?: string } = JSON.parse(atob(payload))
  return claims.sub
}
