import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Playlist } from '../../../contract/playlist.ts'
import type { Site } from '../../../contract/site.ts'
import type { Song } from '../../../contract/song.ts'
import type { Suggestions } from '../../../contract/suggestions.ts'
import { createCatalogue } from '../../data/catalogue-repository.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { wrapInDeviceDatabase } from '../../data/testing/databases.ts'
import { createArtistPath } from '../../hooks/paths.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createApi } from '../../platform/api.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import type { OpenRequest, PlayerState } from '../../player/player-interface.ts'
import '../../ui/global.css'
import { expectFasterThan } from '../../../testing/timing.ts'
import { createTestPlaylist, createTestSong } from '../../data/testing/rows.ts'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import { PlaylistPage } from './playlist-page.tsx'
import { PlaylistsPage } from './playlists-page.tsx'
import { SearchPage } from './search-page.tsx'

const createSongWith = (index: number, overrides: Partial<Song> = {}) =>
  createTestSong(index, { date_added: '2026-11-12T00:00:00.000Z', duration: 185, ...overrides })
const createPlaylistWith = (overrides: Partial<Playlist> = {}) =>
  createTestPlaylist('rush', { title: 'Rush hour', song_count: 0, ...overrides })

type ServerResponse = { code: number; message?: string; data?: unknown } | 'offline'
let root: Root | undefined
let hostElement: HTMLElement | undefined

/** Renders `children` with services whose server responds with the result of `respond(path and query)`. */
function renderPage(
  children: ReactNode,
  responseTo: (path: string) => ServerResponse | Promise<ServerResponse>,
  settings: Partial<Site['settings']> = {},
  isServerUnreachable = false,
  suggestions: Suggestions = { songs: [], artists: [], playlists: [] },
) {
  const requestedPaths: string[] = []
  const api = createApi({
    baseUrl: '/api',
    fetch: async (url) => {
      const isSuggestionRequest = /^\/api\/search\/(suggest|similar)/.test(String(url))
      if (!isSuggestionRequest) requestedPaths.push(String(url))
      const response = isSuggestionRequest ? { code: 200, data: suggestions } : await responseTo(String(url))
      if (response === 'offline') throw new TypeError('Failed to fetch')
      return new Response(JSON.stringify({ message: '', data: null, ...response }), { status: response.code })
    },
  })
  let playerState: Partial<PlayerState> = { songId: createSongWith(1).youtube_id, contextId: 'rush', status: 'playing' }
  const player = {
    getSnapshot: () => playerState,
    subscribe: () => () => {},
    open: vi.fn(({ songId, contextId }: OpenRequest) => {
      playerState = { ...playerState, songId, contextId }
    }),
    reset: () => {
      playerState = { status: 'idle' }
    },
    clearQueue: vi.fn(),
    playNext: vi.fn(),
    enqueue: vi.fn(),
    pause: vi.fn(),
  }
  const site = {
    settings: { NAME: 'Test', META_TITLE: 'Test', COMMUNITY_TEXT: '', SOCIAL_DISCORD: '', DISCORD_WIDGET_ID: '', ...settings },
    texts: {},
  }
  const listeners = new Set<() => void>()
  const connection = {
    offline: isServerUnreachable,
    serverUnreachable: isServerUnreachable,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  // The cast is safe, because these pages use only these members of the services.
  const database = wrapInDeviceDatabase(createMemoryDatabase())
  const catalogue = createCatalogue({ api, database })
  const noRows = { subscribe: () => () => {}, getSnapshot: () => undefined }
  const offlinePlaylists = { pinned: noRows, onDownloads: noRows.subscribe, downloads: () => new Map() }
  const services = createTestServices({
    ...{ api, connection, catalogue, database, offlinePlaylists, player, site },
    identity: anonymousIdentity,
    initialData: {},
  })
  const router = createRouter({
    routeTree: createRootRoute({ component: () => children }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
    defaultNotFoundComponent: () => children,
  })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider services={services}>
      <ToastRegion>
        {/* The cast is needed because the test router's type differs from the app's. */}
        <RouterProvider router={router as never} />
      </ToastRegion>
    </ServicesProvider>,
  )
  const goOffline = () => {
    connection.offline = true
    for (const listener of [...listeners]) listener()
  }
  return { requests: requestedPaths, player, router, goOffline }
}

afterEach(() => {
  vi.restoreAllMocks()
  root?.unmount()
  hostElement?.remove()
  window.scrollTo(0, 0)
})

const createRushResponse = (songs: Song[], overrides: Partial<Playlist> = {}) => ({
  code: 200,
  data: { playlist: createPlaylistWith({ song_count: songs.length, ...overrides }), songs },
})
const locateSearchField = () => page.getByRole('combobox', { name: 'Search songs and artists' })

describe('a playlist', () => {
  it('each row has the columns of a song, and the current song is marked', async () => {
    await page.viewport(390, 844)
    renderPage(<PlaylistPage id="rush" />, () =>
      createRushResponse([createSongWith(0, { new: 'true' }), createSongWith(1, { author_name: 'فيروز', category_name: 'موسيقى' })], {
        duration: 370,
        description: 'See https://example.com/x <b>',
        special: true,
      }),
    )
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Rush hour')
    await expect.element(page.getByText('2 songs, 6 min')).toBeVisible()
    const firstRow = page.getByRole('listitem').first()
    await expect
      .element(firstRow.getByRole('link', { name: 'Song 0' }))
      .toHaveAttribute('href', `/song?s=${createSongWith(0).youtube_id}&p=rush`)
    await expect.element(firstRow.getByText('New', { exact: true })).toBeVisible()
    await expect.element(firstRow.getByRole('link', { name: 'Kirano' })).toHaveAttribute('href', '/search?q=Kirano&type=artist')
    // Checks that on a phone the favorite button is visible and the duration is not.
    await expect.element(firstRow.getByRole('button', { name: 'Favorite: Song 0' })).toBeVisible()
    await expect.element(firstRow.getByText('3:05')).not.toBeVisible()
    await page.viewport(820, 896)
    await expect.element(firstRow.getByRole('button', { name: 'Favorite: Song 0' })).toBeVisible()
    await expect.element(firstRow.getByText('3:05')).toBeVisible()
    await expect.element(page.getByRole('listitem').nth(1).getByText('Playing')).toBeInTheDocument()
    await expect.element(page.getByRole('link', { name: 'https://example.com/x' })).toHaveAttribute('rel', 'noopener nofollow ugc')
    await expect.element(page.getByText('<b>')).toBeVisible()
    // If a name is cut, its last letters are lost, also in a script that is written from right to left.
    for (const name of ['فيروز', 'موسيقى'])
      await expect.element(page.getByRole('link', { name, exact: true }).first()).toHaveStyle({ direction: 'rtl' })
  })

  it('an empty playlist shows the texts that the specification requires and a link to the home page', async () => {
    renderPage(<PlaylistPage id="rush" />, () => createRushResponse([]))
    await expect.element(page.getByText('No songs found', { exact: true })).toBeVisible()
    await expect.element(page.getByText('This playlist is empty', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Go back', exact: true })).toHaveAttribute('href', '/')
  })

  it('an unknown playlist id shows the not-found page', async () => {
    renderPage(<PlaylistPage id="rush" />, () => ({ code: 404, message: 'No such playlist.' }))
    await expect.element(page.getByText('Page not found')).toBeVisible()
    await expect.element(page.getByText("This playlist isn't on the site, or not any more.")).toBeVisible()
  })

  it("a playlist shows the server's error message, and its rows after Retry", async () => {
    let isServerFailing = true
    renderPage(<PlaylistPage id="rush" />, () =>
      isServerFailing ? { code: 503, message: 'The server is stopping.' } : createRushResponse([createSongWith(0)]),
    )
    await expect.element(page.getByRole('alert').first()).toHaveTextContent('The server is stopping.')
    isServerFailing = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.element(page.getByRole('link', { name: 'Song 0' })).toBeVisible()
  })

  it('a playlist of one song has no button to sort and filter', async () => {
    renderPage(<PlaylistPage id="rush" />, () => createRushResponse([createSongWith(0)]))
    await expect.element(page.getByRole('link', { name: 'Song 0' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Sort and filter' })).not.toBeInTheDocument()
  })

  it('a song of unknown length shows a dash', async () => {
    const { duration: _unknown, ...song } = createSongWith(0)
    renderPage(<PlaylistPage id="rush" />, () => createRushResponse([song, createSongWith(1, { duration: 62 })]))
    await expect.element(page.getByRole('listitem').nth(1)).toHaveTextContent('1:02')
    await expect.element(page.getByRole('listitem').first().getByText('–', { exact: true })).toBeInTheDocument()
  })

  it('a list of songs of which most have an unknown length has no column for lengths', async () => {
    await page.viewport(1440, 896)
    const songsWithoutLength = [0, 1].map((index) => {
      const { duration: _unknown, ...song } = createSongWith(index)
      return song
    })
    renderPage(<PlaylistPage id="rush" />, () => createRushResponse([...songsWithoutLength, createSongWith(2, { duration: 62 })]))
    await expect.element(page.getByRole('link', { name: 'Song 2' })).toBeVisible()
    await expect.element(page.getByText('–', { exact: true }).first()).not.toBeVisible()
    await expect.element(page.getByText('1:02')).not.toBeVisible()
    // The grid of a row has the columns of the number, picture, title, artist, category and date, and of two buttons.
    const columns = getComputedStyle(page.getByRole('listitem').first().element()).gridTemplateColumns.split(' ')
    expect(columns).toHaveLength(8)
  })

  it('losing the connection does not shift the layout', async () => {
    const { goOffline } = renderPage(<PlaylistPage id="rush" />, () => createRushResponse([createSongWith(0)]))
    const row = page.getByRole('listitem').first()
    await expect.element(row).toBeVisible()
    const rowTopBefore = row.element().getBoundingClientRect().top
    goOffline()
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    expect(row.element().getBoundingClientRect().top).toBe(rowTopBefore)
  })

  it.each([
    ['the device has no network', false, "You haven't opened this here before, so it needs a connection."],
    ['the site does not answer', true, "The site isn't responding, and you haven't opened this here before."],
  ])('a playlist that is not cached shows a notice and links, but no alert, if %s', async (_condition, isServerUnreachable, alertText) => {
    const { goOffline } = renderPage(<PlaylistPage id="rush" />, () => 'offline', {}, isServerUnreachable)
    if (!isServerUnreachable) goOffline()
    await expect.element(page.getByText(alertText, { exact: true })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Go back home' })).toHaveAttribute('href', '/')
    // Checks that the region for toasts that are announced as alerts is empty.
    expect(
      page
        .getByRole('alert')
        .elements()
        .map((each) => each.textContent),
    ).toEqual([''])
  })

  it("a song's menu adds the song to the queue", async () => {
    const { player } = renderPage(<PlaylistPage id="rush" />, () => createRushResponse([createSongWith(0)]))
    await page.getByRole('button', { name: 'More: Song 0' }).click()
    await page.getByRole('menuitem', { name: 'Play next' }).click()
    expect(player.playNext).toHaveBeenCalledWith(createSongWith(0))
    await expect.element(page.getByText('Plays next: Song 0')).toBeVisible()
  })

  it.each(['Play next', 'Add to queue'])("%s in a song's menu plays the song in its playlist if the player has no song", async (action) => {
    const { player } = renderPage(<PlaylistPage id="rush" />, () => createRushResponse([createSongWith(0)]))
    player.reset()
    await page.getByRole('button', { name: 'More: Song 0' }).click()
    await page.getByRole('menuitem', { name: action }).click()
    expect(player.open.mock.calls).toEqual([[{ songId: createSongWith(0).youtube_id, contextId: 'rush' }]])
    expect(player.playNext).not.toHaveBeenCalled()
    expect(player.enqueue).not.toHaveBeenCalled()
  })

  it('the menu of a song opens by keyboard at its first or last action, and closes', async () => {
    renderPage(<PlaylistPage id="rush" />, () => createRushResponse([createSongWith(0), createSongWith(1)]))
    const moreButton = page.getByRole('button', { name: 'More: Song 1' })
    await expect.element(moreButton).toHaveAttribute('aria-haspopup', 'menu')
    moreButton.element().focus()
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(page.getByRole('menuitem', { name: 'Go to artist' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(moreButton).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('menuitem', { name: 'Play next' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  })
})

describe('a list of 10,000 songs', () => {
  it('a list of 10,000 songs renders only the rows near the viewport, with their positions, and keeps the focus', async () => {
    const songs = Array.from({ length: 10_000 }, (_, index) => createSongWith(index))
    renderPage(<PlaylistPage id="rush" />, () => createRushResponse(songs))
    await expect.element(page.getByRole('link', { name: 'Song 0', exact: true })).toBeVisible()
    const listRows = () => [...document.querySelectorAll<HTMLElement>('li[data-index]')]
    // The virtualized list replaces the first rows once its chunk is loaded.
    await expect.poll(() => listRows()[0]?.style.position).toBe('absolute')
    expect(document.documentElement.scrollHeight).toBeGreaterThan(10_000 * 70)
    expect(listRows().length).toBeLessThan(60)
    listRows()[0]?.querySelector<HTMLElement>('a')?.focus()

    const startMs = performance.now()
    for (let scrollStep = 1; scrollStep <= 20; scrollStep++) {
      window.scrollTo({ top: (document.documentElement.scrollHeight / 20) * scrollStep, behavior: 'instant' })
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      expect(listRows().length).toBeLessThan(60)
    }
    expectFasterThan((performance.now() - startMs) / 20, 250)
    await expect.element(page.getByRole('link', { name: 'Song 9999', exact: true })).toBeVisible()
    const lastRow = listRows().at(-1)
    expect([lastRow?.getAttribute('aria-posinset'), lastRow?.getAttribute('aria-setsize')]).toEqual(['10000', '10000'])
    expect(document.activeElement?.textContent).toBe('Song 0')
    expect(document.querySelectorAll('*').length).toBeLessThan(3_000)

    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    await expect.poll(() => window.scrollY).toBeLessThan(2_000)
  })
})

describe('the page of all playlists', () => {
  it('the page of all playlists shows 2,000 cards with their badges', { tags: ['long'] }, async () => {
    const manySongs = Array.from({ length: 2_000 }, (_, index) =>
      createPlaylistWith({ id: `p${index}`, title: `List ${index}`, special: index === 1 }),
    )
    manySongs.unshift(createPlaylistWith({ id: 'new', title: 'New songs' }), createPlaylistWith({ id: 'network', title: 'Network songs' }))
    renderPage(<PlaylistsPage sort="popular" onSort={() => {}} />, () => ({ code: 200, data: manySongs }))
    await expect.element(page.getByRole('link', { name: /New songs/ }).first()).toBeVisible()
    await expect.poll(() => document.querySelectorAll('a[href^="/playlist?p="]').length).toBe(2_002)
    await expect.element(page.getByText('Network', { exact: true })).toBeVisible()
    await expect.element(page.getByText('Special', { exact: true })).toBeVisible()
  })

  it.each([
    [false, 'Needs a connection'],
    [true, 'When the site is back'],
  ])(
    'the page of all playlists marks playlists that are not cached, without a layout shift (the site does not respond: %s)',
    async (isServerUnreachable, alertText) => {
      const { goOffline } = renderPage(
        <PlaylistsPage sort="popular" onSort={() => {}} />,
        () => ({ code: 200, data: [createPlaylistWith()] }),
        {},
        isServerUnreachable,
      )
      const songLink = page.getByRole('link', { name: /Rush hour/ })
      await expect.element(songLink).toBeVisible()
      const { height } = songLink.element().getBoundingClientRect()
      if (!isServerUnreachable) {
        goOffline()
        await expect.element(songLink).toHaveTextContent(alertText)
        expect(songLink.element().getBoundingClientRect().height).toBe(height)
      }
      await expect.element(songLink).toHaveTextContent(alertText)
    },
  )

  it('choosing a sort order on the page of all playlists calls `onSort` with this order', async () => {
    const onSort = vi.fn()
    renderPage(<PlaylistsPage sort="popular" onSort={onSort} />, () => ({ code: 200, data: [createPlaylistWith()] }))
    await page.getByRole('combobox').selectOptions('Z-A')
    expect(onSort).toHaveBeenCalledWith('za')
  })
})

describe('search', () => {
  const loveQuery = { text: 'love', artist: false, sort: 'az' as const }

  it('if the network fails and nothing is cached, search shows the text that the specification requires', async () => {
    renderPage(<SearchPage query={loveQuery} onSort={() => {}} />, () => 'offline')
    await expect.element(page.getByText('An error occurred while fetching data.', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  })

  it("search shows the server's error message", async () => {
    renderPage(<SearchPage query={loveQuery} onSort={() => {}} />, () => ({ code: 400, message: 's: too long' }))
    await expect.element(page.getByText('s: too long', { exact: true })).toBeVisible()
  })

  it('search loads more results on scrolling, and each link opens the song in the context of its category', async () => {
    const allSongs = Array.from({ length: 120 }, (_, index) => createSongWith(index))
    const { requests } = renderPage(<SearchPage query={loveQuery} onSort={() => {}} />, (requestPath) => {
      const offset = Number(new URL(requestPath, 'http://site').searchParams.get('offset'))
      return { code: 200, data: allSongs.slice(offset, offset + 50) }
    })
    await expect
      .element(page.getByRole('link', { name: 'Song 0', exact: true }))
      .toHaveAttribute('href', `/song?s=${createSongWith(0).youtube_id}&p=dance`)
    const scrollAndCountRows = () => {
      window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
      return document.querySelectorAll('li[data-index]').length
    }
    await expect.poll(scrollAndCountRows).toBe(120)
    expect(requests).toHaveLength(3)
    await expect.element(page.getByText('120 songs')).toBeInTheDocument()
  })

  it('search lists matching artists and playlists, and its field contains the searched text', async () => {
    const { router } = renderPage(
      <SearchPage query={loveQuery} onSort={() => {}} />,
      () => ({ code: 200, data: [createSongWith(1)] }),
      {},
      false,
      {
        songs: [],
        artists: [{ name: 'Love Unit', song_count: 2 }],
        playlists: [createPlaylistWith({ id: 'hearts', title: 'All my love' })],
      },
    )
    const nameList = page.getByRole('list', { name: 'Artists and playlists' })
    await expect.element(nameList.getByRole('link', { name: /Love Unit/ })).toHaveAttribute('href', '/search?q=Love+Unit&type=artist')
    await expect.element(nameList.getByRole('link', { name: /All my love/ })).toHaveAttribute('href', '/playlist?p=hearts')
    await expect.element(locateSearchField()).toHaveValue('love')
    await locateSearchField().fill('rain')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    expect(router.history.location.href).toBe('/search?q=rain')
  })

  it('a long text takes two lines of the heading, each as high as its letters, so that no part of a third line is visible', async () => {
    renderPage(<SearchPage query={{ ...loveQuery, text: 'typography '.repeat(30) }} onSort={() => {}} />, () => ({ code: 200, data: [] }))
    const heading = page.getByRole('heading', { level: 1 })
    await expect.element(heading).toBeVisible()
    const { lineHeight, fontSize } = getComputedStyle(heading.element())
    expect(heading.element().clientHeight / Number.parseFloat(lineHeight)).toBeCloseTo(2, 1)
    expect(Number.parseFloat(lineHeight) / Number.parseFloat(fontSize)).toBeGreaterThan(1.1)
  })

  it("search shows an artist's name and number of songs, and plays all of them", async () => {
    const allSongs = Array.from({ length: 60 }, (_, index) => createSongWith(index, { author_name: 'Love Unit' }))
    const { player, router } = renderPage(
      <SearchPage query={{ ...loveQuery, text: 'love unit', artist: true }} onSort={() => {}} />,
      (path) => ({ code: 200, data: allSongs.slice(0, Number(new URL(path, 'http://site').searchParams.get('limit'))) }),
      {},
      false,
      { songs: [], artists: [{ name: 'Love Unit', song_count: 60 }], playlists: [] },
    )
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Songs by love unit')
    await expect.element(page.getByText('60 songs')).toBeVisible()
    expect(page.getByRole('list', { name: 'Artists and playlists' }).elements()).toHaveLength(0)
    await page.getByRole('button', { name: 'Play all' }).click()
    const [firstSong, ...otherSongs] = allSongs.map((song) => song.youtube_id)
    expect(player.open.mock.calls).toEqual([[{ songId: firstSong, contextId: 'dance' }]])
    expect(router.history.location.href).toBe(`/song?s=${firstSong}&p=dance`)
    await expect.poll(() => player.enqueue.mock.calls.map(([song]) => song.youtube_id)).toEqual(otherSongs)
    expect(player.clearQueue).toHaveBeenCalledBefore(player.open)
  })

  it("an artist's songs are counted and played without those of artists whose names contain the name", async () => {
    const searchResults = [
      ...Array.from({ length: 49 }, (_, index) => createSongWith(index, { author_name: 'Rush' })),
      ...Array.from({ length: 20 }, (_, index) => createSongWith(100 + index, { author_name: 'Rush of Fools' })),
    ]
    const { player } = renderPage(<SearchPage query={{ ...loveQuery, text: 'rush', artist: true }} onSort={() => {}} />, (requestPath) => {
      const { searchParams } = new URL(requestPath, 'http://site')
      const offset = Number(searchParams.get('offset'))
      return { code: 200, data: searchResults.slice(offset, offset + Number(searchParams.get('limit'))) }
    })
    await expect.element(page.getByText('49 songs')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Other artists with similar names' })).toBeInTheDocument()
    await page.getByRole('button', { name: 'Play all' }).click()
    await expect.poll(() => player.enqueue.mock.calls.length).toBe(48)
    for (const [song] of player.enqueue.mock.calls) expect(song.author_name).toBe('Rush')
  })

  it('if a search for the link of a video finds no song, the page says that the site does not have the video', async () => {
    renderPage(<SearchPage query={{ ...loveQuery, text: 'youtu.be/AAAAAAAAAAA' }} onSort={() => {}} />, () => ({ code: 200, data: [] }))
    await expect.element(page.getByText("This video isn't on the site yet.")).toBeVisible()
  })

  it('if another song is opened while songs are requested for the queue, nothing is queued', async () => {
    const loadedSongs = Array.from({ length: 50 }, (_, index) => createSongWith(index))
    let sendResponse = () => {}
    const { player } = renderPage(<SearchPage query={loveQuery} onSort={() => {}} />, (requestPath) =>
      requestPath.includes('limit=200')
        ? new Promise((resolve) => {
            sendResponse = () => resolve({ code: 200, data: loadedSongs })
          })
        : { code: 200, data: loadedSongs },
    )
    await page.getByRole('button', { name: 'Play all' }).click()
    player.open({ songId: createSongWith(77).youtube_id, contextId: 'dance' })
    sendResponse()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(player.enqueue).not.toHaveBeenCalled()
  })

  it('a search without results offers artists and songs with a similar spelling', async () => {
    renderPage(<SearchPage query={{ ...loveQuery, text: 'lovve' }} onSort={() => {}} />, () => ({ code: 200, data: [] }), {}, false, {
      artists: [{ name: 'Love Unit', song_count: 2 }],
      songs: [createSongWith(1, { title: 'Love' })],
      playlists: [],
    })
    const suggestionList = page.getByRole('list', { name: 'Did you mean' })
    await expect.element(suggestionList.getByRole('link', { name: 'Love Unit' })).toHaveAttribute('href', '/search?q=Love+Unit&type=artist')
    await expect
      .element(suggestionList.getByRole('link', { name: 'Love', exact: true }))
      .toHaveAttribute('href', `/song?s=${createSongWith(1).youtube_id}&p=dance`)
  })

  it('the search page begins with artists, categories, and the searches of this device, which can be cleared', async () => {
    renderPage(<SearchPage query={{ ...loveQuery, text: '' }} onSort={() => {}} />, () => ({
      code: 200,
      data: { artists: [{ name: '新海誠', song_count: 3 }], categories: [{ id: 'dance', name: 'Dance', song_count: 1 }] },
    }))
    const locateList = (name: string) => page.getByRole('list', { name })
    await expect
      .element(locateList('Artists').getByRole('link', { name: '新海誠 3 songs' }))
      .toHaveAttribute('href', createArtistPath('新海誠'))
    await expect.element(locateList('Categories').getByRole('link', { name: 'Dance 1 song' })).toHaveAttribute('href', '/playlist?p=dance')
    await expect
      .element(locateList('Your searches').getByRole('link', { name: 'love', exact: true }))
      .toHaveAttribute('href', '/search?q=love')
    Object.assign(hostElement ?? {}, { id: 'main', tabIndex: -1 })
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.element(locateList('Your searches')).not.toBeInTheDocument()
    expect(document.activeElement).toBe(hostElement)
  })

  it('the search page shows a search form if the query is empty', async () => {
    const { router } = renderPage(<SearchPage query={{ ...loveQuery, text: '' }} onSort={() => {}} />, () => 'offline')
    await locateSearchField().fill('2024')
    await userEvent.keyboard('{Enter}')
    expect(router.history.location.href).toBe('/search?q=2024')
  })
})
