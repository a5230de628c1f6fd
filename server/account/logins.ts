import type { Login } from '../../contract/account.ts'
import { ApiError } from '../../contract/errors.ts'
import { requireUser, type User } from '../http/user.ts'
import type { LoginStore } from '../storage/interfaces/logins.ts'
import type { RouteContext } from '../route-context.ts'

/** Returns the logins of the caller's account. */
export async function loginsOf(logins: LoginStore, { uid, loginId: ownLoginId }: User): Promise<Login[]> {
  return (await logins.listOf(uid)).map(({ loginId, device, network, createdMs, lastUsedMs }) => ({
    id: loginId,
    device,
    network,
    created: new Date(createdMs).toISOString(),
    last_used: new Date(lastUsedMs).toISOString(),
    current: loginId === ownLoginId,
  }))
}

export function registerLogins({ endpoint, storage: { logins } }: RouteContext): void {
  endpoint('GET /account/logins', {}, async (_input, request) => loginsOf(logins, requireUser(request)))

  endpoint('POST /account/end_login', {}, async ({ id }, request) => {
    if (!(await logins.end(requireUser(request).uid, id))) throw new ApiError('not-found', 'This login has ended already.')
    return null
  })

  endpoint('POST /account/end_logins', {}, async ({ others_only = false }, request) => {
    const { uid, loginId } = requireUser(request)
    await logins.endAll(uid, others_only ? loginId : undefined)
    return null
  })
}
