import { expect, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    checksTimings: boolean
  }
}

/** Expects a duration below a limit in `npm run bench -- timings` only: in `npm test`, a busy machine must not fail a test. */
export function expectFasterThan(tookMs: number, maxMs: number) {
  if (inject('checksTimings')) expect(tookMs, 'ms').toBeLessThan(maxMs)
}
