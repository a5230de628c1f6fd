import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { readOnce } from '../data/memory-store.ts'
import { NOBODY, type OutboxRow } from '../data/store.ts'
import { usePerson } from './identity.ts'
import { useServices } from './services.tsx'
import { useWrites } from './writes.ts'

export type { OutboxRow } from '../data/store.ts'

export interface Unsent {
  /** What the site was not told yet, or has refused, oldest first: of who is signed in, and what was done in nobody's name. */
  rows: readonly OutboxRow[]
  /** Sends once more what was refused. */
  retry(ids: readonly string[]): Promise<void>
  discard(ids: readonly string[]): Promise<void>
  /** Sends what waits now. Never rejects. */
  send(): Promise<void>
}

const never = () => () => {}
const none: readonly OutboxRow[] = []

export function useUnsent(): Unsent {
  const uid = usePerson()?.uid
  const outbox = useWrites({ whoever: true })?.outbox
  const live = outbox?.rows(uid ?? NOBODY)
  const rows = useSyncExternalStore(live?.subscribe ?? never, live?.getSnapshot ?? (() => none), () => none)
  return {
    rows: rows ?? none,
    async retry(ids) {
      for (const id of ids) await outbox?.retry(id)
    },
    discard: async (ids) => outbox?.discard(ids),
    send: async () => outbox?.drain(),
  }
}

/** Tries to send what waits, for so long at most. Never rejects. */
export function useTryToSend(): (longestMs: number) => Promise<void> {
  const { writes } = useServices()
  return useCallback(
    async (longestMs) => {
      const sent = writes().then(({ outbox }) => outbox.drain())
      await Promise.race([sent.catch(() => {}), new Promise((resolve) => setTimeout(resolve, longestMs))])
    },
    [writes],
  )
}

/** The songs of the taps since then that the site has refused to who is signed in. */
export function useReadRefusedSongs(): (sinceMs: number) => Promise<ReadonlySet<string>> {
  const { identity, store } = useServices()
  return useCallback(
    async (sinceMs) => {
      const uid = identity.getSnapshot()?.uid
      const rows = await readOnce(store, (tables) => tables.outbox.all()).catch(() => [])
      const refused = rows.filter((row) => row.uid === uid && row.state === 'failed' && row.createdAtMs >= sinceMs)
      return new Set(refused.flatMap((row) => (row.call === 'POST /favorite/sync' ? [row.body.s] : [])))
    },
    [identity, store],
  )
}

/** Takes away changes before they were sent. */
export function useDiscard(): (ids: readonly string[]) => Promise<void> {
  const { store } = useServices()
  return useCallback((ids) => store.change((tables) => tables.outbox.remove(ids)), [store])
}

/** What a song is called, where this device knows it. */
export function useSongTitles(songIds: readonly string[]): ReadonlyMap<string, string> {
  const { store } = useServices()
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const wanted = songIds.join()
  useEffect(() => {
    let left = false
    const ids = wanted === '' ? [] : wanted.split(',')
    readOnce(store, (tables) => tables.songs.getMany(ids)).then(
      (songs) => {
        if (!left) setTitles(new Map(songs.flatMap((song) => (song ? [[song.youtube_id, song.title]] : []))))
      },
      () => {},
    )
    return () => {
      left = true
    }
  }, [store, wanted])
  return titles
}
