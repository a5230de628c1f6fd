import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { TransientMessage } from './transient-message.tsx'

let root: Root | undefined
afterEach(() => {
  root?.unmount()
  root = undefined
  document.body.replaceChildren()
  // The tests restore real timers before the mocks: restoring a mocked timer while timers are fake would remove that timer from the page.
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function renderMessage() {
  root = createRoot(document.body.appendChild(document.createElement('div')))
  flushSync(() => root?.render(<TransientMessage kind="bad" text="You were signed out." />))
  // On a busy machine the message is rendered some frames after the effect. The test fakes timeouts, but not frames.
  while (alert.query() === null) await new Promise((resolve) => requestAnimationFrame(resolve))
}

const alert = page.getByRole('alert')

it('transient message: the message disappears after 5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await renderMessage()
  flushSync(() => vi.advanceTimersByTime(4_999))
  expect(alert.query()?.textContent).toBe('You were signed out.')
  flushSync(() => vi.advanceTimersByTime(1))
  expect(alert.query()).toBeNull()
})

it('transient message: the 5 seconds start when the tab becomes visible', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const visibilityMock = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await renderMessage()
  flushSync(() => vi.advanceTimersByTime(60_000))
  expect(alert.query()?.textContent).toBe('You were signed out.')
  visibilityMock.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  flushSync(() => vi.advanceTimersByTime(4_999))
  expect(alert.query()).not.toBeNull()
  flushSync(() => vi.advanceTimersByTime(1))
  expect(alert.query()).toBeNull()
})
