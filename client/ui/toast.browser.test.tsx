import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Dialog } from './dialog.tsx'
import { ToastRegion, useToast } from './toast.tsx'
import type { Toast } from './toast-cards.tsx'
import './global.css'

let unmountRoot = () => {}
afterEach(() => unmountRoot())

function ToastSender({ nextToast }: { nextToast: () => Toast }) {
  const addToast = useToast()
  return (
    <button type="button" onClick={() => addToast(nextToast())}>
      Send
    </button>
  )
}

async function showToast(toast: Toast | (() => Toast)) {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() =>
    root.render(
      <ToastRegion>
        <ToastSender nextToast={typeof toast === 'function' ? toast : () => toast} />
      </ToastRegion>,
    ),
  )
  unmountRoot = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
  // Checks that the polite and the assertive live region exist before the first message.
  expect(document.querySelectorAll('[role="status"], [role="alert"]')).toHaveLength(2)
  await page.getByRole('button', { name: 'Send' }).click()
}

it('toast: a toast is announced politely and disappears after its duration', async () => {
  await showToast({ text: 'Added to the queue', durationMs: 300 })
  await expect.element(page.getByRole('status')).toHaveTextContent('Added to the queue')
  await expect.element(page.getByText('Added to the queue')).not.toBeInTheDocument()
})

it('toast: a failure is announced as an alert, stays until it is dismissed, and replaces a toast with the same text', async () => {
  await showToast({ text: 'No song could be chosen.', kind: 'bad', durationMs: 60_000 })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('No song could be chosen.')
  expect(page.getByText('No song could be chosen.').elements()).toHaveLength(1)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(page.getByText('No song could be chosen.')).not.toBeInTheDocument()
})

/** A text field that shows a toast with its text. The toast replaces the previous one. */
function ToastReplacingField() {
  const addToast = useToast()
  const removeToast = useRef(() => {})
  return (
    <input
      aria-label="Song"
      onChange={({ target }) => {
        removeToast.current()
        removeToast.current = addToast({ text: `Opened: ${target.value}`, durationMs: 600_000 })
      }}
    />
  )
}

it('toast: the code that showed a toast can remove it, and the focus returns to the element that had it before the toast', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  flushSync(() =>
    root.render(
      <ToastRegion>
        <ToastReplacingField />
      </ToastRegion>,
    ),
  )
  unmountRoot = () => flushSync(() => root.unmount())
  const field = page.getByRole('textbox', { name: 'Song' })
  await field.fill('a')
  await expect.element(page.getByRole('status')).toHaveTextContent('Opened: a')
  await field.click()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Dismiss' })).toHaveFocus()
  const input = document.querySelector('input')
  if (input) Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'b')
  input?.dispatchEvent(new Event('input', { bubbles: true }))
  await expect.element(page.getByRole('status')).toHaveTextContent('Opened: b')
  await expect.element(page.getByText('Opened: a')).not.toBeInTheDocument()
  await expect.element(field).toHaveFocus()
})

it('toast: pressing the button of a toast runs its action and removes the toast', async () => {
  const onSelect = vi.fn()
  await showToast({ text: 'Queue cleared', action: { label: 'Undo', onSelect } })
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(onSelect).toHaveBeenCalledOnce()
  await expect.element(page.getByText('Queue cleared')).not.toBeInTheDocument()
})

it('toast: its code learns when the action can no longer be pressed: after the duration or Dismiss, and not if the action was pressed', async () => {
  const [onSelect, onExpire] = [vi.fn(), vi.fn()]
  let sentCount = 0
  await showToast(() => ({
    text: `Deleted ${++sentCount}`,
    durationMs: sentCount === 1 ? 1 : 600_000,
    action: { label: 'Undo', onSelect },
    onExpire,
  }))
  const card = page.getByText(/^Deleted/)
  await expect.poll(() => onExpire.mock.calls.length).toBe(1)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(card).not.toBeInTheDocument()
  expect(onExpire).toHaveBeenCalledTimes(2)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(card).not.toBeInTheDocument()
  expect([onSelect.mock.calls.length, onExpire.mock.calls.length]).toEqual([1, 2])
})

it('toast: a toast with an action disappears when the account changes', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const renderToast = (accountUid: string | undefined, toast: Toast) =>
    flushSync(() =>
      root.render(
        <ToastRegion accountUid={accountUid}>
          <ToastSender nextToast={() => toast} />
        </ToastRegion>,
      ),
    )
  const undoChange = vi.fn()
  const durationMs = 600_000
  renderToast('ann', { text: 'Added to your favorites', durationMs, action: { label: 'Undo', onSelect: undoChange } })
  await page.getByRole('button', { name: 'Send' }).click()
  renderToast('ann', { text: 'Link copied!', durationMs })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  renderToast(undefined, { text: 'Link copied!', durationMs })
  await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  await expect.element(page.getByText('Link copied!')).toBeVisible()
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(undoChange).not.toHaveBeenCalled()
  flushSync(() => root.unmount())
})

it('toast: several toasts with the same text and different subjects are one card with a count, and its action applies to all of them', async () => {
  const undoneSubjects: string[] = []
  const sentToasts = ['Vision', 'Dawn', 'Ember', 'Coast'].map((subjectName) => ({
    text: 'Added to your favorites',
    subject: subjectName,
    action: { label: 'Undo', onSelect: () => undoneSubjects.push(subjectName) },
  }))
  await showToast(() => sentToasts.shift() ?? { text: 'no more' })
  await expect.element(page.getByRole('status')).toHaveTextContent('Added to your favorites: Vision')
  for (const _ of [1, 2]) await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(page.getByText('Added to your favorites (3): Vision, Dawn, Ember')).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(page.getByText('Added to your favorites (4): …, Dawn, Ember, Coast')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(undoneSubjects).toEqual(['Coast', 'Ember', 'Dawn', 'Vision'])
  await expect.element(page.getByText(/Added to your favorites/)).not.toBeInTheDocument()
})

it('toast: long subjects are cut in their middle, so that a card with three of them has at most five lines on a narrow phone', async () => {
  await page.viewport(320, 640)
  const createTitle = (start: string) => `${start} ${'of a very long title of a song '.repeat(4)}(slowed + reverb)`
  const sentToasts = ['First', 'Second', 'Third'].map((start) => ({ text: 'Added to the queue', subject: createTitle(start) }))
  await showToast(() => sentToasts.shift() ?? { text: 'no more' })
  await expect.element(page.getByText(/^Added to the queue: First of a .+ … .+ \(slowed \+ reverb\)$/)).toBeVisible()
  for (const _ of [1, 2]) await page.getByRole('button', { name: 'Send' }).click()
  const toastText = page.getByText(/^Added to the queue \(3\): First .+ … .+, Second .+ … .+, Third .+ … .*\+ reverb\)$/)
  await expect.element(toastText).toBeVisible()
  const { height, paddingBlock, lineHeight } = getComputedStyle(toastText.element())
  const textHeightPx = Number.parseFloat(height) - 2 * Number.parseFloat(paddingBlock)
  expect(Math.round(textHeightPx / Number.parseFloat(lineHeight))).toBeLessThanOrEqual(5)
  await page.viewport(1280, 800)
})

/** A page with a dialog that contains the button that shows toasts, and another dialog. */
function ToastSendingDialogs({ nextToast }: { nextToast: () => Toast }) {
  const [openDialogs, setOpenDialogs] = useState<readonly string[]>([])
  const close = (name: string) => setOpenDialogs((names) => names.filter((each) => each !== name))
  return (
    <>
      <button type="button" onClick={() => setOpenDialogs(['Outer'])}>
        Open
      </button>
      <Dialog open={openDialogs.includes('Outer')} onClose={() => close('Outer')} title="Outer">
        <ToastSender nextToast={nextToast} />
        <button type="button" onClick={() => setOpenDialogs(['Outer', 'Inner'])}>
          More
        </button>
        <Dialog open={openDialogs.includes('Inner')} onClose={() => close('Inner')} title="Inner">
          <p>Empty</p>
        </Dialog>
      </Dialog>
    </>
  )
}

it('toast: a toast of an open dialog is in live regions within the dialog, which Dismiss and Undo leave open; closing the dialog leaves it on the page', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  unmountRoot = () => flushSync(() => root.unmount())
  const undoChange = vi.fn()
  flushSync(() =>
    root.render(
      <ToastRegion>
        <ToastSendingDialogs
          nextToast={() => ({ text: 'Not saved', kind: 'bad', durationMs: 600_000, action: { label: 'Undo', onSelect: undoChange } })}
        />
      </ToastRegion>,
    ),
  )
  const outerDialog = page.getByRole('dialog', { name: 'Outer' })
  const innerDialog = page.getByRole('dialog', { name: 'Inner' })
  const sendToast = () => outerDialog.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'Open' }).click()

  // Screen readers announce a message only in a live region that was accessible before.
  let isRegionEarlier = false
  const observer = new MutationObserver(() => {
    const alert = document.querySelector('dialog [role="alert"]')
    if (alert?.childElementCount === 0) isRegionEarlier = true
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await sendToast()
  await expect.element(outerDialog.getByRole('alert')).toHaveTextContent('Not saved')
  observer.disconnect()
  expect(isRegionEarlier).toBe(true)
  await outerDialog.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(page.getByText('Not saved')).not.toBeInTheDocument()
  await expect.element(outerDialog).toBeVisible()

  await sendToast()
  await outerDialog.getByRole('button', { name: 'Undo' }).click()
  expect(undoChange).toHaveBeenCalledOnce()
  await expect.element(outerDialog).toBeVisible()

  await sendToast()
  await expect.element(outerDialog.getByRole('alert')).toHaveTextContent('Not saved')
  await page.getByRole('button', { name: 'More' }).click()
  await expect.element(innerDialog.getByRole('alert')).toHaveTextContent('Not saved')
  await userEvent.keyboard('{Escape}')
  await expect.element(outerDialog.getByRole('alert')).toHaveTextContent('Not saved')
  await userEvent.keyboard('{Escape}')
  await expect.element(outerDialog).not.toBeInTheDocument()
  await expect.element(page.getByText('Not saved')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(page.getByText('Not saved')).not.toBeInTheDocument()
  expect(document.querySelectorAll('[role="status"], [role="alert"]')).toHaveLength(2)
})

it('toast: a toast stays on the page if its dialog is removed without being closed', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  unmountRoot = () => flushSync(() => root.unmount())
  const renderPage = (hasDialog: boolean) =>
    flushSync(() =>
      root.render(
        <ToastRegion>
          {hasDialog && (
            <Dialog open onClose={() => {}} title="Share">
              <ToastSender nextToast={() => ({ text: 'Link copied!', durationMs: 600_000 })} />
            </Dialog>
          )}
        </ToastRegion>,
      ),
    )
  renderPage(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(page.getByRole('dialog').getByRole('status')).toHaveTextContent('Link copied!')
  renderPage(false)
  await expect.element(page.getByText('Link copied!')).toBeVisible()
  await expect.element(page.getByRole('status')).toHaveTextContent('Link copied!')
})
