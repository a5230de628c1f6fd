import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DatabaseHealth, PinnedPlaylistRow } from '../../data/local-database.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import type { DownloadProgress } from '../../data/offline-playlists.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { anonymousIdentity } from '../../platform/identity.ts'
import { type OfflineReady, serviceWorker } from '../../platform/service-worker.ts'
import { idleState } from '../../player/idle-player.ts'
import { setVideoPlaceholder } from '../../player/video-placeholder.ts'
import '../../ui/global.css'
import { PinPlaylistButton } from '../../components/pin-playlist-button.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import { OfflineStrip } from './offline-strip.tsx'
import { StoragePage } from './storage-page.tsx'

interface DeviceState {
  isOffline: boolean
  isSilent: boolean
  health: DatabaseHealth
  pinned: PinnedPlaylistRow[] | undefined
  localPlaylists: { id: string; title: string; pinned: boolean }[]
  downloads: ReadonlyMap<string, DownloadProgress>
}

let root: Root | undefined
let hostElement: HTMLElement | undefined

/** Renders `children` with services whose state the test can change. */
function renderWithServices(children: ReactNode, initialDevice: Partial<DeviceState> = {}) {
  const device: DeviceState = {
    isOffline: false,
    isSilent: false,
    health: 'persistent',
    pinned: [],
    localPlaylists: [{ id: 'seen', title: 'Seen', pinned: false }],
    downloads: new Map(),
    ...initialDevice,
  }
  const listeners = new Set<() => void>()
  const subscribeDevice = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const offlinePlaylists = {
    pinned: { getSnapshot: () => device.pinned, subscribe: subscribeDevice },
    downloads: () => device.downloads,
    onDownloads: subscribeDevice,
    pin: vi.fn(async () => {}),
    unpin: vi.fn(async () => {}),
  }
  const connection = {
    get offline() {
      return device.isOffline
    },
    get serverUnreachable() {
      return device.isSilent
    },
    subscribe: subscribeDevice,
  }
  const pinStore = {
    ...createMemoryDatabase(),
    get health() {
      return device.health
    },
    onHealth: subscribeDevice,
  }
  const clearCache = vi.fn(async () => {})
  const services = createTestServices({
    offlinePlaylists,
    connection,
    database: pinStore,
    clearCache,
    identity: anonymousIdentity,
    player: { getSnapshot: () => idleState, subscribe: () => () => {} },
    offlineMutations: () => new Promise(() => {}),
    site: { api_base_url: '/api' },
    catalogue: { localPlaylists: { getSnapshot: () => device.localPlaylists, subscribe: subscribeDevice } },
  })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider services={services}>
      <ToastRegion>{children}</ToastRegion>
    </ServicesProvider>,
  )
  return {
    offlinePlaylists,
    clearCache,
    changeState(newState: Partial<DeviceState>) {
      Object.assign(device, newState)
      for (const listener of [...listeners]) listener()
    },
  }
}

afterEach(() => {
  root?.unmount()
  hostElement?.remove()
  vi.restoreAllMocks()
})

const createPinnedRow = (overrides: Partial<PinnedPlaylistRow> = {}): PinnedPlaylistRow => ({
  id: 'rush',
  title: 'Rush hour',
  keptAtMs: 0,
  state: 'done',
  songCount: 21,
  pictures: [],
  rowBytes: 6_000,
  pictureBytes: 60_000,
  ...overrides,
})

describe('offline strip', () => {
  const locateStripStatus = () => page.getByRole('status').first()

  it('the offline strip is left out while the player of the page says that the song needs a connection', async () => {
    const unsetPlaceholder = setVideoPlaceholder(document.createElement('div'))
    const { changeState } = renderWithServices(<OfflineStrip />, { isOffline: true })
    await expect.element(locateStripStatus()).toBeEmptyDOMElement()
    changeState({ health: 'full' })
    await expect.element(locateStripStatus()).toHaveTextContent('You are offline.')
    changeState({ health: 'persistent' })
    unsetPlaceholder()
    await expect.element(locateStripStatus()).toHaveTextContent('You are offline.')
  })

  it('the offline strip is an empty live region, and reports a lost connection and an unreachable server', async () => {
    const { changeState } = renderWithServices(<OfflineStrip />)
    await expect.element(locateStripStatus()).toBeInTheDocument()
    await expect.element(locateStripStatus()).toBeEmptyDOMElement()
    expect(document.documentElement.hasAttribute('data-strip')).toBe(false)

    changeState({ isOffline: true })
    await expect
      .element(locateStripStatus())
      .toHaveTextContent('You are offline. Pages you have opened before still work; songs need a connection to start.')
    expect(document.documentElement.hasAttribute('data-strip')).toBe(true)

    vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('no connection'))
    changeState({ isSilent: true })
    await expect.element(locateStripStatus()).toHaveTextContent('The site cannot be reached. You can browse what is on this device.')
    await expect.element(locateStripStatus().getByRole('button', { name: 'Reload' })).toBeVisible()

    changeState({ isOffline: false, isSilent: false })
    await expect.element(locateStripStatus()).toBeEmptyDOMElement()
    expect(document.documentElement.hasAttribute('data-strip')).toBe(false)
  })

  it.each([
    ['a page', new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html; charset=utf-8' } }), true],
    ['a refusal', new Response('{}', { status: 401, headers: { 'content-type': 'application/json' } }), true],
    ['a failure', new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }), false],
  ])('the offline strip says whether a login page answers in place of the site: %s', async (_name, response, isLoginPage) => {
    const fetchMock = vi.spyOn(window, 'fetch').mockResolvedValue(response)
    const { changeState } = renderWithServices(<OfflineStrip />)
    changeState({ isOffline: true, isSilent: true })
    await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledOnce())
    expect(fetchMock).toHaveBeenCalledWith('/api/site', expect.objectContaining({ redirect: 'manual' }))
    await expect
      .element(locateStripStatus())
      .toHaveTextContent(isLoginPage ? 'A login page answers in place of the site. Reload to log in' : 'The site cannot be reached.')
    changeState({ isOffline: false, isSilent: false })
    await expect.element(locateStripStatus()).toBeEmptyDOMElement()
  })

  it.each([
    ['refused', /let the site store anything/],
    ['restarted', /need to be kept again/],
    ['full', /device is full/],
    ['blocked', /older version/],
    ['outdated', /newer version/],
  ] as const)('the offline strip reports a database that is %s', async (health, messageText) => {
    const { changeState } = renderWithServices(<OfflineStrip />, { health })
    await expect.element(locateStripStatus()).toHaveTextContent(messageText)
    // Checks that the message about a lost connection takes precedence over other messages.
    changeState({ isOffline: true })
    await expect.element(locateStripStatus()).toHaveTextContent('You are offline')
    // If the browser refuses the database, the offline strip reports this both online and offline, because cached pages cannot be opened without a
    // database.
    if (health === 'refused') await expect.element(locateStripStatus()).toHaveTextContent(messageText)
    else await expect.element(locateStripStatus()).not.toHaveTextContent(messageText)
  })

  it('the offline strip links to the storage page if the device is full', async () => {
    renderWithServices(<OfflineStrip />, { health: 'full' })
    await expect.element(page.getByRole('link', { name: 'Free space' })).toHaveAttribute('href', '/storage')
  })
})

describe('pin button of a playlist', () => {
  const locatePinButton = () => page.getByRole('button', { name: /^Ke(ep|pt) offline/ })
  const pinButtonElement = <PinPlaylistButton id="rush" title="Rush hour" songCount={21} />

  it.each([
    ['refused', "This browser doesn't let the site store anything."],
    ['full', 'This device is full.'],
  ] as const)("a playlist's pin button is disabled with a reason if the database is %s", async (health, messageText) => {
    renderWithServices(pinButtonElement, { health })
    await expect.element(locatePinButton()).toBeDisabled()
    await expect.element(page.getByText(messageText)).toBeVisible()
  })

  it("a playlist's pin button shows the estimated size and pins the playlist", async () => {
    const { offlinePlaylists } = renderWithServices(pinButtonElement)
    await expect.element(locatePinButton()).toHaveAttribute('aria-pressed', 'false')
    await expect.element(locatePinButton()).toHaveTextContent(/about \d+ kB/)
    await userEvent.tab()
    await expect.element(locatePinButton()).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(offlinePlaylists.pin).toHaveBeenCalledWith('rush', 'Rush hour')
    expect(offlinePlaylists.unpin).not.toHaveBeenCalled()
  })

  it("a playlist's pin button shows the progress without announcing each picture, and can cancel the download", async () => {
    const { offlinePlaylists, changeState } = renderWithServices(pinButtonElement, {
      pinned: [createPinnedRow({ state: 'fetching' })],
      downloads: new Map([['rush', { done: 0, total: 0 }]]),
    })
    await expect.element(page.getByText('Starting...')).toBeVisible()
    changeState({ downloads: new Map([['rush', { done: 5, total: 23 }]]) })
    await expect.element(page.getByRole('progressbar', { name: 'Kept so far' })).toHaveAttribute('value', '5')
    await expect.element(page.getByText('5 of 23')).toBeVisible()
    expect(page.getByRole('alert').filter({ hasText: '5 of 23' }).elements()).toHaveLength(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(offlinePlaylists.unpin).toHaveBeenCalledWith('rush')
  })

  it("a playlist's pin button shows the exact size of a pinned playlist and unpins it", async () => {
    const { offlinePlaylists } = renderWithServices(pinButtonElement, { pinned: [createPinnedRow()] })
    await expect.element(locatePinButton()).toHaveAttribute('aria-pressed', 'true')
    await expect.element(locatePinButton()).toHaveTextContent('66 kB')
    await expect.element(locatePinButton()).not.toHaveTextContent('about')
    await expect.element(page.getByText('The list and its pictures are kept on this device. The music needs a connection.')).toBeVisible()
    await locatePinButton().click()
    expect(offlinePlaylists.unpin).toHaveBeenCalledWith('rush')
  })

  it.each([
    ['offline', 'Continues once you are online.', { isOffline: true }],
    ['offline', 'Continues once the site responds.', { isOffline: true, isSilent: true }],
    ['full', 'This device is full.', {}],
    ['failed', 'The download failed.', {}],
  ] as const)("a playlist's pin button shows why the download halted: %s, %s", async (haltReason, messageText, connection) => {
    const { offlinePlaylists } = renderWithServices(pinButtonElement, {
      ...connection,
      pinned: [createPinnedRow({ state: 'fetching' })],
      downloads: new Map([['rush', { done: 5, total: 23, halted: haltReason }]]),
    })
    await expect.element(page.getByRole('alert').filter({ hasText: messageText })).toBeVisible()
    await page.getByRole('button', { name: 'Retry' }).click()
    expect(offlinePlaylists.pin).toHaveBeenCalledWith('rush', 'Rush hour')
    expect(page.getByRole('link', { name: 'Free space' }).elements()).toHaveLength(haltReason === 'full' ? 1 : 0)
  })
})

describe('storage page', () => {
  function createDevice({
    usage = 382_000,
    persisted = false,
    allowsPersistence = false,
    ready = { state: 'ready' },
  }: {
    usage?: number
    persisted?: boolean
    allowsPersistence?: boolean
    ready?: OfflineReady
  } = {}) {
    let isPersisted = persisted
    vi.spyOn(navigator.storage, 'estimate').mockResolvedValue({ usage, quota: 11_000_000_000 })
    vi.spyOn(navigator.storage, 'persisted').mockImplementation(async () => isPersisted)
    vi.spyOn(navigator.storage, 'persist').mockImplementation(async () => {
      isPersisted = allowsPersistence
      return allowsPersistence
    })
    vi.spyOn(serviceWorker, 'offlineReady').mockReturnValue(ready)
  }

  it('the storage page disables Clear cache if the cache is empty', async () => {
    createDevice()
    const { changeState } = renderWithServices(<StoragePage />, { localPlaylists: [] })
    const clearButton = page.getByRole('button', { name: 'Clear cache' })
    await expect.element(page.getByText('Nothing else is stored.')).toBeVisible()
    await expect.element(clearButton).toBeDisabled()
    // On a full device the button is enabled, because clearing the cache also checks whether space has become free.
    changeState({ health: 'full' })
    await expect.element(clearButton).toBeEnabled()
    await expect.element(page.getByText('Nothing kept yet')).not.toBeInTheDocument()
    await expect.element(page.getByText(/press 'Keep offline'/)).not.toBeInTheDocument()
  })

  it('the storage page explains how to pin a playlist if none is pinned', async () => {
    createDevice()
    renderWithServices(<StoragePage />)
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Storage')
    await expect.element(page.getByText('382 kB')).toBeVisible()
    await expect.element(page.getByText('11 GB')).toBeVisible()
    await expect.element(page.getByText('Nothing kept yet')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Browse playlists' })).toHaveAttribute('href', '/playlists')
    // Ignores the button that removes the maker's projects, which other tests of this origin may have stored.
    expect(page.getByRole('button', { name: /^Remove(?! (the song|all edits) in the maker)/ }).elements()).toHaveLength(0)
  })

  it('the storage page lists pinned playlists with their sizes, removes one, and clears the cache', async () => {
    createDevice()
    const { offlinePlaylists, clearCache, changeState } = renderWithServices(<StoragePage />, {
      pinned: [createPinnedRow(), createPinnedRow({ id: 'half', title: 'Half', state: 'fetching', pictureBytes: 2_000 })],
    })
    await expect.element(page.getByRole('link', { name: 'Rush hour' })).toHaveAttribute('href', '/playlist?p=rush')
    const [firstItem, secondItem] = page.getByRole('listitem').elements()
    expect(firstItem?.textContent).toContain('21 songs')
    expect(firstItem?.textContent).toContain('66 kB')
    expect(secondItem?.textContent).toContain('Not complete')
    await page.getByRole('button', { name: 'Remove Half' }).click()
    expect(offlinePlaylists.unpin).toHaveBeenCalledWith('half')
    changeState({ pinned: [createPinnedRow()] })
    await expect.element(page.getByRole('button', { name: 'Remove Rush hour' })).toHaveFocus()
    await page.getByRole('button', { name: 'Clear cache' }).click()
    expect(clearCache).toHaveBeenCalledTimes(1)
    await expect.element(page.getByText('Cache cleared. Playlists kept offline are still here.')).toBeVisible()
  })

  it('the storage page requests persistent storage and shows the result', async () => {
    createDevice()
    renderWithServices(<StoragePage />)
    await page.getByRole('button', { name: 'Keep it' }).click()
    await expect.element(page.getByText(/Your browser said no/)).toBeVisible()
    createDevice({ allowsPersistence: true })
    await page.getByRole('button', { name: 'Keep it' }).click()
    await expect.element(page.getByText('The browser keeps it until you remove it.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Keep it' })).not.toBeInTheDocument()
  })

  it.each([
    ['full', /This device is full/],
    ['refused', /gives the site no database/],
    ['blocked', /an older version of this site/],
    ['outdated', /newer version/],
  ] as const)('the storage page explains a database that is %s', async (health, messageText) => {
    createDevice()
    renderWithServices(<StoragePage />, { health })
    await expect.element(page.getByText(messageText)).toBeVisible()
  })

  it.each([
    [{ state: 'failed', reason: 'No space' }, /could not be installed here/],
    [{ state: 'unsupported' }, /cannot start the site without a connection/],
  ] as [OfflineReady, RegExp][])('the storage page reports that the site cannot start offline: %o', async (ready, messageText) => {
    createDevice({ ready })
    renderWithServices(<StoragePage />)
    await expect.element(page.getByText(messageText)).toBeVisible()
  })
})
