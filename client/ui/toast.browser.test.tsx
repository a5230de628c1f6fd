import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Toast, ToastRegion, useToast } from './toast.tsx'

let end = () => {}
afterEach(() => end())

function Sender({ toast }: { toast: Toast }) {
  const show = useToast()
  return (
    <button type="button" onClick={() => show(toast)}>
      Send
    </button>
  )
}

async function send(toast: Toast) {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() =>
    root.render(
      <ToastRegion>
        <Sender toast={toast} />
      </ToastRegion>,
    ),
  )
  end = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
  // Both regions stand before there is anything to say.
  expect(document.querySelectorAll('[role="status"], [role="alert"]')).toHaveLength(2)
  await page.getByRole('button', { name: 'Send' }).click()
}

it('is read out politely and leaves by itself', async () => {
  await send({ text: 'Added to the queue', durationMs: 300 })
  await expect.element(page.getByRole('status')).toHaveTextContent('Added to the queue')
  await expect.element(page.getByText('Added to the queue')).not.toBeInTheDocument()
})

it('interrupts for a failure, stays until it is dismissed, and does not stand twice', async () => {
  await send({ text: 'No song could be chosen.', kind: 'bad', durationMs: 60_000 })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('No song could be chosen.')
  expect(page.getByText('No song could be chosen.').elements()).toHaveLength(1)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(page.getByText('No song could be chosen.')).not.toBeInTheDocument()
})

it('runs its action and goes', async () => {
  const onSelect = vi.fn()
  await send({ text: 'Queue cleared', action: { label: 'Undo', onSelect } })
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(onSelect).toHaveBeenCalledOnce()
  await expect.element(page.getByText('Queue cleared')).not.toBeInTheDocument()
})
