import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Song } from '../../../contract/song.ts'
import type { SearchStartSuggestions, Suggestions } from '../../../contract/suggestions.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { createSongIndex } from '../../data/song-index.ts'
import { createTestPlaylist, createTestSong } from '../../data/testing/rows.ts'
import { pageSearchFieldRef } from '../../hooks/search-field.ts'
import { forgetSearches, rememberSearch } from '../../hooks/search-start.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { createApi } from '../../platform/api.ts'
import { addListener } from '../../primitives/scope.ts'
import { NavSearch } from './nav-search.tsx'
import '../../ui/global.css'

const neonRain = createTestSong(1, { title: 'Neon Rain', author_name: 'Aiko' })
const foundSuggestions: Suggestions = {
  songs: [neonRain, createTestSong(2, { title: 'Neon City', author_name: 'Lars' })],
  artists: [{ name: 'Neona', song_count: 12 }],
  playlists: [createTestPlaylist('nights', { title: 'Neon nights', song_count: 1 })],
}

const startSuggestions: SearchStartSuggestions = {
  artists: [{ name: 'Aiko', song_count: 30 }],
  categories: [{ id: 'dance', name: 'Dance', song_count: 40 }],
}

const onSearch = vi.fn()
/** The server's answer to a request for suggestions. */
const answerSuggestions = vi.fn<(text: string | null, signal: AbortSignal | null | undefined) => Promise<Suggestions>>()
const api = createApi({
  baseUrl: '/api',
  fetch: async (requestUrl, init) => {
    const { pathname, searchParams } = new URL(String(requestUrl), location.href)
    if (pathname === '/api/search/start') return Response.json({ code: 200, message: 'OK', data: startSuggestions })
    return Response.json({ code: 200, message: 'OK', data: await answerSuggestions(searchParams.get('s'), init?.signal) })
  },
})
let followedPaths: string[] = []
let endTest = () => {}

const PageField = () => <input ref={pageSearchFieldRef} aria-label="Field of the page" defaultValue="neon" />

interface SearchSetup {
  searchedText?: string
  isOffline?: boolean
  songs?: Song[]
  /** Whether the page has a search field of its own. */
  hasPageField?: boolean
}

function renderSearch({ searchedText, isOffline: offline = false, songs = [], hasPageField = false }: SearchSetup = {}) {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  const database = createMemoryDatabase()
  void database.change((tables) => tables.songs.put(songs))
  const index = createSongIndex(database)
  const services = createTestServices({
    api,
    connection: { offline },
    initialData: {},
    catalogue: {
      songIndex: async () => index,
      localPlaylists: { subscribe: () => () => {}, getSnapshot: () => [{ id: 'kept', title: 'Neon, kept', pinned: true }] },
    },
  })
  flushSync(() =>
    root.render(
      <ServicesProvider services={services}>
        <div style={{ position: 'relative' }}>
          <NavSearch searchedText={searchedText} onSearch={onSearch} />
        </div>
        <p style={{ paddingTop: '600px' }}>The page</p>
        {hasPageField && <PageField />}
      </ServicesProvider>,
    ),
  )
  const stopListening = addListener(document, 'click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link) return
    event.preventDefault()
    followedPaths.push(link.getAttribute('href') ?? '')
  })
  endTest = () => {
    stopListening()
    flushSync(() => root.unmount())
    container.remove()
  }
}

beforeEach(async () => {
  followedPaths = []
  onSearch.mockClear()
  answerSuggestions.mockReset()
  answerSuggestions.mockResolvedValue(foundSuggestions)
  await page.viewport(1280, 800)
})
afterEach(() => {
  vi.useRealTimers()
  endTest()
})

const locateSearchButton = () => page.getByRole('button', { name: 'Search', exact: true })
const findSearchBox = () => page.getByRole('combobox', { name: 'Search songs and artists' })
const locateSuggestionList = () => page.getByRole('listbox', { name: 'Suggestions' })
const findOption = (name: string) => locateSuggestionList().getByRole('option', { name })
const findActiveOption = () => {
  const id = findSearchBox().element().getAttribute('aria-activedescendant')
  return id === null ? undefined : document.getElementById(id)?.textContent
}

async function openAndType(typedText: string) {
  await locateSearchButton().click()
  await userEvent.fill(findSearchBox(), typedText)
  await expect.element(locateSuggestionList()).toBeVisible()
}

it('Enter searches for the typed text, and does nothing if the box is empty', async () => {
  renderSearch()
  await locateSearchButton().click()
  await expect.element(findSearchBox()).toHaveFocus()
  await userEvent.keyboard('  {Enter}')
  expect(onSearch).not.toHaveBeenCalled()
  await userEvent.fill(findSearchBox(), '  neon rain ')
  await userEvent.keyboard('{Enter}')
  expect(onSearch.mock.calls).toEqual([['neon rain']])
  await expect.element(findSearchBox()).not.toBeInTheDocument()
})

it('on the search page, which has a field of its own, the button focuses that field and selects its text', async () => {
  renderSearch({ hasPageField: true })
  const field = page.getByRole('textbox', { name: 'Field of the page' }).element()
  if (!(field instanceof HTMLInputElement)) throw new Error('the page has no field')
  await locateSearchButton().click()
  await expect.element(field).toHaveFocus()
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 4])
  expect(findSearchBox().elements()).toHaveLength(0)
})

it('Escape and a press outside close the search box', async () => {
  renderSearch()
  await locateSearchButton().click()
  await userEvent.keyboard('{Escape}')
  await expect.element(findSearchBox()).not.toBeInTheDocument()
  await expect.element(locateSearchButton()).toHaveFocus()
  await locateSearchButton().click()
  await page.getByText('The page').click()
  await expect.element(findSearchBox()).not.toBeInTheDocument()
})

it('pressing Enter or Escape within an input method neither follows a suggestion nor closes the box', async () => {
  renderSearch()
  await openAndType('to')
  await userEvent.keyboard('{ArrowDown}')
  for (const keyName of ['Enter', 'Escape'])
    for (const eventFields of [{ isComposing: true }, { keyCode: 229 }]) {
      const event = new KeyboardEvent('keydown', { key: keyName, bubbles: true, cancelable: true, ...eventFields })
      findSearchBox().element().dispatchEvent(event)
      expect(event.defaultPrevented, `${keyName} ${JSON.stringify(eventFields)}`).toBe(false)
    }
  expect(followedPaths).toEqual([])
  expect(onSearch).not.toHaveBeenCalled()
  await expect.element(locateSuggestionList()).toBeVisible()
})

it('an empty box lists the latest searches of the device, and the artists and categories with the most songs', async () => {
  rememberSearch('rain')
  renderSearch()
  await locateSearchButton().click()
  await expect.element(locateSuggestionList()).toBeVisible()
  const listPaths = () =>
    locateSuggestionList()
      .getByRole('option')
      .elements()
      .map((link) => link.getAttribute('href'))
  await expect.poll(listPaths).toEqual(['/search?q=rain', '/search?q=Aiko&type=artist', '/playlist?p=dance'])
  await userEvent.keyboard('{ArrowDown}')
  expect(findActiveOption()).toBe('rain')
  await userEvent.fill(findSearchBox(), 'neon')
  await expect.element(findOption('Neon Rain Aiko')).toBeVisible()
  await userEvent.fill(findSearchBox(), '')
  await expect.poll(listPaths).toHaveLength(3)
  forgetSearches()
  await expect.poll(listPaths).toHaveLength(2)
})

it('suggestions: songs, artists and playlists are listed in groups, followed by a link to all results; screen readers announce the number of suggestions', async () => {
  renderSearch()
  await openAndType(' neon ')
  await expect.element(findSearchBox()).toHaveAttribute('aria-expanded', 'true')
  expect(findSearchBox().element().getAttribute('aria-controls')).toBe(locateSuggestionList().element().id)
  for (const name of ['Songs', 'Artists', 'Playlists'])
    await expect.element(locateSuggestionList().getByRole('group', { name })).toBeVisible()
  const optionLinks = locateSuggestionList().getByRole('option').elements()
  expect(optionLinks.map((link) => link.getAttribute('href'))).toEqual([
    `/song?s=${neonRain.youtube_id}&p=dance`,
    `/song?s=${createTestSong(2).youtube_id}&p=dance`,
    '/search?q=Neona&type=artist',
    '/playlist?p=nights',
    '/search?q=neon',
  ])
  expect(optionLinks.at(-1)?.textContent).toBe('All results for “neon”')
  await expect.element(page.getByRole('status')).toHaveTextContent('Suggestions: 2 songs, 1 artist, 1 playlist')
})

it('suggestions: arrow keys, Home and End move the active option while the focus stays in the box; Enter opens the option', async () => {
  renderSearch()
  await openAndType('neon')
  expect(findActiveOption()).toBeUndefined()
  await userEvent.keyboard('{ArrowDown}')
  await vi.waitFor(() => expect(findActiveOption()).toBe('Neon RainAiko'))
  await expect.element(findOption('Neon Rain')).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{ArrowUp}')
  await vi.waitFor(() => expect(findActiveOption()).toBe('All results for “neon”'))
  await userEvent.keyboard('{Home}{ArrowDown}')
  await vi.waitFor(() => expect(findActiveOption()).toBe('Neon CityLars'))
  await userEvent.keyboard('{End}{ArrowUp}')
  await vi.waitFor(() => expect(findActiveOption()).toBe('Neon nights1 song'))
  await expect.element(findSearchBox()).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(followedPaths).toEqual(['/playlist?p=nights'])
  expect(onSearch).not.toHaveBeenCalled()
  await expect.element(findSearchBox()).not.toBeInTheDocument()
})

it('suggestions: Enter without an active option searches for the text', async () => {
  renderSearch()
  await openAndType('neon')
  await userEvent.keyboard('{Enter}')
  expect(onSearch.mock.calls).toEqual([['neon']])
  expect(followedPaths).toEqual([])
})

it('suggestions: Escape closes the list, a second Escape closes the box, and an arrow key opens the list again', async () => {
  renderSearch()
  await openAndType('neon')
  await userEvent.keyboard('{Escape}')
  await expect.element(locateSuggestionList()).not.toBeInTheDocument()
  await expect.element(findSearchBox()).toHaveAttribute('aria-expanded', 'false')
  await expect.element(findSearchBox()).toHaveValue('neon')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(locateSuggestionList()).toBeVisible()
  await userEvent.keyboard('{Escape}{Escape}')
  await expect.element(findSearchBox()).not.toBeInTheDocument()
  await expect.element(locateSearchButton()).toHaveFocus()
})

it('suggestions: pressing an option opens it', async () => {
  renderSearch()
  await openAndType('neon')
  await findOption('Neona').click()
  expect(followedPaths).toEqual(['/search?q=Neona&type=artist'])
  await expect.element(findSearchBox()).not.toBeInTheDocument()
})

it('suggestions: one request is sent when typing pauses, and the response for an earlier text is ignored', async () => {
  let answerFirstRequest = (_: Suggestions) => {}
  answerSuggestions.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answerFirstRequest = resolve
      }),
  )
  renderSearch()
  await locateSearchButton().click()
  await vi.waitFor(() => expect(findSearchBox().element().getAttribute('aria-controls')).not.toBeNull())
  const input = findSearchBox().element()
  if (!(input instanceof HTMLInputElement)) throw new TypeError('The search box is not an input.')
  const typeInField = (typedText: string) => {
    input.value = typedText
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (const text of ['n', 'ne', 'neo']) {
    flushSync(() => typeInField(text))
    vi.advanceTimersByTime(149)
  }
  expect(answerSuggestions).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await vi.waitFor(() => expect(answerSuggestions).toHaveBeenCalledOnce())
  flushSync(() => typeInField('neon'))
  await expect.element(findOption('All results for “neon”')).toBeVisible()
  expect(answerSuggestions.mock.calls.map(([text]) => text)).toEqual(['neo', 'neon'])
  expect(answerSuggestions.mock.calls[0]?.[1]?.aborted).toBe(true)
  answerFirstRequest({ songs: [createTestSong(9, { title: 'Too late' })], artists: [], playlists: [] })
  await new Promise((resolve) => setTimeout(resolve))
  expect(findOption('Too late').elements()).toHaveLength(0)
})

it('suggestions: offline, the suggestions come from the songs stored on this device, without a request', async () => {
  renderSearch({ isOffline: true, songs: [neonRain, createTestSong(3, { title: 'Rain' })] })
  await openAndType('neon')
  await expect.element(findOption('Neon Rain')).toBeVisible()
  await expect.element(findOption('Neon, kept')).toHaveAttribute('href', '/playlist?p=kept')
  await expect.element(page.getByRole('status')).toHaveTextContent('Suggestions: 1 song, 1 playlist on this device')
  expect(answerSuggestions).not.toHaveBeenCalled()
})

it('search box: when it is opened again, it contains the text of the results page, or else the last typed text', async () => {
  renderSearch()
  await openAndType('neon')
  await userEvent.keyboard('{Escape}{Escape}')
  await locateSearchButton().click()
  await expect.element(findSearchBox()).toHaveValue('neon')
  expect(answerSuggestions).toHaveBeenCalledOnce()
  endTest()
  renderSearch({ searchedText: 'rain' })
  await locateSearchButton().click()
  await expect.element(findSearchBox()).toHaveValue('rain')
  await userEvent.keyboard('x')
  await expect.element(findSearchBox()).toHaveValue('x')
})
