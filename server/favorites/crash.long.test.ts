import { describeFavoritesCrashTests } from './testing/crash.ts'

describeFavoritesCrashTests(10_000)
