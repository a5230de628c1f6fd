import { testAccountPages } from './axe-account.ts'
import { testRoutes } from './axe-routes.ts'
import { testStates } from './axe-states.ts'
import { brands } from './fixtures.ts'

const [firstBrand, secondBrand] = brands
testRoutes(firstBrand, 1440)
testRoutes(firstBrand, 390)
testRoutes(secondBrand, 1440)
testRoutes(secondBrand, 390)
testStates(secondBrand)
testAccountPages(firstBrand, 1440)
testAccountPages(secondBrand, 390)
