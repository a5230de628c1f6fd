import type { Role } from '../../contract/account.ts'

export const roles = ['subscriber', 'donator'] as const satisfies readonly Role[]
