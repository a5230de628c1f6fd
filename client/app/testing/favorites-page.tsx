import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FavoriteState, FavoriteSync } from '../../../contract/favorite.ts'
import type { Song } from '../../../contract/song.ts'
import { type Services, ServicesProvider } from '../../bindings/services.tsx'
import { useSignOut } from '../../bindings/sign-out.ts'
import { createFallbackStore } from '../../data/fallback-store.ts'
import { createMemoryStore, readOnce } from '../../data/memory-store.ts'
import { testSong } from '../../data/testing/rows.ts'
import { ScrolledSongList } from '../../features/catalogue/scrolled-song-list.tsx'
import { FavoriteKeys } from '../../features/favorites/favorite-keys.tsx'
import { FavoritesSection } from '../../features/favorites/favorites-section.tsx'
import { WishedFavorite } from '../../features/favorites/wished-favorite.tsx'
import { SignOutKeys } from '../../features/shell/sign-out-keys.tsx'
import { createApi, inNameOf } from '../../platform/api.ts'
import { followLinks } from '../links.ts'
import '../../ui/global.css'
import { ToastRegion } from '../../ui/toast.tsx'
import { createWrites } from '../writes.ts'

let root: Root | undefined
let host: HTMLElement | undefined
let stop = () => {}

// As on a desktop: a row shows all that it has.
beforeEach(() => page.viewport(1200, 800))
afterEach(() => {
  stop()
  root?.unmount()
  host?.remove()
})

const context = () => 'favorite'
export const list = (songs: readonly Song[]) => <ScrolledSongList songs={songs} contextOf={context} label="Favorites" />

interface Shown {
  signedIn?: boolean
  /** How the site answers: its list, a refusal, or not at all. */
  site?: 'answers' | 'refuses' | 'silent'
  has?: readonly Song[]
  /** Ids of songs that are favorites, and are not in the catalogue any more. */
  gone?: readonly string[]
  /** Ids of songs that the site does not know. */
  unknown?: readonly string[]
}

/** `children` over the real outbox and store, and a site that answers at the network's edge. */
export function show(children: ReactNode, { signedIn = true, site = 'answers', has = [], gone = [], unknown = [] }: Shown = {}) {
  const state = { site, signedIn }
  const states = new Map<string, FavoriteState>()
  const stateOf = (song: Song, index: number) => ({
    s: song.youtube_id,
    favorite: true,
    at: new Date(2e12 - index * 1000).toISOString(),
    song,
  })
  for (const [index, song] of has.entries()) states.set(song.youtube_id, stateOf(song, index))
  for (const s of gone) states.set(s, { s, favorite: true, at: new Date(1e12).toISOString() })
  const asked: FavoriteSync[] = []
  const answer = (status: number, data: unknown, message = '') => new Response(JSON.stringify({ code: status, message, data }), { status })
  const api = createApi({
    baseUrl: '/api',
    async fetch(url, init) {
      if (state.site === 'silent') throw new TypeError('Failed to fetch')
      if (!String(url).endsWith('/favorite/sync')) return answer(200, null)
      const call: FavoriteSync = JSON.parse(String(init?.body))
      asked.push(call)
      const isUnknown = ({ s }: { s: string }) => unknown.includes(s)
      const refused = (call.changes ?? []).filter(isUnknown).map(({ id }) => ({ id, message: 'There is no such song.' }))
      const changes = (call.changes ?? []).filter((change) => !isUnknown(change))
      if (state.site === 'refuses' && changes.length > 0) return answer(400, null, 'That song is gone.')
      for (const { s, favorite, at } of changes) states.set(s, { s, favorite, at })
      const favorites = call.since === undefined ? [...states.values()] : changes.flatMap(({ s }) => states.get(s) ?? [])
      const data = { cursor: String(asked.length), whole: call.since === undefined, more: false, favorites, refused }
      return answer(200, data)
    },
  })
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const setSignedIn = (next: boolean) => {
    state.signedIn = next
    for (const listener of [...listeners]) listener()
  }
  const ann = { uid: 'ann', email: 'ann@example.com', emailVerified: true }
  const identity = {
    getSnapshot: () => (state.signedIn ? ann : undefined),
    subscribe,
    token: async () => `x.${btoa(JSON.stringify({ sub: 'ann' }))}.y`,
    signOut: vi.fn(async () => setSignedIn(false)),
  }
  const connection = { offline: false, silent: false, subscribe: () => () => {} }
  const store = createFallbackStore(createMemoryStore())
  void store.change((tables) => tables.songs.put(has))
  // Only what these use.
  const deps = { api, accountApi: inNameOf(identity, api), identity, connection, store } as unknown as Parameters<typeof createWrites>[0]
  const writes = createWrites(deps)
  const player = { getSnapshot: () => ({ status: 'idle' }), subscribe: () => () => {} }
  const services = { ...deps, player, site: { brand: 'test' }, writes: async () => writes } as unknown as Services
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Frame>{children}</Frame> }),
    history: createMemoryHistory({ initialEntries: ['/song?s=x&p=y'] }),
    defaultNotFoundComponent: () => null,
  })
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  root.render(
    <ServicesProvider services={services}>
      <ToastRegion>
        {/* A router of its own type: the app's is not needed here. */}
        <RouterProvider router={router as never} />
      </ToastRegion>
    </ServicesProvider>,
  )
  const stopLinks = followLinks(document, router)
  stop = () => {
    stopLinks()
    writes.outbox.close()
  }
  const outbox = () => readOnce(store, (tables) => tables.outbox.all())
  const tap = (song: Song, favorite = true) => writes.favorites.tap('ann', [{ songId: song.youtube_id, favorite, song }])
  return { state, setSignedIn, states, asked, identity, router, store, outbox, tap, writes }
}

const Frame = ({ children }: { children: ReactNode }) => (
  <SignOutKeys>
    <FavoriteKeys>
      <WishedFavorite />
      <main tabIndex={-1}>{children}</main>
    </FavoriteKeys>
  </SignOutKeys>
)

export const SignOutKey = () => (
  <button type="button" onClick={useSignOut()}>
    Sign out
  </button>
)

export const songs = (count: number) => Array.from({ length: count }, (_, index) => testSong(index))
export const heart = (title: string) => page.getByRole('button', { name: `Favorite: ${title}`, exact: true })
export const section = <FavoritesSection list={list} />

/** Chooses a file to import. */
export function chooseFile(name: string, content: string) {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  const transfer = new DataTransfer()
  transfer.items.add(new File([content], name))
  if (input) input.files = transfer.files
  input?.dispatchEvent(new Event('change', { bubbles: true }))
}

/** All that `text` gives until it is ended, as the page changes. */
export function watchText(text: () => string | null | undefined): () => string {
  let seen = ''
  const watched = new MutationObserver(() => {
    seen += text() ?? ''
  })
  watched.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  return () => {
    watched.disconnect()
    return seen
  }
}
