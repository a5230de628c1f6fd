import type { Api } from '../platform/api.ts'
import type { Catalogue } from './catalogue-repository.ts'
import type { ContextSongs } from './device-contexts.ts'

// The maximum number of songs that are loaded of a context. A longer context continues with the neighbours that the server returns for each song.
const CONTEXT_SONGS_MAX = 500

interface QueueContextSource {
  api: Api
  catalogue: Pick<Catalogue, 'playlist'>
}

let preparedContext: { contextId: string; loading: Promise<ContextSongs> } | undefined
let isFirstPreparation = true

async function fetchContext({ api, catalogue }: QueueContextSource, songContextId: string): Promise<ContextSongs> {
  const resource = catalogue.playlist(songContextId)
  await resource.waitUntilOpened()
  const { playlist, songs } =
    resource.getSnapshot().data ?? (await api.call('GET /playlist/get', { p: songContextId, limit: CONTEXT_SONGS_MAX }))
  return { songs, complete: songs.length >= playlist.song_count }
}

/**
 * Begins to load the first context of the page's queue, before the player calls `loadContext`. The next call of `loadContext` with the same
 * id returns the songs that are already being loaded. Further calls of `prepareContext` do nothing.
 */
export function prepareContext(source: QueueContextSource, songContextId: string): void {
  if (!isFirstPreparation) return
  isFirstPreparation = false
  preparedContext = { contextId: songContextId, loading: fetchContext(source, songContextId) }
  // The failure is ignored here, because the promise that `loadContext` returns rejects with it.
  preparedContext.loading.catch(() => {})
}

/** Loads the songs of a context of the queue, at most `CONTEXT_SONGS_MAX`, from this device if possible. Rejects with an `ApiCallError`. */
export function loadContext(source: QueueContextSource, songContextId: string): Promise<ContextSongs> {
  const loading = preparedContext?.contextId === songContextId ? preparedContext.loading : undefined
  preparedContext = undefined
  return loading ?? fetchContext(source, songContextId)
}
