import { afterEach, expect, test, vi } from 'vitest'
import { whenIdle } from './idle.ts'

afterEach(() => void vi.unstubAllGlobals())

test('each call gets a separate idle period, in the order of the calls', async () => {
  const periods: { begin: () => void; timeout: number | undefined }[] = []
  vi.stubGlobal('requestIdleCallback', (begin: () => void, options?: IdleRequestOptions) =>
    periods.push({ begin, timeout: options?.timeout }),
  )
  const begunTasks: string[] = []
  for (const name of ['first', 'second', 'third']) void whenIdle().then(() => begunTasks.push(name))
  for (const expectedTasks of [['first'], ['first', 'second'], ['first', 'second', 'third']]) {
    await vi.waitFor(() => expect(periods).toHaveLength(expectedTasks.length))
    periods.at(-1)?.begin()
    await vi.waitFor(() => expect(begunTasks).toEqual(expectedTasks))
  }
  expect(periods.every(({ timeout = 0 }) => timeout > 0)).toBe(true)
})
