import { useCallback, useEffect, useState } from 'react'
import { ANONYMOUS_UID, type OutboxRow, type Tables } from '../data/local-database.ts'
import { useSignedInAccount } from './identity.ts'
import { useLiveQuery } from './live-query.ts'
import { useOfflineMutations } from './offline-mutations.ts'
import { useServices } from './services.tsx'

export type { OutboxRow } from '../data/local-database.ts'

const NO_ROWS: readonly OutboxRow[] = []

export function useOutbox() {
  const uid = useSignedInAccount()?.uid
  const outbox = useOfflineMutations({ allowAnonymous: true })?.outbox
  const outboxRows = useLiveQuery(outbox?.rows(uid ?? ANONYMOUS_UID)) ?? NO_ROWS
  return {
    /** The unsent changes of the signed-in account and of anonymous people, both waiting and refused, oldest first. */
    rows: outboxRows,
    /** Sends changes again that the server has refused. */
    retry: async (ids: readonly string[]) => outbox?.retry(ids),
    discard: async (ids: readonly string[]) => outbox?.discard(ids),
    /** Sends the waiting changes of the outbox now. Never rejects. */
    send: async () => outbox?.drain(),
  }
}

export type LoadedOutbox = ReturnType<typeof useOutbox>

/**
 * Returns the function that sends the waiting changes of the outbox and resolves when they are sent, or after `timeoutMs`. Never rejects.
 */
export function useSendOutbox(): (timeoutMs: number) => Promise<void> {
  const { offlineMutations } = useServices()
  return useCallback(
    async (timeoutMs) => {
      const sendPromise = offlineMutations().then(({ outbox }) => outbox.drain())
      await Promise.race([sendPromise.catch(() => {}), new Promise((resolve) => setTimeout(resolve, timeoutMs))])
    },
    [offlineMutations],
  )
}

/**
 * Returns a function that reads the ids of songs whose favorite change, made by the signed-in account since `sinceMs`, was refused by the
 * server.
 */
export function useReadRefusedFavorites(): (sinceMs: number) => Promise<ReadonlySet<string>> {
  const { identity, database } = useServices()
  return useCallback(
    async (createdSinceMs) => {
      const uid = identity.getSnapshot()?.uid
      const rows = await database.read((tables) => tables.outbox.all()).catch(() => [])
      const refusedRows = rows.filter((row) => row.uid === uid && row.state === 'failed' && row.createdAtMs >= createdSinceMs)
      return new Set(refusedRows.flatMap((row) => (row.call === 'POST /favorite/sync' ? [row.body.s] : [])))
    },
    [identity, database],
  )
}

/** Returns the function that removes changes from the outbox, so that they are never sent. */
export function useDiscardOutboxRows(): (ids: readonly string[]) => Promise<void> {
  const { database } = useServices()
  return useCallback((ids) => database.change((tables) => tables.outbox.remove(ids)), [database])
}

/** Returns the titles of the songs and own playlists that are stored on this device, by id. */
export function useStoredTitles(songOrPlaylistIds: readonly string[]): ReadonlyMap<string, string> {
  const { database } = useServices()
  const [songTitles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const joinedIds = songOrPlaylistIds.join()
  useEffect(() => {
    let isOutboxStale = false
    const itemIds = joinedIds === '' ? [] : joinedIds.split(',')
    const readTitles = async (tables: Tables) => {
      const songs = (await tables.songs.getMany(itemIds)).filter((song) => song !== undefined)
      const playlists = (await tables.ownPlaylists.getMany(itemIds)).filter((playlist) => playlist !== undefined)
      return new Map([
        ...songs.map((song) => [song.youtube_id, song.title] as const),
        ...playlists.map(({ id, title }) => [id, title] as const),
      ])
    }
    database.read(readTitles).then(
      (titles) => {
        if (!isOutboxStale) setTitles(titles)
      },
      () => {},
    )
    return () => {
      isOutboxStale = true
    }
  }, [database, joinedIds])
  return songTitles
}
