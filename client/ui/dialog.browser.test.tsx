import { useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Dialog } from './dialog.tsx'
import './global.css'
import { lazyDialog } from './lazy-dialog.tsx'

let unmountDialog: () => void

const LazyDialog = lazyDialog('Log in', async () => ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Log in">
    <p>Log in first.</p>
  </Dialog>
))

function Example() {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const [isLazyDialogOpen, setLazyDialogOpen] = useState(false)
  const [isInnerDialogOpen, setInnerDialogOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setDialogOpen(true)}>
        Report
      </button>
      <button type="button" onClick={() => setLazyDialogOpen(true)}>
        Favorite
      </button>
      <LazyDialog open={isLazyDialogOpen} onClose={() => setLazyDialogOpen(false)} />
      <Dialog open={isDialogOpen} onClose={() => setDialogOpen(false)} title="Report this song">
        <input aria-label="Reason" />
        <button type="button" onClick={() => setInnerDialogOpen(true)}>
          Rules
        </button>
        <Dialog open={isInnerDialogOpen} onClose={() => setInnerDialogOpen(false)} title="The rules">
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
  unmountDialog = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
})
afterEach(() => unmountDialog())

const locateOpenerButton = () => page.getByRole('button', { name: 'Report' })
const locateReportDialog = () => page.getByRole('dialog', { name: 'Report this song' })
const openDialog = async () => {
  await locateOpenerButton().click()
  await expect.element(locateReportDialog()).toBeVisible()
}
const pressAt = (x: number, y: number) => {
  const elementAtPoint = document.elementFromPoint(x, y) ?? document.body
  const mouseEventInit = { bubbles: true, clientX: x, clientY: y }
  flushSync(() => {
    elementAtPoint.dispatchEvent(new PointerEvent('pointerdown', mouseEventInit))
    elementAtPoint.dispatchEvent(new MouseEvent('click', mouseEventInit))
  })
}

it('dialog: opening a dialog moves the focus into the dialog and locks page scrolling; Escape restores the focus', async () => {
  await openDialog()
  expect(locateReportDialog().element().contains(document.activeElement)).toBe(true)
  expect(getComputedStyle(document.documentElement).overflow).toBe('hidden')
  await userEvent.keyboard('{Escape}')
  await expect.element(locateReportDialog()).not.toBeInTheDocument()
  await expect.element(locateOpenerButton()).toHaveFocus()
  await openDialog()
})

it("dialog: the browser's Back button closes the dialog", async () => {
  await openDialog()
  dispatchEvent(new PopStateEvent('popstate'))
  await expect.element(locateReportDialog()).not.toBeInTheDocument()
})

it('dialog: the close button closes the dialog', async () => {
  await openDialog()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(locateReportDialog()).not.toBeInTheDocument()
})

it('dialog: a press on the backdrop closes the dialog; a press inside does not, nor does a drag that began inside', async () => {
  await openDialog()
  const dialogBox = locateReportDialog().element().getBoundingClientRect()
  pressAt(dialogBox.left + 5, dialogBox.top + 5)
  await expect.element(locateReportDialog()).toBeVisible()

  const backdropEventInit = { bubbles: true, clientX: dialogBox.left - 5, clientY: dialogBox.top - 5 }
  flushSync(() => {
    page
      .getByLabelText('Reason')
      .element()
      .dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, clientX: dialogBox.left + 50, clientY: dialogBox.top + 80 }))
    locateReportDialog().element().dispatchEvent(new MouseEvent('click', backdropEventInit))
  })
  await expect.element(locateReportDialog()).toBeVisible()

  pressAt(dialogBox.left - 5, dialogBox.top - 5)
  await expect.element(locateReportDialog()).not.toBeInTheDocument()
})

it('dialog: closing a nested dialog keeps the outer dialog open', async () => {
  await openDialog()
  await page.getByRole('button', { name: 'Rules' }).click()
  await expect.element(page.getByRole('dialog', { name: 'The rules' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog', { name: 'The rules' })).not.toBeInTheDocument()
  await expect.element(locateReportDialog()).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Rules' })).toHaveFocus()
})

it('lazy dialog: if the focus is moved right after the dialog has restored it, the dialog does not move it again', async () => {
  const favoriteButton = page.getByRole('button', { name: 'Favorite' })
  const lazyDialogElement = page.getByRole('dialog', { name: 'Log in' })
  await favoriteButton.click()
  await expect.element(lazyDialogElement).toBeVisible()
  const element = lazyDialogElement.element()
  if (!(element instanceof HTMLDialogElement)) throw new Error('No dialog element')
  element.close()
  // The browser sends the event `close`, on which the page renders the dialog as closed, in a later task.
  expect(document.activeElement).toBe(favoriteButton.element())
  const reportButton = locateOpenerButton().element()
  if (reportButton instanceof HTMLElement) reportButton.focus()
  await expect.element(lazyDialogElement).not.toBeInTheDocument()
  await expect.element(locateOpenerButton()).toHaveFocus()
})
