import { describeFavoritesCrash } from './testing/favorites-crash.ts'

describeFavoritesCrash(10_000)
