import { useEffect, useMemo, useState } from 'react'
import { createFindSuggestions, type SearchSuggestions } from '../data/suggestions.ts'
import { startTimeout } from '../primitives/scope.ts'
import { useServices } from './services.tsx'

export type { SearchSuggestions } from '../data/suggestions.ts'

/** The pause of typing after which suggestions are requested. */
const TYPING_PAUSE_MS = 150

interface SuggestionsOptions {
  /** The most suggestions of each kind. */
  limit: number
  /** Whether the text is being typed, so that a request waits for a pause. */
  isTyping?: boolean
}

interface LoadedSuggestions {
  /** The suggestions for the text, or until they arrive those for the text before; `undefined` for an empty text and after an error of the server. */
  suggestions: SearchSuggestions | undefined
  /** Whether the suggestions for the text have not arrived yet. */
  isPending: boolean
}

/** Loads the suggestions for `text`. Offline, they come from this device at once. */
export function useSuggestions(text: string, { limit, isTyping = false }: SuggestionsOptions): LoadedSuggestions {
  const { api, catalogue, connection } = useServices()
  const [loaded, setLoaded] = useState<{ text: string; suggestions: SearchSuggestions | undefined }>({ text: '', suggestions: undefined })
  const { songIndex, localPlaylists } = catalogue
  const findSuggestions = useMemo(
    () => createFindSuggestions({ api, songIndex, localPlaylists, offline: () => connection.offline }),
    [api, songIndex, localPlaylists, connection],
  )
  useEffect(() => localPlaylists.subscribe(() => {}), [localPlaylists])

  useEffect(() => {
    if (text === '') {
      setLoaded({ text, suggestions: undefined })
      return
    }
    const call = new AbortController()
    const request = () =>
      findSuggestions(text, limit, call.signal).then(
        (found) => {
          if (!call.signal.aborted) setLoaded({ text, suggestions: found })
        },
        () => {
          if (!call.signal.aborted) setLoaded({ text, suggestions: undefined })
        },
      )
    const cancelRequest = isTyping && !connection.offline ? startTimeout(() => void request(), TYPING_PAUSE_MS) : void request()
    return () => {
      cancelRequest?.()
      call.abort()
    }
  }, [findSuggestions, text, limit, isTyping, connection])
  return { suggestions: text === '' ? undefined : loaded.suggestions, isPending: loaded.text !== text }
}
