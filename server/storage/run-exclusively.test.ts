import { expect, it } from 'vitest'
import { describeStores } from './testing/databases.ts'

describeStores('tasks that run exclusively', (fixture) => {
  it('two tasks of one name run one after the other, and one that fails lets the next one run', async () => {
    const { runExclusively } = fixture.storage
    const steps: string[] = []
    const run = (name: string) =>
      runExclusively('keys', async () => {
        steps.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        steps.push(`${name} ends`)
        if (name === 'b') throw new Error('b failed')
        return name
      })
    const results = await Promise.allSettled([run('a'), run('b'), run('c')])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual(['a', 'b failed', 'c'])
    for (const name of ['a', 'b', 'c']) expect(steps.slice(steps.indexOf(`${name} begins`))[1]).toBe(`${name} ends`)
  })
})
