import { afterEach, expect, test, vi } from 'vitest'
import { waitUntilIdle } from './idle.ts'

afterEach(() => void vi.unstubAllGlobals())

test('each call gets a separate idle period, in the order of the calls', async () => {
  const idlePeriods: { begin: () => void; timeout: number | undefined }[] = []
  vi.stubGlobal('requestIdleCallback', (begin: () => void, options?: IdleRequestOptions) =>
    idlePeriods.push({ begin, timeout: options?.timeout }),
  )
  const begunTasks: string[] = []
  for (const name of ['first', 'second', 'third']) void waitUntilIdle().then(() => begunTasks.push(name))
  for (const expectedTasks of [['first'], ['first', 'second'], ['first', 'second', 'third']]) {
    await vi.waitFor(() => expect(idlePeriods).toHaveLength(expectedTasks.length))
    idlePeriods.at(-1)?.begin()
    await vi.waitFor(() => expect(begunTasks).toEqual(expectedTasks))
  }
  expect(idlePeriods.every(({ timeout = 0 }) => timeout > 0)).toBe(true)
})
