import { testRoutes } from './axe-routes.ts'
import { brands } from './fixtures.ts'

const [first, second] = brands
testRoutes(first, 390)
testRoutes(second, 1440)
