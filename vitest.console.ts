import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

let errors: MockInstance<typeof console.error>

/** A `console.error` fails the test it happens in. A test that means one clears it: `vi.mocked(console.error).mockClear()`. */
beforeEach(() => {
  errors = vi.spyOn(console, 'error')
})

afterEach(() => {
  const calls = errors.mock.calls.map((call) => call.map(String).join(' '))
  errors.mockRestore()
  expect(calls, 'console.error was called').toEqual([])
})
