import type { Data, EndpointKey, Input } from '../../contract/endpoints.ts'
import type { FirstData } from '../../contract/first-data.ts'
import type { Api, CallOptions } from '../platform/api.ts'
import type { Catalogue } from './catalogue-repository.ts'
import { sameRow } from './catalogue-rows.ts'
import type { Resource, ResourceState } from './resource.ts'
import { firstPageInput } from './search-repository.ts'

const playlistsInput = { popular: {}, home: { home: 'true' }, az: { order: 'ASC' }, za: { order: 'DESC' } } as const

/** The calls that whole rows of the HTML answer. What is only the start of a list is asked for as ever. */
function answersOf({ playlists, playlist, song, search }: FirstData): { key: EndpointKey; input: object; data: unknown }[] {
  return [
    ...(playlists ? [{ key: 'GET /playlist/all' as const, input: playlistsInput[playlists.order], data: playlists.rows }] : []),
    ...(playlist?.complete ? [{ key: 'GET /playlist/get' as const, input: { p: playlist.id }, data: playlist.rows }] : []),
    ...(song
      ? [
          {
            key: 'GET /song/get' as const,
            input: { s: song.id, ...(song.contextId !== undefined && { p: song.contextId }) },
            data: song.rows,
          },
        ]
      : []),
    ...(search?.complete ? [{ key: 'GET /song/search' as const, input: firstPageInput(search), data: search.rows }] : []),
  ]
}

/** `api`, which gives once what the HTML already holds: so the rows reach the store by the way that all rows take. */
export function answerFirst(api: Api, first: FirstData): Api {
  const answers = answersOf(first)
  return {
    async call<K extends EndpointKey>(key: K, input: Input<K>, options?: CallOptions): Promise<Data<K>> {
      const at = answers.findIndex((answer) => answer.key === key && sameRow(answer.input, input))
      const [answer] = at < 0 ? [] : answers.splice(at, 1)
      // Written by our own server as the answer to this very key.
      return answer ? (answer.data as Data<K>) : api.call(key, input, options)
    },
  }
}

/** `catalogue`, which shows the rows of the HTML at once and for as long as the store has none of its own. */
export function showFirst(catalogue: Catalogue, first: FirstData): Catalogue {
  const decorated = new WeakMap<object, object>()

  function over<T, R extends Resource<T>>(resource: R, rows: T): R {
    // What was made from a resource is of its own type.
    const known = decorated.get(resource) as R | undefined
    if (known) return known
    let inner: ResourceState<T> | undefined
    const inHtml: ResourceState<T> = { data: rows, status: 'ready', error: undefined, stale: false }
    let state = inHtml
    const shown: R = Object.assign(Object.create(resource), {
      getFirst: () => inHtml,
      getSnapshot() {
        const next = resource.getSnapshot()
        if (next === inner) return state
        inner = next
        const data = next.data === undefined || sameRow(next.data, state.data) ? state.data : next.data
        const stale = data !== undefined && next.error !== undefined
        if (data !== state.data || next.error !== state.error) state = { data, status: 'ready', error: next.error, stale }
        return state
      },
      opened: () => Promise.resolve(),
    } satisfies Pick<Resource<T>, 'getFirst' | 'getSnapshot' | 'opened'>)
    decorated.set(resource, shown)
    return shown
  }

  return {
    ...catalogue,
    playlists(order) {
      const resource = catalogue.playlists(order)
      return first.playlists?.order === order ? over(resource, first.playlists.rows) : resource
    },
    playlist(id) {
      const resource = catalogue.playlist(id)
      return first.playlist?.id === id ? over(resource, first.playlist.rows) : resource
    },
    song(id, contextId) {
      const resource = catalogue.song(id, contextId)
      return first.song?.id === id && first.song.contextId === contextId ? over(resource, first.song.rows) : resource
    },
    search(query) {
      const resource = catalogue.search(query)
      const { search } = first
      if (search?.text !== query.text || search.artist !== query.artist || search.sort !== query.sort) return resource
      return over(resource, { songs: search.rows, complete: search.complete, local: false })
    },
  }
}
