import { readFavoriteIds } from '../../client/data/favorite-rows.ts'
import { createFavoriteSync } from '../../client/data/favorite-sync.ts'
import { createFavorites } from '../../client/data/favorites.ts'
import type { FavoriteTap } from '../../client/data/favorites-interface.ts'
import { createMemoryStore, readOnce } from '../../client/data/memory-store.ts'
import { createOutbox } from '../../client/data/outbox.ts'
import type { CatalogueStore } from '../../client/data/store.ts'
import { createApi } from '../../client/platform/api.ts'

/** The page's own program for favorites, as one tab of a device runs it. */
export interface Tab {
  /** Resolves once the person may rely on it; never, where the tab was killed meanwhile. */
  tap(taps: readonly FavoriteTap[]): Promise<void>
  /** Never resolves where the tab was killed meanwhile. */
  sync(): Promise<void>
  /** At once, as a browser without memory does: what it was about to do is not done, its locks are free. */
  kill(): void
  readonly killed: boolean
  /** Resolves when it is killed. */
  readonly end: Promise<void>
}

/** A browser: its database, its clock, and its tabs. */
export interface Device {
  readonly store: CatalogueStore
  /** What its clock is ahead of the site's. */
  skewMs: number
  uid: string | undefined
  open(): Tab
  favorites(uid: string): Promise<string[]>
  /** The ids of the taps that the site was not told of. */
  waiting(): Promise<string[]>
  close(): void
}

export interface DeviceDeps {
  nowMs: () => number
  tokenOf: (uid: string) => Promise<string>
  /** What stands between it and the site. */
  fetch: (tab: Tab, ...args: Parameters<typeof globalThis.fetch>) => Promise<Response>
  /** Breaks the database on purpose. */
  broken?: (store: CatalogueStore) => CatalogueStore
}

const forever = new Promise<never>(() => {})

export function createDevice({ nowMs, tokenOf, fetch, broken = (store) => store }: DeviceDeps): Device {
  const store = broken(createMemoryStore())
  const locks = createLocks()
  const tabs = new Set<Tab>()
  const closers: (() => void)[] = []

  const device: Device = {
    store,
    skewMs: 0,
    uid: undefined,
    open() {
      let killed = false
      let endNow = () => {}
      const end = new Promise<void>((resolve) => {
        endNow = resolve
      })
      const own = locks.of(() => killed)
      /** What a killed tab waits for never comes. */
      const alive = async <T>(work: () => Promise<T>): Promise<T> => {
        if (killed) return forever
        const result = await work().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
        if (killed) return forever
        if ('error' in result) throw result.error
        return result.value
      }
      const tabStore: CatalogueStore = {
        watch: (read, observer) => {
          const stop = store.watch(read, {
            next: (value) => !killed && observer.next(value),
            error: (error) => !killed && observer.error(error),
          })
          return stop
        },
        change: (work) => alive(() => store.change(work)),
      }
      const api = createApi({ baseUrl: '/api', fetch: (...args) => alive(() => fetch(tab, ...args)) })
      const identity = {
        getSnapshot: () => (device.uid === undefined ? undefined : { uid: device.uid, email: '', emailVerified: true }),
        subscribe: () => () => {},
        token: async () => (device.uid === undefined ? undefined : tokenOf(device.uid)),
      }
      const outbox = createOutbox({
        ...{ store: tabStore, api, identity },
        connection: { offline: false, subscribe: () => () => {} },
        favorites: createFavoriteSync({ store: tabStore, signedIn: () => device.uid }),
        applied: async () => {},
        page: { addEventListener: () => {}, navigator: { locks: own } },
      })
      const favorites = createFavorites({ store: tabStore, send: () => {}, nowMs: () => nowMs() + device.skewMs })
      closers.push(outbox.close)
      const tab: Tab = {
        get killed() {
          return killed
        },
        end,
        tap: (taps) => alive(() => favorites.tap(device.uid ?? '', taps)),
        sync: () => alive(outbox.sync),
        kill() {
          killed = true
          tabs.delete(tab)
          outbox.close()
          locks.release()
          endNow()
        },
      }
      tabs.add(tab)
      return tab
    },
    favorites: async (uid) => (await readOnce(store, (tables) => readFavoriteIds(tables, uid))) ?? [],
    waiting: async () =>
      (await readOnce(store, (tables) => tables.outbox.all())).filter(({ state }) => state === 'waiting').map(({ id }) => id),
    close() {
      for (const close of closers) close()
    },
  }
  return device
}

/** The Web Locks of one origin: one holder at a time, in the order of asking; who is killed holds and waits no more. */
function createLocks() {
  const queue: { work: () => Promise<unknown>; isKilled: () => boolean; done: (result: Promise<unknown>) => void }[] = []
  let holder: (() => boolean) | undefined

  function next() {
    if (holder && !holder()) return
    const first = queue.shift()
    holder = undefined
    if (!first) return
    if (first.isKilled()) return next()
    const own = () => first.isKilled()
    holder = own
    const result = first.work()
    first.done(result)
    const free = () => {
      if (holder !== own) return
      holder = undefined
      next()
    }
    result.then(free, free)
  }

  return {
    of: (isKilled: () => boolean) => ({
      request(_name: string, _options: unknown, work: () => Promise<void>) {
        return new Promise<unknown>((resolve, reject) => {
          queue.push({ work, isKilled, done: (result) => result.then(resolve, reject) })
          next()
        })
      },
    }),
    release: next,
  }
}
