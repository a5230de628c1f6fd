import { it } from 'vitest'
import { openPlans } from './plans-hold.ts'

/** Ten minutes on a machine that does nothing else. */
const TIMEOUT_MS = 50 * 60_000

it(
  'favorites are the same on all devices in the end, with every tap that counts: 10,000 plans',
  async () => {
    const site = await openPlans()
    try {
      await site.hold(10_000)
    } finally {
      await site.close()
    }
  },
  TIMEOUT_MS,
)
