import { it } from 'vitest'
import { openPlanRunner } from './plan-runner.ts'

it('in 10,000 random plans, after a final sync all devices have the same favorites, and the last edit of each song wins', async () => {
  const planRunner = await openPlanRunner()
  try {
    await planRunner.expectConsistent(10_000)
  } finally {
    await planRunner.close()
  }
})
