import { describeAccountLife } from './account-life.ts'
import { quickRun } from './run.ts'

describeAccountLife(quickRun)
