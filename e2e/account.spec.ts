import { test } from './identity/journey-test.ts'
import { declareJourneys } from './identity/journeys.ts'

declareJourneys(test)
