import { useSyncExternalStore } from 'react'
import type { SearchStartSuggestions } from '../../contract/suggestions.ts'
import { localStore, RECENT_SEARCHES_KEY } from '../platform/web-storage.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { useRemoteData } from './remote-data.ts'
import { createOncePerPage } from './repositories.ts'
import { useServices } from './services.tsx'

const STORED_SEARCHES_MAX = 8
const searchesChanged = createEmitter()
const noSearches: readonly string[] = []

/** The JSON text that was read last, and the search texts parsed from it. */
let lastRead: { json: string | null; texts: readonly string[] } = { json: null, texts: noSearches }

/** Reads the latest search texts of this device, newest first. Returns the same array until they change. */
function readSearches(): readonly string[] {
  const storedJson = localStore.read(RECENT_SEARCHES_KEY)
  if (storedJson !== lastRead.json) {
    const value = localStore.readJson(RECENT_SEARCHES_KEY)
    lastRead = { json: storedJson, texts: Array.isArray(value) ? value.filter((text) => typeof text === 'string') : noSearches }
  }
  return lastRead.texts
}

function storeSearches(searchTexts: readonly string[]): void {
  localStore.write(RECENT_SEARCHES_KEY, searchTexts.length === 0 ? undefined : JSON.stringify(searchTexts))
  searchesChanged.emit()
}

/** Stores the text of a search on this device. */
export const rememberSearch = (text: string): void =>
  storeSearches([text, ...readSearches().filter((other) => other !== text)].slice(0, STORED_SEARCHES_MAX))

export const forgetSearches = (): void => storeSearches([])

/** Returns the latest search texts of this device, newest first. */
export const useRecentSearches = (): readonly string[] => useSyncExternalStore(searchesChanged.subscribe, readSearches, () => noSearches)

const getSearchStartLoader = createOncePerPage(({ api, initialData: { searchStart } }) => {
  const searchStartLoader = {
    start: searchStart,
    load: async () => {
      searchStartLoader.start ??= await api.call('GET /search/start', {})
      return searchStartLoader.start
    },
  }
  return searchStartLoader
})

/**
 * Returns the artists and categories with the most songs, which the search page shows while its search field is empty; `undefined` until
 * the server has sent them. They are requested only if `areSuggestionsNeeded` is true.
 */
export function useTopArtistsAndCategories(areSuggestionsNeeded = true): SearchStartSuggestions | undefined {
  const searchStartLoader = getSearchStartLoader(useServices())
  const { data = searchStartLoader.start } = useRemoteData(areSuggestionsNeeded ? searchStartLoader.load : undefined)
  return data
}
