import { vi } from 'vitest'

const DEFAULT_TIMEOUT_MS = 20_000
const { waitFor, waitUntil } = vi

// Gives `vi.waitFor` and `vi.waitUntil` a longer default time limit than Vitest's one second, which a busy machine exceeds. A limit that is
// passed in a call still applies.
vi.waitFor = (callback, options = DEFAULT_TIMEOUT_MS) => waitFor(callback, options)
vi.waitUntil = (callback, options = DEFAULT_TIMEOUT_MS) => waitUntil(callback, options)
