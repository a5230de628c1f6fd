import { afterEach, expect, test, vi } from 'vitest'
import { whenIdle } from './idle.ts'

afterEach(() => void vi.unstubAllGlobals())

test('each call gets a separate idle period, in the order of the calls', async () => {
  const periods: { begin: () => void; timeout: number | undefined }[] = []
  vi.stubGlobal('requestIdleCallback', (begin: () => void, options?: IdleRequestOptions) =>
    periods.push({ begin, timeout: options?.timeout }),
  )
  const begun: string[] = []
  for (const name of ['first', 'second', 'third']) void whenIdle().then(() => begun.push(name))
  for (const expected of [['first'], ['first', 'second'], ['first', 'second', 'third']]) {
    await vi.waitFor(() => expect(periods).toHaveLength(expected.length))
    periods.at(-1)?.begin()
    await vi.waitFor(() => expect(begun).toEqual(expected))
  }
  expect(periods.every(({ timeout = 0 }) => timeout > 0)).toBe(true)
})
