import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Menu, type MenuItem } from './menu.tsx'
import './global.css'

let unmount: () => void
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
  unmount = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
})
afterEach(() => unmount())

const menuButton = () => page.getByRole('button', { name: 'More' })
const menuItem = (name: string) => page.getByRole('menuitem', { name })

it('menu: a click opens the menu; choosing an item runs the item, closes the menu and restores the focus', async () => {
  await menuButton().click()
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'true')
  await menuItem('Add to queue').click()
  expect(onChoose.mock.calls).toEqual([['queue']])
  await expect.element(menuItem('Add to queue')).not.toBeInTheDocument()
  await expect.element(menuButton()).toHaveFocus()
})

it('menu: arrow keys wrap around and skip disabled items, a letter jumps to an item, Enter selects it', async () => {
  menuButton().element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(menuItem('Play next')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(menuItem('Go to artist')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(menuItem('Play next')).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(menuItem('Go to artist')).toHaveFocus()
  await userEvent.keyboard('a')
  await expect.element(menuItem('Add to queue')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(onChoose.mock.calls).toEqual([['queue']])
})

it('menu: Escape returns the focus from an item to the button', async () => {
  menuButton().element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(menuItem('Play next')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(menuItem('Play next')).not.toBeInTheDocument()
  await expect.element(menuButton()).toHaveFocus()
})

it('menu: Escape, a press outside and a second press on the button close the menu', async () => {
  await menuButton().click()
  await userEvent.keyboard('{Escape}')
  await expect.element(menuItem('Play next')).not.toBeInTheDocument()
  await expect.element(menuButton()).toHaveFocus()
  await menuButton().click()
  await page.getByText('Elsewhere').click()
  await expect.element(menuItem('Play next')).not.toBeInTheDocument()
  await menuButton().click()
  await expect.element(menuItem('Play next')).toBeVisible()
  await menuButton().click()
  await expect.element(menuItem('Play next')).not.toBeInTheDocument()
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'false')
})

it('menu: opening one menu closes the other', async () => {
  await menuButton().click()
  await page.getByRole('button', { name: 'Other' }).click()
  await expect.element(menuItem('Thing')).toBeVisible()
  await expect.element(menuItem('Play next')).not.toBeInTheDocument()
})
