import { useCallback, useEffect, useMemo } from 'react'
import { createSuggestionFinder, type SearchSuggestions } from '../data/suggestions.ts'
import { startTimeout } from '../primitives/scope.ts'
import { useRemoteData } from './remote-data.ts'
import { useServices } from './services.tsx'

export type { SearchSuggestions } from '../data/suggestions.ts'

/** The delay between the last keystroke and the request for suggestions. */
const TYPING_PAUSE_MS = 150

interface SuggestionsOptions {
  limit: number
  /** Whether the text is being typed, so that a request waits for a pause. */
  isTyping?: boolean
}

interface LoadedSuggestions {
  /**
   * The suggestions for the text. Until they arrive, the suggestions for the previous text; `undefined` for an empty text and after an
   * error response.
   */
  suggestions: SearchSuggestions | undefined
  /** Whether the suggestions for the text have not arrived yet. */
  isPending: boolean
}

/** Resolves after `TYPING_PAUSE_MS`, or rejects when aborted. */
const waitForPause = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const cancelPause = startTimeout(resolve, TYPING_PAUSE_MS)
    signal.addEventListener('abort', () => {
      cancelPause()
      reject(signal.reason)
    })
  })

/** Loads the suggestions for `typedText`. Offline, the songs and playlists on this device are searched immediately. */
export function useSuggestions(typedText: string, { limit, isTyping = false }: SuggestionsOptions): LoadedSuggestions {
  const { api, catalogue, connection } = useServices()
  const { songIndex, localPlaylists } = catalogue
  const findSuggestions = useMemo(
    () => createSuggestionFinder({ api, songIndex, localPlaylists, offline: () => connection.offline }),
    [api, songIndex, localPlaylists, connection],
  )
  useEffect(() => localPlaylists.subscribe(() => {}), [localPlaylists])
  const loadSuggestions = useCallback(
    async (signal: AbortSignal) => {
      if (isTyping && !connection.offline) await waitForPause(signal)
      return findSuggestions(typedText, limit, signal)
    },
    [findSuggestions, typedText, limit, isTyping, connection],
  )
  const { data, error, isLoading } = useRemoteData(typedText === '' ? undefined : loadSuggestions)
  return { suggestions: typedText === '' || error ? undefined : data, isPending: isLoading }
}
