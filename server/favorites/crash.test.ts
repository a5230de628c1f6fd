import { vi } from 'vitest'
import { describeFavoritesCrashTests } from './testing/crash.ts'

// The time limit is long, because starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

describeFavoritesCrashTests(400)
