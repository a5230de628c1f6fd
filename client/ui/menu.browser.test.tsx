import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Menu, type MenuItem } from './menu.tsx'
import './global.css'

let unmountMenu: () => void
const onChoose = vi.fn()
const items: MenuItem[] = [
  { id: 'next', label: 'Play next', onSelect: () => onChoose('next') },
  { id: 'queue', label: 'Add to queue', onSelect: () => onChoose('queue') },
  { id: 'gone', label: 'Not now', disabled: true, onSelect: () => onChoose('gone') },
  { id: 'artist', label: 'Go to artist', to: '#artist' },
]

beforeEach(() => {
  onChoose.mockClear()
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() =>
    root.render(
      <>
        <Menu label="More" icon="more" items={items} />
        <Menu label="Other" items={[{ id: 'x', label: 'Thing' }]} />
        <p style={{ marginTop: '400px' }}>Elsewhere</p>
      </>,
    ),
  )
  unmountMenu = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
})
afterEach(() => unmountMenu())

const locateMenuButton = () => page.getByRole('button', { name: 'More' })
const locateMenuItem = (name: string) => page.getByRole('menuitem', { name })

it('menu: a click opens the menu; choosing an item runs the item, closes the menu and restores the focus', async () => {
  await locateMenuButton().click()
  await expect.element(locateMenuButton()).toHaveAttribute('aria-expanded', 'true')
  await locateMenuItem('Add to queue').click()
  expect(onChoose.mock.calls).toEqual([['queue']])
  await expect.element(locateMenuItem('Add to queue')).not.toBeInTheDocument()
  await expect.element(locateMenuButton()).toHaveFocus()
})

it('menu: arrow keys wrap around and skip disabled items, a letter jumps to an item, Enter selects it', async () => {
  locateMenuButton().element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(locateMenuItem('Play next')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(locateMenuItem('Go to artist')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(locateMenuItem('Play next')).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(locateMenuItem('Go to artist')).toHaveFocus()
  await userEvent.keyboard('a')
  await expect.element(locateMenuItem('Add to queue')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(onChoose.mock.calls).toEqual([['queue']])
})

it('menu: Escape returns the focus from an item to the button', async () => {
  locateMenuButton().element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(locateMenuItem('Play next')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(locateMenuItem('Play next')).not.toBeInTheDocument()
  await expect.element(locateMenuButton()).toHaveFocus()
})

it('menu: Escape, a press outside and a second press on the button close the menu', async () => {
  await locateMenuButton().click()
  await userEvent.keyboard('{Escape}')
  await expect.element(locateMenuItem('Play next')).not.toBeInTheDocument()
  await expect.element(locateMenuButton()).toHaveFocus()
  await locateMenuButton().click()
  await page.getByText('Elsewhere').click()
  await expect.element(locateMenuItem('Play next')).not.toBeInTheDocument()
  await locateMenuButton().click()
  await expect.element(locateMenuItem('Play next')).toBeVisible()
  await locateMenuButton().click()
  await expect.element(locateMenuItem('Play next')).not.toBeInTheDocument()
  await expect.element(locateMenuButton()).toHaveAttribute('aria-expanded', 'false')
})

it('menu: opening one menu closes the other', async () => {
  await locateMenuButton().click()
  await page.getByRole('button', { name: 'Other' }).click()
  await expect.element(locateMenuItem('Thing')).toBeVisible()
  await expect.element(locateMenuItem('Play next')).not.toBeInTheDocument()
})
