import { describePasswordAttackTests } from './testing/attack.ts'

describePasswordAttackTests({ atOneAccount: 1000, fromOneAddress: 1000 })
