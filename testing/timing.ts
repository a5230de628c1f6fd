import { expect, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    checksTimings: boolean
  }
}

/** Expects a duration below a limit, but only in `npm run bench -- timings`: a busy machine must not fail a test of `npm test`. */
export function expectFasterThan(tookMs: number, maxMs: number) {
  if (inject('checksTimings')) expect(tookMs, 'ms').toBeLessThan(maxMs)
}
