import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { nightcoreMeridian } from '../../../brands/nightcore-meridian/brand.ts'
import { NotFoundPage } from '../../components/not-found.tsx'
import { type Services, ServicesProvider } from '../../hooks/services.tsx'
import { PagePending } from './page-pending.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'
import { RouteError } from './route-error.tsx'
import '../../ui/global.css'

let isPageFailing = true
let endTest = () => {}

function createTestRouter() {
  const root = createRootRoute({
    component: () => (
      <>
        <main id="main">
          <Outlet />
        </main>
        <RouteAnnouncer />
      </>
    ),
  })
  const addPage = (routePath: string, headingText: string, pageTitle?: string) =>
    createRoute({
      getParentRoute: () => root,
      path: routePath,
      component: () => <h1>{headingText}</h1>,
      ...(pageTitle === undefined ? {} : { head: () => ({ meta: [{ title: pageTitle }] }) }),
    })
  const brokenRoute = createRoute({
    getParentRoute: () => root,
    path: '/broken',
    component: () => {
      if (isPageFailing) throw new Error('secret detail')
      return <h1>Mended</h1>
    },
  })
  const slowRoute = createRoute({ getParentRoute: () => root, path: '/slow', loader: () => new Promise(() => {}), component: () => null })
  return createRouter({
    routeTree: root.addChildren([
      addPage('/', 'Home'),
      addPage('/playlists', 'Playlists', 'Playlists · Name'),
      addPage('/bare', 'Bare'),
      brokenRoute,
      slowRoute,
    ]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
    defaultPendingMs: 0,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PagePending,
  })
}
let router: ReturnType<typeof createTestRouter>

beforeEach(async () => {
  isPageFailing = true
  document.title = 'From the server'
  router = createTestRouter()
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  // The cast is safe, because the announcer reads only the site's settings.
  const services = { kind: 'main', site: { settings: nightcoreMeridian.settings } } as Services
  flushSync(() =>
    root.render(
      <ServicesProvider services={services}>
        {/* The cast is needed because the app registers its own router's type as the only one. */}
        <RouterProvider router={router as never} />
      </ServicesProvider>,
    ),
  )
  endTest = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
  await expect.element(page.getByRole('heading', { name: 'Home' })).toBeVisible()
})
afterEach(() => endTest())

const goTo = (path: string) => router.history.push(path)

it("at first the title of the HTML stays; a navigation sets and announces the route's title and moves the focus", async () => {
  expect(document.title).toBe('From the server')
  expect(document.activeElement).toBe(document.body)
  goTo('/playlists')
  await expect.element(page.getByRole('heading', { name: 'Playlists' })).toHaveFocus()
  expect(document.title).toBe('Playlists · Name')
  await expect.element(page.getByRole('status')).toHaveTextContent('Playlists · Name')
  goTo('/bare')
  await expect.element(page.getByRole('heading', { name: 'Bare' })).toHaveFocus()
  await expect.poll(() => document.title).toBe(nightcoreMeridian.settings.META_TITLE)
})

it('the focus stays when only the query of the address changes', async () => {
  goTo('/playlists')
  await expect.element(page.getByRole('heading', { name: 'Playlists' })).toHaveFocus()
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  goTo('/playlists?sort=az')
  await expect.poll(() => router.state.location.href).toBe('/playlists?sort=az')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.activeElement).toBe(document.body)
})

it('an unknown address shows the 404 page with a link to the home page', async () => {
  goTo('/no-such-page')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect.element(page.getByText('404')).toBeVisible()
  expect(document.title).toBe(`Page not found · ${nightcoreMeridian.settings.NAME}`)
  await expect.element(page.getByRole('link', { name: 'Go back home' })).toHaveAttribute('href', '/')
})

it('if rendering a page fails, an error without technical details is shown, and Retry renders the page again', async () => {
  goTo('/broken')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Something on this page went wrong.')
  await expect.element(page.getByText('secret detail')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Reload' })).toBeVisible()
  vi.mocked(console.error).mockClear()
  isPageFailing = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.element(page.getByRole('heading', { name: 'Mended' })).toBeVisible()
})

it('a skeleton is shown while a page is loading', async () => {
  goTo('/slow')
  await expect.element(page.getByText('Loading...')).toBeInTheDocument()
})
