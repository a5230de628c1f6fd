import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { useTodaysPromotion } from './use-todays-promotion.ts'

afterEach(() => vi.useRealTimers())

function Page() {
  useTodaysPromotion()
  return null
}

it('promotion: a page that stays open over midnight (UTC) requests the promotion of the new day once', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T23:59:00Z'), toFake: ['Date', 'setInterval', 'clearInterval'] })
  const callMock = vi.fn(async () => null)
  const root = createRoot(document.createElement('div'))
  root.render(
    <ServicesProvider services={createTestServices({ api: { call: callMock }, initialData: {} })}>
      <Page />
    </ServicesProvider>,
  )
  await vi.waitFor(() => expect(callMock).toHaveBeenCalledTimes(1))
  vi.advanceTimersByTime(50_000)
  expect(callMock).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(180_000)
  await vi.waitFor(() => expect(callMock).toHaveBeenCalledTimes(2))
  vi.setSystemTime(Date.parse('2026-03-03T08:00:00Z'))
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(callMock).toHaveBeenCalledTimes(3))
  root.unmount()
})
