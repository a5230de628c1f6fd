import { describeFavoritesCrash } from './testing/crash.ts'

describeFavoritesCrash(10_000)
