import { vi } from 'vitest'

const DEFAULT_TIMEOUT_MS = 20_000
const { waitFor, waitUntil } = vi

// `vi.waitFor` and `vi.waitUntil` get a longer default time limit than Vitest's one second, which a loaded machine exceeds. A limit that a call
// passes still applies.
vi.waitFor = (callback, options = DEFAULT_TIMEOUT_MS) => waitFor(callback, options)
vi.waitUntil = (callback, options = DEFAULT_TIMEOUT_MS) => waitUntil(callback, options)
