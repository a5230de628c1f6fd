import { testAccountPages } from './axe-account.ts'
import { testRoutes } from './axe-routes.ts'
import { testStates } from './axe-states.ts'
import { brands } from './fixtures.ts'

const [first, second] = brands
testRoutes(first, 390)
testRoutes(second, 1440)
testStates(second)
testAccountPages(first, 1440)
