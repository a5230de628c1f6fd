import type { Data } from '../../contract/endpoints.ts'
import { type Api, ApiFailure, inNameOf } from '../platform/api.ts'
import type { Connection } from '../platform/connection.ts'
import type { Identity } from '../platform/identity.ts'
import { createLive, type Live } from './live.ts'
import { readOnce } from './memory-store.ts'
import type { CatalogueStore, OutboxCall, OutboxRow, Tables } from './store.ts'

/** Changes that are made on this device first, and told to the site when it can be reached. */
export interface Outbox {
  /** Resolves once it is on this device; `id` is what the site applies it once by. */
  add(change: Pick<OutboxRow, 'id' | 'uid' | 'call' | 'body'>): Promise<void>
  /** What is not sent yet, or was refused, oldest first. */
  rows(uid: string): Live<OutboxRow[]>
  /** Sends once more what was refused. */
  retry(id: string): Promise<void>
  discard(id: string): Promise<void>
  /** Takes away all of an account. */
  forget(uid: string): Promise<void>
  /** Sends what waits. Never rejects. */
  drain(): Promise<void>
  close(): void
}

interface OutboxDeps {
  store: CatalogueStore
  api: Api
  identity: Pick<Identity, 'getSnapshot' | 'subscribe' | 'token'>
  connection: Pick<Connection, 'offline' | 'subscribe'>
  /** What the site's answer changes on this device, in the same change that takes the row out. */
  applied(tables: Tables, row: OutboxRow, data: Data<OutboxCall>): Promise<void>
  page?: Window
}

/** One tab sends at a time. A killed one lets go by itself. */
const LOCK = 'outbox'
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 16 * 60_000
/** Refusals that say nothing of the change: log in first, too slow, too many. */
const PASSING = [401, 408, 429]

/** How long to wait after so many attempts that failed. */
export const waitMs = (attempts: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1))

/** It starts at once to send what waits, and goes on whenever the site may have become reachable. */
export function createOutbox({ store, api, identity, connection, applied, page = window }: OutboxDeps): Outbox {
  const lives = new Map<string, Live<OutboxRow[]>>()
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let draining: Promise<void> | undefined
  let again = false

  const rowsOf = async (tables: Tables, uid: string) =>
    (await tables.outbox.all()).filter((row) => row.uid === uid).sort((a, b) => a.createdAtMs - b.createdAtMs)

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
  async function send(row: OutboxRow): Promise<boolean> {
    try {
      const data = await apiOf(row.uid).call(row.call, row.body)
      await store.change(async (tables) => {
        await tables.outbox.remove([row.id])
        await applied(tables, row, data)
      })
      return true
    } catch (error) {
      const attempts = row.attempts + 1
      const isFinal = error instanceof ApiFailure && error.code >= 400 && error.code < 500 && !PASSING.includes(error.code)
      await patch(row.id, { attempts, lastError: error instanceof Error ? error.message : '', state: isFinal ? 'failed' : 'waiting' })
      if (isFinal) return true
      again = false
      timer = setTimeout(drain, waitMs(attempts))
      return false
    }
  }

  async function sendAll() {
    clearTimeout(timer)
    for (;;) {
      const uid = identity.getSnapshot()?.uid
      // What was added before now is among what is read.
      again = false
      // When the site is back, it goes on.
      if (uid === undefined || connection.offline || ended.signal.aborted) return
      const next = (await readOnce(store, (tables) => rowsOf(tables, uid))).find((row) => row.state === 'waiting')
      if (!next || !(await send(next))) return
    }
  }

  /** Absent outside of secure contexts, whatever the types say: the site applies each change once in any case. */
  const alone = async (work: () => Promise<void>) => {
    const locks: LockManager | undefined = page.navigator.locks
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

  const onOccasion = () => void drain()
  const stops = [identity.subscribe(onOccasion), connection.subscribe(onOccasion)]
  page.addEventListener('focus', onOccasion, { signal: ended.signal })
  page.addEventListener('online', onOccasion, { signal: ended.signal })
  onOccasion()

  return {
    async add(change) {
      await store.change((tables) =>
        tables.outbox.put([{ ...change, createdAtMs: Date.now(), attempts: 0, lastError: '', state: 'waiting' }]),
      )
      onOccasion()
    },
    rows(uid) {
      const live = lives.get(uid) ?? createLive(store, (tables) => rowsOf(tables, uid))
      lives.set(uid, live)
      return live
    },
    async retry(id) {
      await patch(id, { state: 'waiting', lastError: '' })
      onOccasion()
    },
    discard: (id) => store.change((tables) => tables.outbox.remove([id])),
    forget: (uid) => store.change(async (tables) => tables.outbox.remove((await rowsOf(tables, uid)).map((row) => row.id))),
    drain,
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
