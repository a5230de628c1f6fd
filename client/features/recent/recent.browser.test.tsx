import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { RECENT_COUNT_KEY } from '../../../contract/recent-songs.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { wrapInDeviceDatabase } from '../../data/testing/databases.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { idleState } from '../../player/idle-player.ts'
import '../../ui/global.css'
import { ToastRegion } from '../../ui/toast.tsx'
import { RecentSectionPlaceholder } from './recent-frame.tsx'
import { RecentPage } from './recent-page.tsx'
import { RecentSection } from './recent-section.tsx'

let root: Root | undefined
let hostElement: HTMLElement | undefined
afterEach(() => {
  root?.unmount()
  hostElement?.remove()
  localStorage.removeItem(RECENT_COUNT_KEY)
  delete document.documentElement.dataset.recent
})

const player = { getSnapshot: () => ({ ...idleState }), subscribe: () => () => {} }

/** Renders the section and the page with a database in which songs 1 to `playCount` were played, in this order. */
async function renderRecent(playCount: number) {
  const database = wrapInDeviceDatabase(createMemoryDatabase())
  await database.change((tables) =>
    tables.recentPlays.put(
      Array.from({ length: playCount }, (_, index) => ({
        id: createTestSong(index + 1).youtube_id,
        song: createTestSong(index + 1),
        playedAtMs: index,
        ...(index === 0 && { contextId: 'rush' }),
      })),
    ),
  )
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider services={createTestServices({ database, catalogue: {}, player, identity: anonymousIdentity })}>
      <ToastRegion>
        <main id="main" tabIndex={-1}>
          <RecentSection />
          <RecentPage />
        </main>
      </ToastRegion>
    </ServicesProvider>,
  )
}

it('recent plays: the home page shows the last four songs, and the page shows all songs, each with its context, until the history is cleared', async () => {
  await renderRecent(6)
  await expect.element(page.getByRole('heading', { name: 'Continue listening' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Recently played' })).toHaveAttribute('href', '/recent')
  const homeList = page.getByRole('list', { name: 'Continue listening' })
  const pageList = page.getByRole('list', { name: 'Recently played' })
  await expect.element(homeList).toBeVisible()
  const homeLinks = homeList.getByRole('link', { name: /^Song / }).elements()
  expect(homeLinks.map((link) => link.textContent)).toEqual(['Song 6', 'Song 5', 'Song 4', 'Song 3'])
  expect(pageList.getByRole('listitem').elements()).toHaveLength(6)
  await expect.element(page.getByRole('link', { name: 'Song 1' })).toHaveAttribute('href', `/song?s=${createTestSong(1).youtube_id}&p=rush`)
  await expect
    .element(page.getByRole('link', { name: 'Song 2' }))
    .toHaveAttribute('href', `/song?s=${createTestSong(2).youtube_id}&p=${createTestSong(2).category_id}`)
  expect([localStorage.getItem(RECENT_COUNT_KEY), document.documentElement.dataset.recent]).toEqual(['4', '4'])
  await page.getByRole('button', { name: 'Clear history' }).click()
  await expect.element(page.getByRole('heading', { name: 'Nothing played yet' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Continue listening' })).not.toBeInTheDocument()
  await expect.element(page.getByText('Your history is cleared.')).toBeVisible()
  await expect.element(page.getByRole('main')).toHaveFocus()
  expect([localStorage.getItem(RECENT_COUNT_KEY), document.documentElement.dataset.recent]).toEqual([null, undefined])
})

it('recent plays: before the songs are read, the section has the height for the stored number of songs', async () => {
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(<RecentSectionPlaceholder />)
  await expect.poll(() => hostElement?.querySelector('section')).not.toBeNull()
  expect(hostElement.offsetHeight).toBe(0)
  document.documentElement.dataset.recent = '2'
  const twoRowsHeight = hostElement.offsetHeight
  document.documentElement.dataset.recent = '4'
  const fourRowsHeight = hostElement.offsetHeight
  delete document.documentElement.dataset.recent
  root.unmount()
  await renderRecent(4)
  const recentList = page.getByRole('list', { name: 'Continue listening' })
  await expect.element(recentList).toBeVisible()
  const rows = recentList.getByRole('listitem').elements()
  expect(recentList.element().closest('section')?.offsetHeight).toBe(fourRowsHeight)
  expect(fourRowsHeight - twoRowsHeight).toBe(Math.round(rows[2]?.getBoundingClientRect().height ?? 0) * 2)
})

it('recent plays: if nothing was played, the home page does not have the section', async () => {
  await renderRecent(0)
  await expect.element(page.getByRole('heading', { name: 'Nothing played yet' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Continue listening' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Clear history' })).not.toBeInTheDocument()
})
