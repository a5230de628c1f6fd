import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Menu, type MenuItem } from './menu.tsx'
import './global.css'

let end: () => void
const chosen = vi.fn()
const items: MenuItem[] = [
  { id: 'next', label: 'Play next', onSelect: () => chosen('next') },
  { id: 'queue', label: 'Add to queue', onSelect: () => chosen('queue') },
  { id: 'gone', label: 'Not now', disabled: true, onSelect: () => chosen('gone') },
  { id: 'artist', label: 'Go to artist', to: '#artist' },
]

beforeEach(() => {
  chosen.mockClear()
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
  end = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
})
afterEach(() => end())

const button = () => page.getByRole('button', { name: 'More' })
const item = (name: string) => page.getByRole('menuitem', { name })

it('opens by pointer, does what was chosen, closes and gives the focus back', async () => {
  await button().click()
  await expect.element(button()).toHaveAttribute('aria-expanded', 'true')
  await item('Add to queue').click()
  expect(chosen.mock.calls).toEqual([['queue']])
  await expect.element(item('Add to queue')).not.toBeInTheDocument()
  await expect.element(button()).toHaveFocus()
})

it('works by keys alone: arrows wrap and pass over what is disabled, a letter jumps, Enter chooses', async () => {
  button().element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item('Play next')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(item('Go to artist')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item('Play next')).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(item('Go to artist')).toHaveFocus()
  await userEvent.keyboard('a')
  await expect.element(item('Add to queue')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(chosen.mock.calls).toEqual([['queue']])
})

it('closes on Escape and on a press outside; a second press on its button closes it too', async () => {
  await button().click()
  await userEvent.keyboard('{Escape}')
  await expect.element(item('Play next')).not.toBeInTheDocument()
  await expect.element(button()).toHaveFocus()
  await button().click()
  await page.getByText('Elsewhere').click()
  await expect.element(item('Play next')).not.toBeInTheDocument()
  await button().click()
  await expect.element(item('Play next')).toBeVisible()
  await button().click()
  await expect.element(item('Play next')).not.toBeInTheDocument()
  await expect.element(button()).toHaveAttribute('aria-expanded', 'false')
})

it('is the only one open', async () => {
  await button().click()
  await page.getByRole('button', { name: 'Other' }).click()
  await expect.element(item('Thing')).toBeVisible()
  await expect.element(item('Play next')).not.toBeInTheDocument()
})
