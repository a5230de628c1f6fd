import { describePasswordAttackTests } from './testing/attack.ts'

describePasswordAttackTests({ atOneAccount: 200, fromOneAddress: 300 })
