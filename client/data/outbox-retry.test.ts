import { afterEach, expect, it, vi } from 'vitest'
import { ENTRIES_PER_CHANGE_MAX, ownPlaylistMessages } from '../../contract/own-playlist-rules.ts'
import type { Api } from '../platform/api.ts'
import { createChangeSync } from './change-sync.ts'
import type { LocalDatabase, OutboxRow } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { OwnPlaylistChangeRow } from './own-playlist-rows.ts'
import { createSyncedPlaylists } from './own-playlist-sync.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { createPlaylistReader, readQuery } from './testing/own-playlists.ts'
import { createTestSong } from './testing/rows.ts'

let outbox: Outbox
afterEach(() => outbox.close())

/** A server that knows no playlist until a change creates one. It refuses changes of other playlists, and all changes while it is full. */
function createFakeServer() {
  const playlistIds = new Set<string>()
  const server = {
    isFull: true,
    /** The ids of the changes of each request that sent changes. */
    requests: [] as string[][],
    // The cast is safe, because the sync calls only this method of the API.
    api: {
      async call(_: string, { changes }: { changes: OwnPlaylistChangeRow['body'][] }) {
        if (changes.length > 0) server.requests.push(changes.map(({ id }) => id))
        const refused: { id: string; message: string }[] = []
        for (const { id, l, title } of changes) {
          if (title !== undefined && server.isFull) refused.push({ id, message: ownPlaylistMessages.tooManyPlaylists })
          else if (title !== undefined) playlistIds.add(l)
          else if (!playlistIds.has(l)) refused.push({ id, message: ownPlaylistMessages.noPlaylist })
        }
        return { cursor: 'e.1', more: false, whole: false, playlists: [], entries: [], songs: [], refused }
      },
    } as unknown as Api,
  }
  return server
}

const openOutbox = (database: LocalDatabase, api: Api) =>
  createOutbox({
    database,
    api,
    identity: {
      getSnapshot: () => ({ uid: 'ann', email: 'ann@example.com', emailVerified: true }),
      subscribe: () => () => {},
      token: async () => `x.${btoa(JSON.stringify({ sub: 'ann' }))}.y`,
      loginSignal: () => new AbortController().signal,
    },
    connection: { offline: false, subscribe: () => () => {} },
    syncs: [createChangeSync({ database, getSignedInUid: () => 'ann' }, createSyncedPlaylists(database))],
    onApplied: async () => {},
    page: { addEventListener() {}, removeEventListener() {}, navigator: {} },
  })

it('outbox: the parts of a long playlist that the server refused are listed in order, and sent again by the same requests', async () => {
  const database = createMemoryDatabase()
  const songs = Array.from({ length: 3 * ENTRIES_PER_CHANGE_MAX + 1 }, (_, n) => createTestSong(n))
  await createOwnPlaylists({ database, sendOutbox: () => {} }).create('ann', { title: 'Long', songs })
  const { readChanges } = createPlaylistReader(() => database)
  const changes = await readChanges()
  expect(changes.map(({ body }) => body.title)).toEqual(['Long', undefined, undefined, undefined])
  // A database on disk returns the rows by their ids, which are random.
  await database.change(async (tables) => {
    await tables.outbox.remove(changes.map(({ id }) => id))
    await tables.outbox.put(changes.toReversed())
  })
  const server = createFakeServer()
  outbox = openOutbox(database, server.api)
  await outbox.drain()
  const shownRows = await readQuery<OutboxRow[]>(outbox.rows('ann'))
  expect(shownRows.map(({ state }) => state)).toEqual(Array(4).fill('failed'))
  expect(shownRows.map(({ id }) => id)).toEqual(changes.map(({ id }) => id))

  const firstRequests = server.requests
  expect(firstRequests.flat()).toEqual(changes.map(({ id }) => id))
  server.isFull = false
  server.requests = []
  await outbox.retry(changes.toReversed().map(({ id }) => id))
  await vi.waitFor(async () => expect(await readChanges()).toEqual([]))
  await outbox.drain()
  expect(server.requests).toEqual(firstRequests)
})
