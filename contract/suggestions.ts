import Type, { type Static } from 'typebox'
import { searchTextParameter } from './input-types.ts'
import { Playlist } from './playlist.ts'
import { Song } from './song.ts'

/** An artist: all songs whose author names are equal apart from case, accents and punctuation. */
const Artist = Type.Object({
  name: Type.String(),
  song_count: Type.Integer({ minimum: 1 }),
})
export type Artist = Static<typeof Artist>

/**
 * The songs, artists and playlists that match a search text. In each list, the results whose title or name begins with the text come first, in
 * alphabetical order; then the others, in alphabetical order.
 */
export const Suggestions = Type.Object({
  songs: Type.Array(Song),
  artists: Type.Array(Artist),
  playlists: Type.Array(Playlist),
})
export type Suggestions = Static<typeof Suggestions>

/**
 * The suggestions that the search page shows before a text is entered: the artists and the categories with the most songs, in descending order of
 * their number of songs.
 */
export const SearchStartSuggestions = Type.Object({
  artists: Type.Array(Artist),
  categories: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), song_count: Type.Integer({ minimum: 1 }) })),
})
export type SearchStartSuggestions = Static<typeof SearchStartSuggestions>

/** Songs and artists whose titles and names are similar to a search text. */
const SimilarResults = Type.Object({ songs: Type.Array(Song), artists: Type.Array(Artist) })
export type SimilarResults = Static<typeof SimilarResults>

/** The number of suggestions of each kind, unless a request sets `limit`. */
export const DEFAULT_SUGGESTION_LIMIT = 4

/** The maximum number of artists, and of categories, that the search page suggests before a text is entered. */
export const SEARCH_START_SUGGESTIONS_MAX = 12

export const suggestionEndpoints = {
  'GET /search/suggest': {
    summary: 'A few songs, artists and playlists that match `s` as in `/song/search`, those that begin with it first.',
    tag: 'search',
    access: 'public',
    query: Type.Object({
      s: searchTextParameter,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'The most of each kind; 4 by default.' })),
    }),
    data: Suggestions,
  },
  'GET /search/similar': {
    summary: 'A few songs and artists that are spelled like `s`, for a search that finds nothing.',
    tag: 'search',
    access: 'public',
    query: Type.Object({ s: searchTextParameter }),
    data: SimilarResults,
  },
  'GET /search/start': {
    summary: 'What a search can begin with: the artists and the categories that have the most songs.',
    tag: 'search',
    access: 'public',
    data: SearchStartSuggestions,
  },
} as const
