import { describeAccountLife } from './account-life.ts'
import { readLongFuzzRun } from './run.ts'

describeAccountLife(readLongFuzzRun())
