import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { PassingMessage } from './passing-message.tsx'

let root: Root | undefined
afterEach(() => {
  root?.unmount()
  root = undefined
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Until React has run the effects. */
const settled = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

async function show() {
  root = createRoot(document.body.appendChild(document.createElement('div')))
  flushSync(() => root?.render(<PassingMessage kind="bad" text="You were signed out." />))
  await settled()
}

const alert = page.getByRole('alert')

it('goes after 5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await show()
  flushSync(() => vi.advanceTimersByTime(4_999))
  expect(alert.query()?.textContent).toBe('You were signed out.')
  flushSync(() => vi.advanceTimersByTime(1))
  expect(alert.query()).toBeNull()
})

it('waits for who looks at another tab', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await show()
  flushSync(() => vi.advanceTimersByTime(60_000))
  expect(alert.query()?.textContent).toBe('You were signed out.')
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  flushSync(() => vi.advanceTimersByTime(4_999))
  expect(alert.query()).not.toBeNull()
  flushSync(() => vi.advanceTimersByTime(1))
  expect(alert.query()).toBeNull()
})
