import { expect, it } from 'vitest'
import { describeStores } from './testing/databases.ts'

describeStores('tasks that run exclusively', (fixture) => {
  it('two tasks of one name run one after the other, and one that fails lets the next one run', async () => {
    const { runExclusively } = fixture.storage
    const stepTexts: string[] = []
    const runStep = (stepName: string) =>
      runExclusively('keys', async () => {
        stepTexts.push(`${stepName} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        stepTexts.push(`${stepName} ends`)
        if (stepName === 'b') throw new Error('b failed')
        return stepName
      })
    const results = await Promise.allSettled([runStep('a'), runStep('b'), runStep('c')])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual(['a', 'b failed', 'c'])
    for (const name of ['a', 'b', 'c']) expect(stepTexts.slice(stepTexts.indexOf(`${name} begins`))[1]).toBe(`${name} ends`)
  })
})
