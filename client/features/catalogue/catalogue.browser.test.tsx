import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Playlist } from '../../../contract/playlist.ts'
import type { Site } from '../../../contract/site.ts'
import type { Song } from '../../../contract/song.ts'
import { type Services, ServicesProvider } from '../../bindings/services.tsx'
import { createCatalogue } from '../../data/catalogue-repository.ts'
import { createMemoryStore } from '../../data/memory-store.ts'
import { createApi } from '../../platform/api.ts'
import { nobody } from '../../platform/nobody.ts'
import '../../ui/global.css'
import { ToastRegion } from '../../ui/toast.tsx'
import { Community } from './community.tsx'
import { PlaylistPage } from './playlist-page.tsx'
import { PlaylistsPage } from './playlists-page.tsx'
import { SearchPage } from './search-page.tsx'

const song = (index: number, over: Partial<Song> = {}): Song => {
  const id = `song${String(index).padStart(7, '0')}`
  return {
    youtube_id: id,
    youtube_url: `https://www.youtube.com/watch?v=${id}`,
    title: `Song ${index}`,
    author_name: 'Kirano',
    category_id: 'dance',
    category_name: 'Dance',
    date_added: '2026-11-12T00:00:00.000Z',
    duration: 185,
    new: 'false',
    ...over,
  }
}
const playlist = (over: Partial<Playlist> = {}): Playlist => ({
  id: 'rush',
  title: 'Rush hour',
  category_id: 'dance',
  category_name: 'Dance',
  description: '',
  description_url: '',
  youtube_url: '',
  special: false,
  image_url: '/img/playlist/rush',
  thumbnail: '',
  url: '/playlist?p=rush',
  song_count: 0,
  ...over,
})

type Answer = { code: number; message?: string; data?: unknown } | 'offline'
let root: Root | undefined
let host: HTMLElement | undefined

/** Shows `children` over a catalogue whose server answers with `answer(path and query)`. */
function show(children: ReactNode, answer: (path: string) => Answer, settings: Partial<Site['settings']> = {}, silent = false) {
  const asked: string[] = []
  const api = createApi({
    baseUrl: '/api',
    fetch: async (url) => {
      asked.push(String(url))
      const given = answer(String(url))
      if (given === 'offline') throw new TypeError('Failed to fetch')
      return new Response(JSON.stringify({ message: '', data: null, ...given }), { status: given.code })
    },
  })
  const playerState = { songId: song(1).youtube_id, contextId: 'rush', status: 'playing' }
  const player = {
    getSnapshot: () => playerState,
    subscribe: () => () => {},
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
    offline: silent,
    silent,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  // Only what these pages use of the player and the site.
  const catalogue = createCatalogue({ api, store: createMemoryStore() })
  const services = { api, connection, catalogue, player, site, identity: nobody } as unknown as Services
  const router = createRouter({
    routeTree: createRootRoute({ component: () => children }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
    defaultNotFoundComponent: () => children,
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
  const goOffline = () => {
    connection.offline = true
    for (const listener of [...listeners]) listener()
  }
  return { asked, player, router, goOffline }
}

afterEach(() => {
  root?.unmount()
  host?.remove()
  window.scrollTo(0, 0)
})

const rush = (songs: Song[], over: Partial<Playlist> = {}) => ({
  code: 200,
  data: { playlist: playlist({ song_count: songs.length, ...over }), songs },
})
const missing = <p>Page not found</p>

describe('a playlist', () => {
  it('shows rows with what the prototype shows, and marks the song that plays', async () => {
    await page.viewport(390, 844)
    show(<PlaylistPage id="rush" notFound={missing} />, () =>
      rush([song(0, { new: 'true' }), song(1)], { duration: 370, description: 'See https://example.com/x <b>', special: true }),
    )
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Rush hour')
    await expect.element(page.getByText('2 songs, 6 min')).toBeVisible()
    const first = page.getByRole('listitem').first()
    await expect.element(first.getByRole('link', { name: 'Song 0' })).toHaveAttribute('href', `/song?s=${song(0).youtube_id}&p=rush`)
    await expect.element(first.getByText('New', { exact: true })).toBeVisible()
    await expect.element(first.getByRole('link', { name: 'Kirano' })).toHaveAttribute('href', '/search?q=Kirano&type=artist')
    // On a phone there is room for the heart, and not for how long it is.
    await expect.element(first.getByRole('button', { name: 'Favorite: Song 0' })).toBeVisible()
    await expect.element(first.getByText('3:05')).not.toBeVisible()
    await page.viewport(820, 896)
    await expect.element(first.getByRole('button', { name: 'Favorite: Song 0' })).toBeVisible()
    await expect.element(first.getByText('3:05')).toBeVisible()
    await expect.element(page.getByRole('listitem').nth(1).getByText('Playing')).toBeInTheDocument()
    await expect.element(page.getByRole('link', { name: 'https://example.com/x' })).toHaveAttribute('rel', 'noopener nofollow ugc')
    await expect.element(page.getByText('<b>')).toBeVisible()
  })

  it('says that it is empty, letter for letter, and leads home', async () => {
    show(<PlaylistPage id="rush" notFound={missing} />, () => rush([]))
    await expect.element(page.getByText('No songs found', { exact: true })).toBeVisible()
    await expect.element(page.getByText('This playlist is empty', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Go back', exact: true })).toHaveAttribute('href', '/')
  })

  it('is not found where the server does not know it', async () => {
    show(<PlaylistPage id="rush" notFound={missing} />, () => ({ code: 404, message: 'No such playlist.' }))
    await expect.element(page.getByText('Page not found')).toBeVisible()
  })

  it("shows the server's message and Retry on a failure, and the rows after it", async () => {
    let fails = true
    show(<PlaylistPage id="rush" notFound={missing} />, () => (fails ? { code: 503, message: 'The server is stopping.' } : rush([song(0)])))
    await expect.element(page.getByRole('alert').first()).toHaveTextContent('The server is stopping.')
    fails = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.element(page.getByRole('link', { name: 'Song 0' })).toBeVisible()
  })

  it('moves nothing when the connection goes', async () => {
    const { goOffline } = show(<PlaylistPage id="rush" notFound={missing} />, () => rush([song(0)]))
    const row = page.getByRole('listitem').first()
    await expect.element(row).toBeVisible()
    const before = row.element().getBoundingClientRect().top
    goOffline()
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    expect(row.element().getBoundingClientRect().top).toBe(before)
  })

  it.each([
    ['the device has no network', false, 'This needs a connection: it was not opened here before.'],
    ['the site does not answer', true, 'The site does not answer, and this was not opened here before.'],
  ])('that was not opened before says so calmly where %s, with ways on', async (_why, silent, text) => {
    const { goOffline } = show(<PlaylistPage id="rush" notFound={missing} />, () => 'offline', {}, silent)
    if (!silent) goOffline()
    await expect.element(page.getByText(text, { exact: true })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Go back home' })).toHaveAttribute('href', '/')
    // The toasts' own region stands there empty.
    expect(
      page
        .getByRole('alert')
        .elements()
        .map((each) => each.textContent),
    ).toEqual([''])
  })

  it('queues a song from its menu', async () => {
    const { player } = show(<PlaylistPage id="rush" notFound={missing} />, () => rush([song(0)]))
    await page.getByRole('button', { name: 'More: Song 0' }).click()
    await page.getByRole('menuitem', { name: 'Play next' }).click()
    expect(player.playNext).toHaveBeenCalledWith(song(0))
    await expect.element(page.getByText('Plays next: Song 0')).toBeVisible()
  })
})

describe('ten thousand rows', () => {
  it('stand in the document only near the view, know their place, and keep the focus', async () => {
    const songs = Array.from({ length: 10_000 }, (_, index) => song(index))
    show(<PlaylistPage id="rush" notFound={missing} />, () => rush(songs))
    await expect.element(page.getByRole('link', { name: 'Song 0', exact: true })).toBeVisible()
    const rows = () => [...document.querySelectorAll<HTMLElement>('li[data-index]')]
    // The long list's own program takes over from the first rows.
    await expect.poll(() => rows()[0]?.style.position).toBe('absolute')
    expect(document.documentElement.scrollHeight).toBeGreaterThan(10_000 * 70)
    expect(rows().length).toBeLessThan(60)
    rows()[0]?.querySelector<HTMLElement>('a')?.focus()

    const startMs = performance.now()
    for (let step = 1; step <= 20; step++) {
      window.scrollTo({ top: (document.documentElement.scrollHeight / 20) * step, behavior: 'instant' })
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      expect(rows().length).toBeLessThan(60)
    }
    expect((performance.now() - startMs) / 20).toBeLessThan(250)
    await expect.element(page.getByRole('link', { name: 'Song 9999', exact: true })).toBeVisible()
    const last = rows().at(-1)
    expect([last?.getAttribute('aria-posinset'), last?.getAttribute('aria-setsize')]).toEqual(['10000', '10000'])
    expect(document.activeElement?.textContent).toBe('Song 0')
    expect(document.querySelectorAll('*').length).toBeLessThan(3_000)

    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    await expect.poll(() => window.scrollY, { timeout: 5_000 }).toBeLessThan(2_000)
  })
})

describe('all playlists', () => {
  it('show two thousand cards with their badges', async () => {
    const data = Array.from({ length: 2_000 }, (_, index) => playlist({ id: `p${index}`, title: `List ${index}`, special: index === 1 }))
    data.unshift(playlist({ id: 'new', title: 'New songs' }), playlist({ id: 'network', title: 'Network songs' }))
    show(<PlaylistsPage sort="popular" onSort={() => {}} />, () => ({ code: 200, data }))
    await expect
      .element(
        page
          .getByRole('link', { name: /^New songs/ })
          .or(page.getByRole('link', { name: /New songs/ }))
          .first(),
      )
      .toBeVisible()
    await expect.poll(() => document.querySelectorAll('a[href^="/playlist?p="]').length, { timeout: 10_000 }).toBe(2_002)
    await expect.element(page.getByText('Network', { exact: true })).toBeVisible()
    await expect.element(page.getByText('Special', { exact: true })).toBeVisible()
  })

  it.each([
    [false, 'Needs a connection'],
    [true, 'Cannot be reached'],
  ])('say which cannot be opened, and move nothing (the site is silent: %s)', async (silent, text) => {
    const { goOffline } = show(<PlaylistsPage sort="popular" onSort={() => {}} />, () => ({ code: 200, data: [playlist()] }), {}, silent)
    const card = page.getByRole('link', { name: /Rush hour/ })
    await expect.element(card).toBeVisible()
    const { height } = card.element().getBoundingClientRect()
    if (!silent) {
      goOffline()
      await expect.element(card).toHaveTextContent(text)
      expect(card.element().getBoundingClientRect().height).toBe(height)
    }
    await expect.element(card).toHaveTextContent(text)
  })

  it('tells of the sort that was chosen', async () => {
    const onSort = vi.fn()
    show(<PlaylistsPage sort="popular" onSort={onSort} />, () => ({ code: 200, data: [playlist()] }))
    await page.getByRole('combobox').selectOptions('Z-A')
    expect(onSort).toHaveBeenCalledWith('za')
  })
})

describe('search', () => {
  const love = { text: 'love', artist: false, sort: 'az' as const }

  it('says the text of the specification where the network fails and nothing is kept', async () => {
    show(<SearchPage query={love} onSort={() => {}} />, () => 'offline')
    await expect.element(page.getByText('An error occurred while fetching data.', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  })

  it("says the server's message where it answers with an error", async () => {
    show(<SearchPage query={love} onSort={() => {}} />, () => ({ code: 400, message: 's: too long' }))
    await expect.element(page.getByText('s: too long', { exact: true })).toBeVisible()
  })

  it('loads more as one scrolls, and plays a song in its category', async () => {
    const all = Array.from({ length: 120 }, (_, index) => song(index))
    const { asked } = show(<SearchPage query={love} onSort={() => {}} />, (path) => {
      const offset = Number(new URL(path, 'http://site').searchParams.get('offset'))
      return { code: 200, data: all.slice(offset, offset + 50) }
    })
    await expect
      .element(page.getByRole('link', { name: 'Song 0', exact: true }))
      .toHaveAttribute('href', `/song?s=${song(0).youtube_id}&p=dance`)
    const scrollOn = () => {
      window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
      return document.querySelectorAll('li[data-index]').length
    }
    await expect.poll(scrollOn, { timeout: 5_000 }).toBe(120)
    expect(asked).toHaveLength(3)
    await expect.element(page.getByText('120 songs')).toBeInTheDocument()
  })

  it('asks for words where there are none', async () => {
    const { router } = show(<SearchPage query={{ ...love, text: '' }} onSort={() => {}} />, () => 'offline')
    await page.getByRole('searchbox').fill('2024')
    await userEvent.keyboard('{Enter}')
    expect(router.history.location.href).toBe('/search?q=2024')
  })
})

describe('the Discord block', () => {
  it('loads its frame only when it is scrolled into view', async () => {
    show(
      <>
        <div style={{ height: 4000 }} />
        <Community />
      </>,
      () => 'offline',
      { DISCORD_WIDGET_ID: '12 3' },
    )
    await expect.element(page.getByText('Discord community')).toBeInTheDocument()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(document.querySelector('iframe[title="Discord community"]')).toBeNull()
    window.scrollTo(0, document.documentElement.scrollHeight)
    await expect
      .poll(() => document.querySelector('iframe[title="Discord community"]')?.getAttribute('src'))
      .toBe('https://discord.com/widget?id=12%203&theme=dark')
  })

  it('is a plain link where there is no widget', async () => {
    show(<Community />, () => 'offline', { SOCIAL_DISCORD: 'https://discord.example.com/x' })
    await expect.element(page.getByRole('link', { name: 'Join Discord' })).toHaveAttribute('href', 'https://discord.example.com/x')
    expect(document.querySelector('iframe')).toBeNull()
  })
})
