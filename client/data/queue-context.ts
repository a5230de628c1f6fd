import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import type { Api } from '../platform/api.ts'
import type { Catalogue } from './catalogue-repository.ts'

// The maximum number of songs that are loaded of a context. A longer context continues with the neighbours that the server returns for each song.
const CONTEXT_LIMIT = 500

interface ContextSource {
  api: Api
  catalogue: Pick<Catalogue, 'playlist'>
}

let preparedContext: { contextId: string; loading: Promise<PlaylistWithSongs> } | undefined
let isFirst = true

async function load({ api, catalogue }: ContextSource, contextId: string): Promise<PlaylistWithSongs> {
  const resource = catalogue.playlist(contextId)
  await resource.waitUntilOpened()
  return resource.getSnapshot().data ?? api.call('GET /playlist/get', { p: contextId, limit: CONTEXT_LIMIT })
}

/**
 * Begins to load the first context of the page's queue, before the player calls `loadContext`. The next call of `loadContext` with the same
 * id returns the songs that are already being loaded. Further calls of `prepareContext` do nothing.
 */
export function prepareContext(source: ContextSource, contextId: string): void {
  if (!isFirst) return
  isFirst = false
  preparedContext = { contextId, loading: load(source, contextId) }
  // The failure is ignored here, because the promise that `loadContext` returns rejects with it.
  preparedContext.loading.catch(() => {})
}

/** Loads the songs of a context of the queue, at most `CONTEXT_LIMIT`, from this device if possible. Rejects with an `ApiCallError`. */
export function loadContext(source: ContextSource, contextId: string): Promise<PlaylistWithSongs> {
  const loading = preparedContext?.contextId === contextId ? preparedContext.loading : undefined
  preparedContext = undefined
  return loading ?? load(source, contextId)
}
