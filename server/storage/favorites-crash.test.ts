import { vi } from 'vitest'
import { describeFavoritesCrash } from './testing/favorites-crash.ts'

// Processes are started here, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

describeFavoritesCrash(1000)
