import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { nightcoreMeridian } from '../../../brands/nightcore-meridian/brand.ts'
import type { Site } from '../../../contract/site.ts'
import type { SignedInAccount } from '../../hooks/identity.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import type { InstallMethod } from '../../platform/install.ts'
import { NavBar } from './nav-bar.tsx'
import '../../ui/global.css'

const site: Site = {
  brand: 'any',
  host_class: 'main',
  subdomain: '',
  api_base_url: '/api',
  main_url: 'http://localhost',
  radio_url: 'http://fm.localhost',
  settings: { ...nightcoreMeridian.settings, SOCIAL_DISCORD: 'https://discord.example.com/x' },
  hero: nightcoreMeridian.hero,
  texts: nightcoreMeridian.texts,
}

const onRandomSong = vi.fn()
const onFavorites = vi.fn()
const onSignOut = vi.fn()
let endTest = () => {}

interface NavBarOptions {
  isHomePage?: boolean
  settings?: Site['settings']
  person?: SignedInAccount
  installMethod?: InstallMethod
}

function renderNavBar({ isHomePage = true, settings = site.settings, installMethod = 'none', person }: NavBarOptions = {}) {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  const services = createTestServices({
    site: { ...site, settings },
    identity: { ...anonymousIdentity, getSnapshot: () => person },
    install: { method: installMethod, subscribe: () => () => {} },
  })
  flushSync(() =>
    root.render(
      <ServicesProvider services={services}>
        <NavBar isHomePage={isHomePage} onRandomSong={onRandomSong} onSearch={() => {}} onFavorites={onFavorites} onSignOut={onSignOut} />
        <main style={{ height: '3000px' }}>
          <p style={{ paddingTop: '400px' }}>The page</p>
        </main>
      </ServicesProvider>,
    ),
  )
  endTest = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
}

beforeEach(async () => {
  onRandomSong.mockClear()
  onSignOut.mockClear()
  await page.viewport(1280, 800)
  scrollTo({ top: 0, behavior: 'instant' })
})
afterEach(() => endTest())

const locateButton = (name: string) => page.getByRole('button', { name, exact: true })
const locateLink = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const findBanner = () => page.getByRole('banner')

it('one dropdown of the bar is open at a time, and shows its links', async () => {
  renderNavBar()
  await locateButton('Explore').click()
  await expect.element(locateLink('Playlists')).toHaveAttribute('href', '/playlists')
  await expect.element(locateLink('Radio')).toHaveAttribute('href', 'http://fm.localhost')
  await locateButton('Community').click()
  await expect.element(locateLink('Network')).toHaveAttribute('href', '/network')
  await expect.element(locateLink('Latest')).toHaveAttribute('href', '/latest')
  await expect.element(locateLink('About Us')).toHaveAttribute('href', '/about-us')
  await expect.element(locateLink('Discord')).toHaveAttribute('href', 'https://discord.example.com/x')
  await expect.element(locateLink('Playlists')).not.toBeInTheDocument()
  await expect.element(locateButton('Explore')).toHaveAttribute('aria-expanded', 'false')
  await page.getByText('The page').click()
  await expect.element(locateLink('Network')).not.toBeInTheDocument()
})

it('without the Discord setting the bar has no Discord link', async () => {
  renderNavBar({ settings: { ...site.settings, SOCIAL_DISCORD: '' } })
  await locateButton('Community').click()
  await expect.element(locateLink('About Us')).toBeVisible()
  expect(locateLink('Discord').elements()).toHaveLength(0)
})

it('arrow keys move within a dropdown of the bar, and Escape returns the focus', async () => {
  renderNavBar()
  locateButton('Explore').element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(locateLink('Playlists')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(locateLink('Random Song')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(locateLink('Random Song')).not.toBeInTheDocument()
  await expect.element(locateButton('Explore')).toHaveFocus()
})

it('the bar shows the install button below the first links, reachable by keyboard', async () => {
  renderNavBar()
  await locateButton('Explore').click()
  await expect.element(locateLink('Radio')).toBeVisible()
  expect(locateLink('Radio').element().closest('ul')?.lastElementChild?.checkVisibility()).toBe(false)
  endTest()

  renderNavBar({ installMethod: 'press' })
  await locateButton('Explore').click()
  await expect.element(locateButton('Install app')).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{End}')
  await expect.element(locateButton('Install app')).toHaveFocus()
  await locateButton('Community').click()
  expect(locateButton('Install app').elements()).toHaveLength(0)
})

it('Random Song in the bar runs its command and closes the dropdown', async () => {
  renderNavBar()
  await locateButton('Explore').click()
  await locateLink('Random Song').click()
  expect(onRandomSong).toHaveBeenCalledOnce()
  await expect.element(locateLink('Random Song')).not.toBeInTheDocument()
})

it('on the home page the bar is transparent until the page is scrolled, from a width of 767 px on', async () => {
  renderNavBar()
  expect(findBanner().element()).toHaveAttribute('data-solid', 'false')
  scrollTo({ top: 1, behavior: 'instant' })
  await expect.element(findBanner()).toHaveAttribute('data-solid', 'true')
  await page.viewport(766, 800)
  await expect.element(findBanner()).toHaveAttribute('data-solid', 'false')
  await page.viewport(767, 800)
  await expect.element(findBanner()).toHaveAttribute('data-solid', 'true')
})

it('the bar is opaque on every page but the home page', () => {
  renderNavBar({ isHomePage: false })
  expect(findBanner().element()).toHaveAttribute('data-solid', 'true')
})

it('on a phone the links open as a sheet: one group is open, the focus stays inside, and Escape closes it', async () => {
  await page.viewport(390, 844)
  renderNavBar()
  expect(locateButton('Explore').elements()).toHaveLength(0)
  await locateButton('Menu').click()
  const menuDialog = page.getByRole('dialog', { name: 'Menu' })
  await expect.element(menuDialog).toBeVisible()
  await expect.element(locateLink('Playlists')).toBeVisible()
  await expect.element(locateLink('Storage')).toHaveAttribute('href', '/storage')
  await locateButton('Community').click()
  await expect.element(locateLink('About Us')).toBeVisible()
  expect(locateLink('Playlists').elements()).toHaveLength(0)
  for (let pressCount = 0; pressCount < 12; pressCount++) {
    await userEvent.keyboard('{Tab}')
    const focusedElement = document.activeElement
    expect(focusedElement === document.body || menuDialog.element().contains(focusedElement)).toBe(true)
  }
  await userEvent.keyboard('{Escape}')
  await expect.element(menuDialog).not.toBeInTheDocument()
  await expect.element(locateButton('Menu')).toHaveFocus()
})

const annAccount: SignedInAccount = { uid: 'u1', email: 'ann@example.com', emailVerified: true }

it('without an account the bar links to the login, also on a phone', async () => {
  renderNavBar()
  await expect.element(locateLink('Login')).toHaveAttribute('href', '/login')
  await page.viewport(390, 844)
  await expect.element(locateLink('Login')).toBeVisible()
})

it('the account has a dropdown in the bar; opening it closes the others', async () => {
  renderNavBar({ person: annAccount })
  expect(locateLink('Login').elements()).toHaveLength(0)
  await locateButton('Explore').click()
  await page.getByRole('button', { name: 'ann@example.com' }).click()
  await expect.element(page.getByText('ann@example.com', { exact: true })).toBeVisible()
  await expect.element(locateLink('Dashboard')).toHaveAttribute('href', '/account')
  await expect.element(locateLink('Favorites')).toBeVisible()
  await expect.element(locateLink('Playlists')).not.toBeInTheDocument()
  await locateButton('Sign out').click()
  expect(onSignOut).toHaveBeenCalledOnce()
  await expect.element(locateButton('Sign out')).not.toBeInTheDocument()
})
