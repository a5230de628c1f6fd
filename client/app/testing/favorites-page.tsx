import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FavoriteState, FavoriteSyncRequest } from '../../../contract/favorite.ts'
import type { Song } from '../../../contract/song.ts'
import { createAccountRepository } from '../../data/account-repository.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { wrapInDeviceDatabase } from '../../data/testing/databases.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { FavoritesProvider } from '../../features/favorites/favorites-provider.tsx'
import { FavoritesSection } from '../../features/favorites/favorites-section.tsx'
import { PendingFavorite } from '../../features/favorites/pending-favorite.tsx'
import { SignOutProvider } from '../../features/shell/sign-out-provider.tsx'
import { type Services, ServicesProvider } from '../../hooks/services.tsx'
import { useSignOut } from '../../hooks/sign-out.ts'
import { createApi, withAuth } from '../../platform/api.ts'
import { routeLinkClicks } from '../links.ts'
import '../../ui/global.css'
import { ToastRegion } from '../../ui/toast.tsx'
import { createOfflineMutations } from '../offline-mutations.ts'

interface RenderOptions {
  signedIn?: boolean
  /** Whether the simulated server answers normally, refuses changes, or fails like an unreachable network. */
  serverBehavior?: 'answers' | 'refuses' | 'silent'
  /** Favorites that the simulated server already has. */
  storedSongs?: readonly Song[]
  /** Ids of the favorites on the server whose songs are no longer in the catalogue. */
  removedSongIds?: readonly string[]
  /** Ids of the songs that the server refuses as unknown when they are added. */
  unknownSongIds?: readonly string[]
}

/**
 * Renders `children` until the test is finished, with the real outbox and an in-memory database. A simulated `fetch` answers for the server.
 */
export function renderWithServices(
  children: ReactNode,
  { signedIn = true, serverBehavior = 'answers', storedSongs = [], removedSongIds = [], unknownSongIds = [] }: RenderOptions = {},
) {
  const simulatedState = { site: serverBehavior, signedIn }
  const favoriteBySongId = new Map<string, FavoriteState>()
  const createFavoriteState = (song: Song, index: number) => ({
    s: song.youtube_id,
    favorite: true,
    at: new Date(2e12 - index * 1000).toISOString(),
    song,
  })
  for (const [index, song] of storedSongs.entries()) favoriteBySongId.set(song.youtube_id, createFavoriteState(song, index))
  for (const s of removedSongIds) favoriteBySongId.set(s, { s, favorite: true, at: new Date(1e12).toISOString() })
  const syncRequests: FavoriteSyncRequest[] = []
  const createJsonResponse = (status: number, data: unknown, message = '') =>
    new Response(JSON.stringify({ code: status, message, data }), { status })
  const api = createApi({
    baseUrl: '/api',
    async fetch(url, init) {
      if (simulatedState.site === 'silent') throw new TypeError('Failed to fetch')
      if (String(url).endsWith('/list/sync'))
        return createJsonResponse(200, { cursor: 'e.0', whole: true, more: false, playlists: [], entries: [], songs: [], refused: [] })
      if (String(url).endsWith('/list/match')) {
        const { names }: { names: unknown[] } = JSON.parse(String(init?.body))
        return createJsonResponse(200, { songs: [], found: names.map(() => ''), takes_videos: false })
      }
      if (!String(url).endsWith('/favorite/sync')) return createJsonResponse(200, null)
      const syncRequest: FavoriteSyncRequest = JSON.parse(String(init?.body))
      syncRequests.push(syncRequest)
      const isUnknownSong = ({ s }: { s: string }) => unknownSongIds.includes(s)
      const refusedChanges = (syncRequest.changes ?? []).filter(isUnknownSong).map(({ id }) => ({ id, message: 'There is no such song.' }))
      const favoriteChanges = (syncRequest.changes ?? []).filter((change) => !isUnknownSong(change))
      if (simulatedState.site === 'refuses' && favoriteChanges.length > 0) return createJsonResponse(400, null, 'That song is gone.')
      for (const { s, favorite, at } of favoriteChanges) favoriteBySongId.set(s, { s, favorite, at })
      const favorites =
        syncRequest.since === undefined ? [...favoriteBySongId.values()] : favoriteChanges.flatMap(({ s }) => favoriteBySongId.get(s) ?? [])
      const responseData = {
        cursor: String(syncRequests.length),
        whole: syncRequest.since === undefined,
        more: false,
        favorites,
        refused: refusedChanges,
      }
      return createJsonResponse(200, responseData)
    },
  })
  const listeners = new Set<() => void>()
  const subscribeToTable = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const setSignedIn = (isSignedIn: boolean) => {
    simulatedState.signedIn = isSignedIn
    for (const listener of [...listeners]) listener()
  }
  const annAccount = { uid: 'ann', email: 'ann@example.com', emailVerified: true }
  const identity = {
    getSnapshot: () => (simulatedState.signedIn ? annAccount : undefined),
    subscribe: subscribeToTable,
    token: async () => `x.${btoa(JSON.stringify({ sub: 'ann' }))}.y`,
    loginSignal: () => new AbortController().signal,
    signOut: vi.fn(async () => setSignedIn(false)),
  }
  const connection = { offline: false, serverUnreachable: false, subscribe: () => () => {} }
  const database = wrapInDeviceDatabase(createMemoryDatabase())
  void database.change((tables) => tables.songs.put(storedSongs))
  // The cast is safe, because the rendered components use only these services.
  const deps = { api, accountApi: withAuth(identity, api), identity, connection, database } as unknown as Parameters<
    typeof createOfflineMutations
  >[0]
  const offlineMutations = createOfflineMutations(deps)
  const player = { getSnapshot: () => ({ status: 'idle' }), subscribe: () => () => {} }
  const accounts = createAccountRepository({ api: deps.accountApi, database, getSignedInUid: () => identity.getSnapshot()?.uid })
  const services = {
    kind: 'main',
    ...deps,
    accounts,
    player,
    site: { brand: 'test' },
    offlineMutations: async () => offlineMutations,
  } as unknown as Services
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Providers>{children}</Providers> }),
    history: createMemoryHistory({ initialEntries: ['/song?s=x&p=y'] }),
    defaultNotFoundComponent: () => null,
  })
  const hostElement = document.body.appendChild(document.createElement('div'))
  const root = createRoot(hostElement)
  root.render(
    <ServicesProvider services={services}>
      <ToastRegion>
        {/* The cast is needed because the test router's type differs from the registered one. */}
        <RouterProvider router={router as never} />
      </ToastRegion>
    </ServicesProvider>,
  )
  const stopLinks = routeLinkClicks(document, router)
  onTestFinished(() => {
    stopLinks()
    offlineMutations.outbox.close()
    root.unmount()
    hostElement.remove()
  })
  const readOutbox = () => database.read((tables) => tables.outbox.all())
  const tap = (song: Song, favorite = true) => offlineMutations.favorites.edit('ann', [{ songId: song.youtube_id, favorite, song }])
  return {
    state: simulatedState,
    setSignedIn,
    serverFavorites: favoriteBySongId,
    syncRequests,
    identity,
    router,
    database,
    outbox: readOutbox,
    tap,
    offlineMutations,
  }
}

const Providers = ({ children }: { children: ReactNode }) => (
  <SignOutProvider>
    <FavoritesProvider>
      <PendingFavorite />
      <main tabIndex={-1}>{children}</main>
    </FavoritesProvider>
  </SignOutProvider>
)

export const SignOutButton = () => (
  <button type="button" onClick={useSignOut()}>
    Sign out
  </button>
)

export const createSongs = (count: number) => Array.from({ length: count }, (_, index) => createTestSong(index))
export const locateFavoriteButton = (title: string) => page.getByRole('button', { name: `Favorite: ${title}`, exact: true })
export const favoritesSection = <FavoritesSection />

/** Chooses a file of favorites in the import control of the page. */
export function chooseFile(fileName: string, fileContent: string) {
  const fileInput = document.querySelector<HTMLInputElement>('input[type=file]')
  const transfer = new DataTransfer()
  transfer.items.add(new File([fileContent], fileName))
  if (fileInput) fileInput.files = transfer.files
  fileInput?.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Records what `readText` returns at every change of the document. Returns a function that stops this and returns all recorded texts. */
export function recordTextChanges(readText: () => string | null | undefined): () => string {
  let recordedText = ''
  const observer = new MutationObserver(() => {
    recordedText += readText() ?? ''
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  return () => {
    observer.disconnect()
    return recordedText
  }
}
