import { describeAccountLife } from './account-life.ts'
import { longRun } from './run.ts'

describeAccountLife(longRun())
