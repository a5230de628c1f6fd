import { it } from 'vitest'
import { openPlans } from './plans-hold.ts'

it('favorites are the same on all devices in the end, with every tap that counts: 10,000 plans', async () => {
  const site = await openPlans()
  try {
    await site.hold(10_000)
  } finally {
    await site.close()
  }
})
