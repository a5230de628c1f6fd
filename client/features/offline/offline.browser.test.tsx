import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Services, ServicesProvider } from '../../bindings/services.tsx'
import type { Keeping } from '../../data/keeper-interface.ts'
import type { KeptRow, StoreHealth } from '../../data/store.ts'
import { nobody } from '../../platform/nobody.ts'
import { type OfflineReady, serviceWorker } from '../../platform/service-worker.ts'
import '../../ui/global.css'
import { ToastRegion } from '../../ui/toast.tsx'
import { KeepKey } from './keep-key.tsx'
import { OfflineStrip } from './offline-strip.tsx'
import { StoragePage } from './storage-page.tsx'

interface Device {
  offline: boolean
  silent: boolean
  health: StoreHealth
  kept: KeptRow[] | undefined
  here: { id: string; title: string; kept: boolean }[]
  keeping: ReadonlyMap<string, Keeping>
}

let root: Root | undefined
let host: HTMLElement | undefined

/** Shows `children` on a device in a state that the test changes. */
function show(children: ReactNode, first: Partial<Device> = {}) {
  const device: Device = {
    offline: false,
    silent: false,
    health: 'kept',
    kept: [],
    here: [{ id: 'seen', title: 'Seen', kept: false }],
    keeping: new Map(),
    ...first,
  }
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const keeper = {
    kept: { getSnapshot: () => device.kept, subscribe },
    progress: () => device.keeping,
    onProgress: subscribe,
    keep: vi.fn(async () => {}),
    remove: vi.fn(async () => {}),
  }
  const connection = {
    get offline() {
      return device.offline
    },
    get silent() {
      return device.silent
    },
    subscribe,
  }
  const store = {
    get health() {
      return device.health
    },
    onHealth: subscribe,
  }
  const clearSeen = vi.fn(async () => {})
  // Only what these features use.
  const services = {
    keeper,
    connection,
    store,
    clearSeen,
    identity: nobody,
    writes: () => new Promise(() => {}),
    catalogue: { here: { getSnapshot: () => device.here, subscribe } },
  } as unknown as Services
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  root.render(
    <ServicesProvider services={services}>
      <ToastRegion>{children}</ToastRegion>
    </ServicesProvider>,
  )
  return {
    keeper,
    clearSeen,
    become(next: Partial<Device>) {
      Object.assign(device, next)
      for (const listener of [...listeners]) listener()
    },
  }
}

afterEach(() => {
  root?.unmount()
  host?.remove()
  vi.restoreAllMocks()
})

const row = (over: Partial<KeptRow> = {}): KeptRow => ({
  id: 'rush',
  title: 'Rush hour',
  keptAtMs: 0,
  state: 'done',
  songCount: 21,
  pictures: [],
  rowBytes: 6_000,
  pictureBytes: 60_000,
  ...over,
})

describe('the strip', () => {
  const line = () => page.getByRole('status').first()

  it('stands there empty, and says what cannot be reached', async () => {
    const { become } = show(<OfflineStrip />)
    await expect.element(line()).toBeInTheDocument()
    await expect.element(line()).toBeEmptyDOMElement()
    expect(document.documentElement.hasAttribute('data-strip')).toBe(false)

    become({ offline: true })
    await expect
      .element(line())
      .toHaveTextContent('You are offline. What you have opened before is here; songs need a connection to start.')
    expect(document.documentElement.hasAttribute('data-strip')).toBe(true)

    become({ silent: true })
    await expect.element(line()).toHaveTextContent('The site cannot be reached. You can browse what is on this device.')

    become({ offline: false, silent: false })
    await expect.element(line()).toBeEmptyDOMElement()
    expect(document.documentElement.hasAttribute('data-strip')).toBe(false)
  })

  it.each([
    ['refused', /keeps nothing for this site/],
    ['restarted', /must be kept again/],
    ['full', /device is full/],
    ['blocked', /older version/],
    ['outdated', /newer version/],
  ] as const)('says what is wrong with a store that is %s', async (health, text) => {
    const { become } = show(<OfflineStrip />, { health })
    await expect.element(line()).toHaveTextContent(text)
    // The connection matters more.
    become({ offline: true })
    await expect.element(line()).toHaveTextContent('You are offline')
    // Where nothing is kept, nothing is there to browse either.
    if (health === 'refused') await expect.element(line()).toHaveTextContent(text)
    else await expect.element(line()).not.toHaveTextContent(text)
  })

  it('leads to where space is freed', async () => {
    show(<OfflineStrip />, { health: 'full' })
    await expect.element(page.getByRole('link', { name: 'Free space' })).toHaveAttribute('href', '/storage')
  })
})

describe('the key that keeps a playlist', () => {
  const key = () => page.getByRole('button', { name: /^Keep offline/ })
  const shown = <KeepKey id="rush" title="Rush hour" songCount={21} />

  it.each([
    ['refused', 'This browser keeps nothing for this site.'],
    ['full', 'This device is full.'],
  ] as const)('promises nothing where the store is %s', async (health, text) => {
    show(shown, { health })
    await expect.element(key()).toBeDisabled()
    await expect.element(page.getByText(text)).toBeVisible()
  })

  it('tells about how much it will take, and keeps', async () => {
    const { keeper } = show(shown)
    await expect.element(key()).toHaveAttribute('aria-pressed', 'false')
    await expect.element(key()).toHaveTextContent(/about \d+ kB/)
    await userEvent.tab()
    await expect.element(key()).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(keeper.keep).toHaveBeenCalledWith('rush', 'Rush hour')
    expect(keeper.remove).not.toHaveBeenCalled()
  })

  it('shows how far it is, without reading out every picture, and can be stopped', async () => {
    const { keeper, become } = show(shown, {
      kept: [row({ state: 'fetching' })],
      keeping: new Map([['rush', { done: 0, total: 0 }]]),
    })
    await expect.element(page.getByText('Begins...')).toBeVisible()
    become({ keeping: new Map([['rush', { done: 5, total: 23 }]]) })
    await expect.element(page.getByRole('progressbar', { name: 'Kept so far' })).toHaveAttribute('value', '5')
    await expect.element(page.getByText('5 of 23')).toBeVisible()
    expect(page.getByRole('alert').filter({ hasText: '5 of 23' }).elements()).toHaveLength(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(keeper.remove).toHaveBeenCalledWith('rush')
  })

  it('tells what it takes once it is kept, and removes it', async () => {
    const { keeper } = show(shown, { kept: [row()] })
    await expect.element(key()).toHaveAttribute('aria-pressed', 'true')
    await expect.element(key()).toHaveTextContent('66 kB')
    await expect.element(key()).not.toHaveTextContent('about')
    await key().click()
    expect(keeper.remove).toHaveBeenCalledWith('rush')
  })

  it.each([
    ['offline', 'Waits for a connection, then goes on.', { offline: true }],
    ['offline', 'Waits for the site, then goes on.', { offline: true, silent: true }],
    ['full', 'This device is full.', {}],
    ['failed', 'It could not be fetched.', {}],
  ] as const)('says why it halts: %s, %s', async (halted, text, connection) => {
    const { keeper } = show(shown, {
      ...connection,
      kept: [row({ state: 'fetching' })],
      keeping: new Map([['rush', { done: 5, total: 23, halted }]]),
    })
    await expect.element(page.getByRole('alert').filter({ hasText: text })).toBeVisible()
    await page.getByRole('button', { name: 'Retry' }).click()
    expect(keeper.keep).toHaveBeenCalledWith('rush', 'Rush hour')
    expect(page.getByRole('link', { name: 'Free space' }).elements()).toHaveLength(halted === 'full' ? 1 : 0)
  })
})

describe('the storage page', () => {
  function device({
    usage = 382_000,
    persisted = false,
    agrees = false,
    ready = { state: 'ready' },
  }: {
    usage?: number
    persisted?: boolean
    agrees?: boolean
    ready?: OfflineReady
  } = {}) {
    let is = persisted
    vi.spyOn(navigator.storage, 'estimate').mockResolvedValue({ usage, quota: 11_000_000_000 })
    vi.spyOn(navigator.storage, 'persisted').mockImplementation(async () => is)
    vi.spyOn(navigator.storage, 'persist').mockImplementation(async () => {
      is = agrees
      return agrees
    })
    vi.spyOn(serviceWorker, 'offlineReady').mockReturnValue(ready)
  }

  it('offers to clear only what is there', async () => {
    device()
    const { become } = show(<StoragePage />, { here: [] })
    const clear = page.getByRole('button', { name: 'Clear cache' })
    await expect.element(page.getByText('Nothing else is kept.')).toBeVisible()
    await expect.element(clear).toBeDisabled()
    // Pressing it is how the site learns that there is room again.
    become({ health: 'full' })
    await expect.element(clear).toBeEnabled()
    await expect.element(page.getByText('Nothing is kept yet')).not.toBeInTheDocument()
    await expect.element(page.getByText(/press 'Keep offline'/)).not.toBeInTheDocument()
  })

  it('says that nothing is kept, and how to keep something', async () => {
    device()
    show(<StoragePage />)
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Storage')
    await expect.element(page.getByText('382 kB')).toBeVisible()
    await expect.element(page.getByText('11 GB')).toBeVisible()
    await expect.element(page.getByText('Nothing is kept yet')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Browse playlists' })).toHaveAttribute('href', '/playlists')
    // Other tests of this origin may keep a song in the maker.
    expect(page.getByRole('button', { name: /^Remove(?! the song in the maker)/ }).elements()).toHaveLength(0)
  })

  it('lists what is kept with its size, frees each, and clears the rest', async () => {
    device()
    const { keeper, clearSeen } = show(<StoragePage />, {
      kept: [row(), row({ id: 'half', title: 'Half', state: 'fetching', pictureBytes: 2_000 })],
    })
    await expect.element(page.getByRole('link', { name: 'Rush hour' })).toHaveAttribute('href', '/playlist?p=rush')
    const [first, second] = page.getByRole('listitem').elements()
    expect(first?.textContent).toContain('21 songs')
    expect(first?.textContent).toContain('66 kB')
    expect(second?.textContent).toContain('Not complete')
    await page.getByRole('button', { name: 'Remove Half' }).click()
    expect(keeper.remove).toHaveBeenCalledWith('half')
    await page.getByRole('button', { name: 'Clear cache' }).click()
    expect(clearSeen).toHaveBeenCalledTimes(1)
    await expect.element(page.getByText('The cache is clear. What you kept is still here.')).toBeVisible()
  })

  it('asks the browser to keep it, and says what it answered', async () => {
    device()
    show(<StoragePage />)
    await page.getByRole('button', { name: 'Protect' }).click()
    await expect.element(page.getByText(/The browser did not agree/)).toBeVisible()
    device({ agrees: true })
    await page.getByRole('button', { name: 'Protect' }).click()
    await expect.element(page.getByText('The browser keeps it until you remove it.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Protect' })).not.toBeInTheDocument()
  })

  it.each([
    ['full', /This device is full/],
    ['refused', /gives the site no database/],
    ['blocked', /of an older version/],
    ['outdated', /newer version/],
  ] as const)('says what a store that is %s means', async (health, text) => {
    device()
    show(<StoragePage />, { health })
    await expect.element(page.getByText(text)).toBeVisible()
  })

  it.each([
    [{ state: 'failed', reason: 'No space' }, /could not be installed here/],
    [{ state: 'unsupported' }, /cannot start the site without a connection/],
  ] as [OfflineReady, RegExp][])('says that it does not start without a connection: %o', async (ready, text) => {
    device({ ready })
    show(<StoragePage />)
    await expect.element(page.getByText(text)).toBeVisible()
  })
})
