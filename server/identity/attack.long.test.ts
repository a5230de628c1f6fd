import { describeAttack } from './testing/attack.ts'

describeAttack({ atOneAccount: 1000, fromOneAddress: 1000 })
