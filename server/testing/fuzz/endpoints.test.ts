import { describeEndpointFuzz } from './endpoint-fuzz.ts'
import { quickRun } from './run.ts'

describeEndpointFuzz(quickRun)
