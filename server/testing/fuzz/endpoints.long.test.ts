import { describeEndpointFuzz } from './endpoint-fuzz.ts'
import { readLongFuzzRun } from './run.ts'

describeEndpointFuzz(readLongFuzzRun())
