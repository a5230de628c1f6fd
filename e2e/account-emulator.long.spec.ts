import { openEmulatorPeer } from './identity/emulator-peer.ts'
import { declareGapsMet, declareJourneys } from './identity/journeys.ts'

declareGapsMet(declareJourneys(openEmulatorPeer))
