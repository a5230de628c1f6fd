import { describeEndpointFuzz } from './endpoint-fuzz.ts'
import { longRun } from './run.ts'

describeEndpointFuzz(longRun())
