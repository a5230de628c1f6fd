import { useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Dialog } from './dialog.tsx'
import './global.css'

let end: () => void

function Example() {
  const [open, setOpen] = useState(false)
  const [inner, setInner] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Report
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Report this song">
        <input aria-label="Reason" />
        <button type="button" onClick={() => setInner(true)}>
          Rules
        </button>
        <Dialog open={inner} onClose={() => setInner(false)} title="The rules">
          <p>Be kind.</p>
        </Dialog>
      </Dialog>
    </>
  )
}

beforeEach(() => {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() => root.render(<Example />))
  end = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
})
afterEach(() => end())

const opener = () => page.getByRole('button', { name: 'Report' })
const dialog = () => page.getByRole('dialog', { name: 'Report this song' })
const open = async () => {
  await opener().click()
  await expect.element(dialog()).toBeVisible()
}
const pressAt = (x: number, y: number) => {
  const target = document.elementFromPoint(x, y) ?? document.body
  const at = { bubbles: true, clientX: x, clientY: y }
  flushSync(() => {
    target.dispatchEvent(new PointerEvent('pointerdown', at))
    target.dispatchEvent(new MouseEvent('click', at))
  })
}

it('takes the focus, keeps the page still, and gives the focus back on Escape', async () => {
  await open()
  expect(dialog().element().contains(document.activeElement)).toBe(true)
  expect(getComputedStyle(document.documentElement).overflow).toBe('hidden')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(opener()).toHaveFocus()
  await open()
})

it('closes by its button', async () => {
  await open()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
})

it('closes on a press beside it, not on one inside, nor on a drag that began inside', async () => {
  await open()
  const box = dialog().element().getBoundingClientRect()
  pressAt(box.left + 5, box.top + 5)
  await expect.element(dialog()).toBeVisible()

  const beside = { bubbles: true, clientX: box.left - 5, clientY: box.top - 5 }
  flushSync(() => {
    page
      .getByLabelText('Reason')
      .element()
      .dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, clientX: box.left + 50, clientY: box.top + 80 }))
    dialog().element().dispatchEvent(new MouseEvent('click', beside))
  })
  await expect.element(dialog()).toBeVisible()

  pressAt(box.left - 5, box.top - 5)
  await expect.element(dialog()).not.toBeInTheDocument()
})

it('stays open where one inside it closes', async () => {
  await open()
  await page.getByRole('button', { name: 'Rules' }).click()
  await expect.element(page.getByRole('dialog', { name: 'The rules' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog', { name: 'The rules' })).not.toBeInTheDocument()
  await expect.element(dialog()).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Rules' })).toHaveFocus()
})
