import { declareAccountPageAxeTests } from './axe-account.ts'
import { declareOwnPlaylistAxeTests } from './axe-own-playlists.ts'
import { declareRouteAxeTests } from './axe-routes.ts'
import { declareStateAxeTests } from './axe-states.ts'
import { brands } from './fixtures.ts'

const [firstBrand, secondBrand] = brands
declareRouteAxeTests(firstBrand, 1440)
declareRouteAxeTests(firstBrand, 390)
declareRouteAxeTests(secondBrand, 1440)
declareRouteAxeTests(secondBrand, 390)
declareStateAxeTests(secondBrand)
declareAccountPageAxeTests(firstBrand, 1440)
declareAccountPageAxeTests(secondBrand, 390)
declareOwnPlaylistAxeTests(firstBrand, 390)
declareOwnPlaylistAxeTests(secondBrand, 1440)
