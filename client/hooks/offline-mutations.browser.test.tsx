import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { RELOAD_AFTER_MS, useOfflineMutations } from './offline-mutations.ts'
import { type OfflineMutations, ServicesProvider } from './services.tsx'
import { createTestServices } from './testing/services.ts'

let rendered: (OfflineMutations | undefined)[] = []
function Probe() {
  rendered.push(useOfflineMutations({ allowAnonymous: true }))
  return null
}

it('useOfflineMutations: if the chunk cannot be loaded, it is loaded again while the page stays open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  // The component reads only whether it has the mutations.
  const loaded = {} as OfflineMutations
  const offlineMutations = vi.fn(async () => loaded).mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const identity = { subscribe: () => () => {}, getSnapshot: () => undefined }
  rendered = []
  const root = createRoot(document.createElement('div'))
  try {
    root.render(
      <ServicesProvider services={createTestServices({ offlineMutations, identity })}>
        <Probe />
      </ServicesProvider>,
    )
    await vi.waitFor(() => expect(offlineMutations).toHaveBeenCalledTimes(1))
    expect(rendered.at(-1)).toBeUndefined()
    vi.advanceTimersByTime(RELOAD_AFTER_MS)
    await vi.waitFor(() => expect(rendered.at(-1)).toBe(loaded))
  } finally {
    root.unmount()
    vi.useRealTimers()
  }
})
