import { describeEndpointFuzz } from './endpoint-fuzz.ts'
import { quickRun, readLongFuzzRun } from './run.ts'

describeEndpointFuzz(quickRun)
describeEndpointFuzz(readLongFuzzRun())
