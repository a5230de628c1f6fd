import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { nightcoreMeridian } from '../../../brands/nightcore-meridian/brand.ts'
import type { Site } from '../../../contract/site.ts'
import type { Person } from '../../bindings/identity.ts'
import { type Services, ServicesProvider } from '../../bindings/services.tsx'
import { nobody } from '../../platform/nobody.ts'
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
const onSearch = vi.fn()
const onFavorites = vi.fn()
const onSignOut = vi.fn()
let end = () => {}

interface Shown {
  home?: boolean
  settings?: Site['settings']
  person?: Person
  install?: (size: 'normal' | 'big') => ReactNode
}

function show({ home = true, settings = site.settings, install, person }: Shown = {}) {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  const services = { site: { ...site, settings }, identity: { ...nobody, getSnapshot: () => person } } as Services
  flushSync(() =>
    root.render(
      <ServicesProvider services={services}>
        <NavBar
          home={home}
          onRandomSong={onRandomSong}
          onSearch={onSearch}
          onFavorites={onFavorites}
          onSignOut={onSignOut}
          {...(install && { install })}
        />
        <main style={{ height: '3000px' }}>
          <p style={{ paddingTop: '400px' }}>The page</p>
        </main>
      </ServicesProvider>,
    ),
  )
  end = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
}

beforeEach(async () => {
  onRandomSong.mockClear()
  onSearch.mockClear()
  onSignOut.mockClear()
  await page.viewport(1280, 800)
  scrollTo({ top: 0, behavior: 'instant' })
})
afterEach(() => end())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const bar = () => page.getByRole('banner')

it('opens one dropdown at a time, with the links of each', async () => {
  show()
  await button('Explore').click()
  await expect.element(link('Playlists')).toHaveAttribute('href', '/playlists')
  await expect.element(link('Radio')).toHaveAttribute('href', 'http://fm.localhost')
  await button('Community').click()
  await expect.element(link('Network')).toHaveAttribute('href', '/network')
  await expect.element(link('About Us')).toHaveAttribute('href', '/about-us')
  await expect.element(link('Discord')).toHaveAttribute('href', 'https://discord.example.com/x')
  await expect.element(link('Playlists')).not.toBeInTheDocument()
  await expect.element(button('Explore')).toHaveAttribute('aria-expanded', 'false')
  await page.getByText('The page').click()
  await expect.element(link('Network')).not.toBeInTheDocument()
})

it('has no Discord link where none is set', async () => {
  show({ settings: { ...site.settings, SOCIAL_DISCORD: '' } })
  await button('Community').click()
  await expect.element(link('About Us')).toBeVisible()
  expect(link('Discord').elements()).toHaveLength(0)
})

it('goes through a dropdown by keys, and Escape gives the focus back', async () => {
  show()
  button('Explore').element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(link('Playlists')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(link('Random Song')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(link('Random Song')).not.toBeInTheDocument()
  await expect.element(button('Explore')).toHaveFocus()
})

it('has the key that installs below the first links where there is one, and reaches it by keys', async () => {
  show({ install: () => null })
  await button('Explore').click()
  await expect.element(link('Radio')).toBeVisible()
  expect(link('Radio').element().closest('ul')?.lastElementChild?.checkVisibility()).toBe(false)
  end()

  show({ install: (size) => size === 'normal' && <button type="button">Install app</button> })
  await button('Explore').click()
  await expect.element(button('Install app')).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{End}')
  await expect.element(button('Install app')).toHaveFocus()
  await button('Community').click()
  expect(button('Install app').elements()).toHaveLength(0)
})

it('runs Random Song as a command', async () => {
  show()
  await button('Explore').click()
  await link('Random Song').click()
  expect(onRandomSong).toHaveBeenCalledOnce()
  await expect.element(link('Random Song')).not.toBeInTheDocument()
})

it('searches on Enter for what was typed, and not for nothing', async () => {
  show()
  const box = page.getByRole('searchbox')
  await button('Search').click()
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('  {Enter}')
  expect(onSearch).not.toHaveBeenCalled()
  await userEvent.fill(box, '  neon rain ')
  await userEvent.keyboard('{Enter}')
  expect(onSearch.mock.calls).toEqual([['neon rain']])
  await expect.element(box).not.toBeInTheDocument()
})

it('closes the search on Escape and on a press outside', async () => {
  show()
  await button('Search').click()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('searchbox')).not.toBeInTheDocument()
  await expect.element(button('Search')).toHaveFocus()
  await button('Search').click()
  await page.getByText('The page').click()
  await expect.element(page.getByRole('searchbox')).not.toBeInTheDocument()
})

it('is clear on the home page until it is scrolled, from 767 px on', async () => {
  show()
  expect(bar().element()).toHaveAttribute('data-solid', 'false')
  scrollTo({ top: 1, behavior: 'instant' })
  await expect.element(bar()).toHaveAttribute('data-solid', 'true')
  await page.viewport(766, 800)
  await expect.element(bar()).toHaveAttribute('data-solid', 'false')
  await page.viewport(767, 800)
  await expect.element(bar()).toHaveAttribute('data-solid', 'true')
})

it('is filled on every other page', () => {
  show({ home: false })
  expect(bar().element()).toHaveAttribute('data-solid', 'true')
})

it('shows its links as a sheet on a phone: one group open, focus inside, closed by Escape', async () => {
  await page.viewport(390, 844)
  show()
  expect(button('Explore').elements()).toHaveLength(0)
  await button('Menu').click()
  const sheet = page.getByRole('dialog', { name: 'Menu' })
  await expect.element(sheet).toBeVisible()
  await button('Explore').click()
  await expect.element(link('Playlists')).toBeVisible()
  await button('Community').click()
  await expect.element(link('About Us')).toBeVisible()
  expect(link('Playlists').elements()).toHaveLength(0)
  for (let presses = 0; presses < 12; presses++) {
    await userEvent.keyboard('{Tab}')
    const focused = document.activeElement
    expect(focused === document.body || sheet.element().contains(focused)).toBe(true)
  }
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(button('Menu')).toHaveFocus()
})

const ann: Person = { uid: 'u1', email: 'ann@example.com', emailVerified: true }

it('leads to the log-in where nobody is signed in, on a phone as well', async () => {
  show()
  await expect.element(link('Login')).toHaveAttribute('href', '/login')
  await page.viewport(390, 844)
  await expect.element(link('Login')).toBeVisible()
})

it('shows who is signed in, in a dropdown that closes the others', async () => {
  show({ person: ann })
  expect(link('Login').elements()).toHaveLength(0)
  await button('Explore').click()
  await page.getByRole('button', { name: 'ann@example.com' }).click()
  await expect.element(page.getByText('ann@example.com', { exact: true })).toBeVisible()
  await expect.element(link('Dashboard')).toHaveAttribute('href', '/account')
  await expect.element(link('Favorites')).toBeVisible()
  await expect.element(link('Playlists')).not.toBeInTheDocument()
  await button('Sign out').click()
  expect(onSignOut).toHaveBeenCalledOnce()
  await expect.element(button('Sign out')).not.toBeInTheDocument()
})
