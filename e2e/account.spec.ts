import { openEmbeddedPeer } from './identity/embedded-peer.ts'
import { declareJourneys } from './identity/journeys.ts'

declareJourneys(openEmbeddedPeer)
