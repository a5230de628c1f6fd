import { test } from './identity/journey-test.ts'
import { declareAccountJourneys } from './identity/journeys.ts'

declareAccountJourneys(test)
