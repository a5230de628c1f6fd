import { createRoot } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { cdp, page } from 'vitest/browser'
import type { ContentDocument } from '../../contract/content.ts'
import { FAVORITES_CONTEXT_ID } from '../../contract/playlist-rules.ts'
import { SongList } from '../components/song-list.tsx'
import { createMemoryDatabase } from '../data/memory-database.ts'
import { FaqPage } from '../features/documents/faq-page.tsx'
import { ServicesProvider } from '../hooks/services.tsx'
import { createTestServices } from '../hooks/testing/services.ts'
import '../ui/global.css'
import { createSongs, favoritesSection, renderWithServices } from './testing/favorites-page.tsx'

// Vitest does not declare the methods of the session.
const emulateMedia = (media: 'print' | '') =>
  (cdp() as unknown as { send: (method: string, params: object) => Promise<unknown> }).send('Emulation.setEmulatedMedia', { media })
const countRows = () => document.querySelectorAll('li[data-index]').length

afterEach(async () => {
  window.dispatchEvent(new Event('afterprint'))
  await emulateMedia('')
})

it('printing: all rows of a long list are printed one below the other, and afterwards only those near the viewport are rendered', async () => {
  const songs = createSongs(260)
  renderWithServices(<SongList songs={songs} getContextId={() => FAVORITES_CONTEXT_ID} label="Songs" />)
  await expect.element(page.getByRole('link', { name: 'Song 0' })).toBeVisible()
  await expect.poll(() => document.querySelector<HTMLElement>('li[data-index]')?.style.position).toBe('absolute')
  window.dispatchEvent(new Event('beforeprint'))
  expect(countRows()).toBe(260)
  const rowTops = [...document.querySelectorAll('li[data-index]')].map((row) => Math.round(row.getBoundingClientRect().top))
  expect(rowTops).toEqual([...new Set(rowTops)].sort((a, b) => a - b))
  window.dispatchEvent(new Event('afterprint'))
  await expect.poll(countRows).toBeLessThan(100)
})

it('printing: favorites that scroll in a box of their own are printed in full, without their buttons', async () => {
  renderWithServices(favoritesSection, { storedSongs: createSongs(30) })
  const lastSong = page.getByRole('link', { name: 'Song 29' })
  await expect.element(lastSong).toBeInTheDocument()
  const scrollBox = lastSong.element().closest('ol')?.parentElement
  expect(scrollBox?.scrollHeight).toBeGreaterThan(scrollBox?.clientHeight ?? 0)
  await emulateMedia('print')
  await expect.poll(() => scrollBox?.clientHeight).toBe(scrollBox?.scrollHeight)
  await expect.element(page.getByRole('button', { name: 'Import' })).not.toBeInTheDocument()
})

it('printing: closed answers are printed as dark text on white, without the navigation, the player and the lists of links', async () => {
  const questions: ContentDocument<'faq'> = [{ id: 'one', section: 'General', question: 'A question?', answer: ['An answer.'] }]
  const services = createTestServices({
    api: { call: async () => questions } as never,
    connection: { subscribe: () => () => {}, offline: false, serverUnreachable: false },
    database: createMemoryDatabase(),
    initialData: {},
  })
  const hostElement = document.body.appendChild(document.createElement('div'))
  hostElement.id = 'root'
  const root = createRoot(hostElement)
  root.render(
    <ServicesProvider services={services}>
      <header>Navigation</header>
      <main>
        <FaqPage openId="" />
      </main>
      <footer>
        <p>The name of the site</p>
        <ul>
          <li>Link</li>
        </ul>
      </footer>
      <section>Player</section>
    </ServicesProvider>,
  )
  await expect.element(page.getByText('A question?')).toBeVisible()
  await expect.element(page.getByText('An answer.')).not.toBeVisible()
  await emulateMedia('print')
  await expect.element(page.getByText('An answer.')).toBeVisible()
  const answerElement = page.getByText('An answer.').element()
  const readBottom = (element: Element | null) => element?.getBoundingClientRect().bottom
  await expect.poll(() => readBottom(answerElement.closest('details'))).toBeGreaterThanOrEqual(readBottom(answerElement) ?? Infinity)
  await expect.element(page.getByText('The name of the site')).toBeVisible()
  for (const text of ['Navigation', 'Player', 'Link']) await expect.element(page.getByText(text, { exact: true })).not.toBeVisible()
  expect(getComputedStyle(page.getByText('A question?').element()).color).toBe('rgb(0, 0, 0)')
  root.unmount()
  hostElement.remove()
})
