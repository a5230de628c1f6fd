import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

let consoleErrorSpy: MockInstance<typeof console.error>

/** Makes a call of `console.error` fail the test. A test that expects calls clears them with `vi.mocked(console.error).mockClear()`. */
beforeEach(() => {
  consoleErrorSpy = vi.spyOn(console, 'error')
})

afterEach(() => {
  const calls = consoleErrorSpy.mock.calls.map((call) => call.map(String).join(' '))
  consoleErrorSpy.mockRestore()
  expect(calls, 'console.error was called').toEqual([])
})
