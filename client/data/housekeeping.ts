import type { Limits, Spared } from './eviction.ts'
import type { DeviceStore } from './store.ts'

const IDLE_AFTER_WRITE_MS = 4_000

// Seldom needed, and never at the start.
const eviction = () => import('./eviction.ts')

/** Keeps the device below its limits: some idle time after writes, and at once when a write did not fit. */
export function startHousekeeping(store: DeviceStore, spared: () => Spared, limits?: Limits): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tidy = () => {
    eviction()
      .then(({ evict, LIMITS }) => evict(store, limits ?? LIMITS, spared()))
      .catch(() => {
        // Tried again after the next write.
      })
  }
  store.setMakeRoom(async (base) => {
    const { evictHalf } = await eviction()
    if ((await evictHalf(base, spared())) === 0) throw new Error('There was nothing to remove.')
  })
  store.onWritten(() => {
    clearTimeout(timer)
    timer = setTimeout(
      () => (typeof requestIdleCallback === 'function' ? requestIdleCallback(tidy, { timeout: 10_000 }) : tidy()),
      IDLE_AFTER_WRITE_MS,
    )
  })
}
