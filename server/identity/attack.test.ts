import { describeAttack } from './testing/attack.ts'

describeAttack({ atOneAccount: 200, fromOneAddress: 300 })
