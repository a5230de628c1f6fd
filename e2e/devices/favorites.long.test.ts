import { it } from 'vitest'
import { openPlanRunner } from './plan-runner.ts'

it('after a final sync all devices have the same favorites, and the last edit of each song wins: 10,000 plans', async () => {
  const planRunner = await openPlanRunner()
  try {
    await planRunner.expectConsistent(10_000)
  } finally {
    await planRunner.close()
  }
})
